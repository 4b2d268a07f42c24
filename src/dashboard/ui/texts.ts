import type { ErrorReasons } from '../../domain/errors.ts';
import { VALUE_WORDS } from '../../domain/fields/value-words.ts';
import { createCatalog, formatNumber } from '../../lib/i18n.ts';
import { pairs } from '../../lib/pairs.ts';
import { catalog, type Language } from './catalog.ts';

const WORDS = pairs({
  /** Head of a form’s pages. */
  form: {
    parts: ['Pages of this form', 'Seiten dieses Formulars'],
    overview: ['Overview', 'Übersicht'],
    submissions: ['Submissions', 'Einsendungen'],
    settings: ['Settings', 'Einstellungen'],
    connect: ['Connect', 'Einbinden'],
    webhooks: ['Webhooks', 'Webhooks'],
    export: ['Export', 'Export'],
    paused: ['Paused', 'Pausiert'],
    archived: ['Archived', 'Archiviert'],
    all: ['All forms', 'Alle Formulare'],
  },
  templates: {
    titles: {
      contact: ['Contact', 'Kontakt'],
      feedback: ['Feedback', 'Feedback'],
      application: ['Application with files', 'Bewerbung mit Dateien'],
      newsletter: ['Newsletter', 'Newsletter'],
      rsvp: ['Event with RSVP', 'Veranstaltung mit Anmeldung'],
      blank: ['Blank', 'Leer'],
    },
    /** Description of the template without fields. */
    blank: [
      'No fields. The form accepts whatever your page sends.',
      'Keine Felder. Das Formular nimmt an, was Ihre Seite sendet.',
    ],
    labels: {
      name: ['Name', 'Name'],
      email: ['Email', 'E-Mail'],
      phone: ['Phone', 'Telefon'],
      message: ['Message', 'Nachricht'],
      rating: ['Rating', 'Bewertung'],
      opinion: ['What do you think?', 'Wie hat es Ihnen gefallen?'],
      documents: ['Documents', 'Unterlagen'],
      consent: ['I would like to receive the newsletter', 'Ich möchte den Newsletter erhalten'],
      attending: ['Will you attend?', 'Nehmen Sie teil?'],
      accept: ['Yes, I’ll be there', 'Ja, ich komme'],
      decline: ['Sorry, I can’t make it', 'Leider nein'],
      guests: ['Number of guests', 'Anzahl der Gäste'],
      wishes: ['Special requests', 'Wünsche'],
    },
  },
  /** The language in itself. */
  name: ['English', 'Deutsch'],
  skip: ['Skip to content', 'Zum Inhalt springen'],
  promise: [
    'Every message is stored before the sender sees “Sent”.',
    'Jede Nachricht ist gespeichert, bevor jemand „Gesendet“ liest.',
  ],
  navigation: ['Main', 'Hauptmenü'],
  signOut: ['Sign out', 'Abmelden'],
  manual: ['Manual', 'Handbuch'],
  teamAndServer: ['Team and server', 'Team und Server'],
  more: ['More', 'Mehr'],
  teamSettings: ['Team settings', 'Team verwalten'],
  sections: {
    inbox: ['Inbox', 'Posteingang'],
    forms: ['Forms', 'Formulare'],
    mail: ['Mail', 'E-Mail'],
    usage: ['Usage', 'Verbrauch'],
    status: ['Status', 'Status'],
    keys: ['API keys', 'API-Schlüssel'],
    spam: ['Spam filter', 'Spamfilter'],
    audit: ['Audit log', 'Protokoll'],
    erase: ['Erase a person', 'Daten einer Person löschen'],
    team: ['Team', 'Team'],
    account: ['Account', 'Konto'],
  },
  /** After the number of failed mails. */
  failedMails: ['failed', 'fehlgeschlagen'],
  common: {
    save: ['Save', 'Speichern'],
    cancel: ['Cancel', 'Abbrechen'],
    delete: ['Delete', 'Löschen'],
    deleteNow: ['Delete now', 'Jetzt löschen'],
    restore: ['Restore', 'Wiederherstellen'],
    undo: ['Undo', 'Rückgängig'],
    sendAgain: ['Send again', 'Erneut senden'],
    copy: ['Copy', 'Kopieren'],
    copied: ['Copied', 'Kopiert'],
    older: ['Older', 'Ältere'],
    newest: ['Newest', 'Neueste'],
    yes: ['Yes', 'Ja'],
    no: ['No', 'Nein'],
    anonymous: ['Anonymous', 'Anonym'],
  },
});

const TEXTS = catalog({
  en: {
    ...WORDS.en,
    /** Errors by their reason. */
    errors: {
      invalid_name: (maxLength) => `Enter a name of 1 to ${maxLength} characters.`,
      invalid_email: () => 'Enter a valid email address, such as ada@example.com.',
      not_an_email: (item) => `“${item}” isn’t a valid email address. Enter addresses such as ada@example.com.`,
      not_an_origin: (item) => `“${item}” is not an origin. Enter only scheme and host, such as https://example.com.`,
      not_a_file_type: (item) => `“${item}” is not a file type. Enter types such as application/pdf and image/*.`,
      invalid_blocked_word: (item) => `“${item}” must have 3 to 100 characters.`,
      closes_before_opening: () => 'The form would close before it opens. Choose a later time.',
      invalid_time: () => 'Enter a date and a time.',
      invalid_watch_page: () => 'Enter an address that begins with https://, such as https://example.com/contact.',
      too_many_entries: (limit) => `Too many entries. Use at most ${limit}.`,
      text_too_long: (limit) => `The text is too long. Use at most ${formatNumber('en', limit)} characters.`,
      several_lines: () => 'Enter a single line.',
      invalid_redirect_url: () => 'Enter a full address such as https://example.com/thanks.',
      missing_challenge_secret: () => 'Enter the secret of your account with this service.',
      invalid_verify_url: () => 'Enter a full http or https address, such as https://cap.example.com/KEY/siteverify.',
      unknown_time_zone: () => 'Unknown time zone. Enter a name such as Europe/Berlin or UTC.',
      number_out_of_range: (min, max) => `Enter a whole number from ${min} to ${formatNumber('en', max)}.`,
      invalid_color: () => 'Enter # and six digits from 0 to f, such as #0b6655.',
      invalid_sender_name: (maxLength) => `Enter one line of at most ${maxLength} characters without < > " @ , and ;.`,
      not_a_logo: () => 'This is not a PNG, JPEG or WebP image. Choose another file.',
      logo_too_large: (maxKib) => `The image is too large. Choose one of at most ${maxKib} KiB.`,
      too_many_downloads: (limit) => `More than ${limit} downloads at once. Wait for one to finish.`,
      search_expired: () => 'The results of this search have expired. Search again.',
      no_results_left: () => 'This search has no results left. Search again.',
      invalid_webhook_url: () =>
        'Enter a full https address without user name and password, such as https://hooks.example.com/forms.',
      webhook_not_https: () =>
        'Enter an address that begins with https://. Plain http is possible only to hosts that the server administrator allows.',
      private_host: (host) =>
        `${host} has an address that is not public. The server administrator can allow it with ALLOWED_PRIVATE_HOSTS.`,
      unlisted_host: (host) => `${host} is not one of the hosts that the server administrator lists in OUTBOUND_HOSTS.`,
      headers_of_another_host: () => 'The address leads to another host. Enter the headers again, with their values.',
      too_many_webhooks: (limit) => `A form has at most ${limit} webhooks. Delete one first.`,
      test_running: () => 'Another test is waiting for its endpoint. Try again when it has ended.',
      too_many_tests: (limit) => `You can send ${limit} tests a minute. Try again in a minute.`,
      too_many_teams: (limit) => `You own ${limit} teams, the limit. Delete one first.`,
      too_many_headers: (limit) => `Too many headers. Use at most ${limit}.`,
      invalid_header: () => 'Write each header on a line like X-Token: abc, in ASCII.',
      reserved_header: (name) => `The header ${name} is set by the server. Use another name.`,
      repeated_header: (name) => `The header ${name} is given twice. Remove one.`,
      not_a_recipient: (address) => `${address} is not a recipient. Add it to the recipients.`,
      too_many_conditions: (limit) => `Too many conditions. Use at most ${limit}.`,
      invalid_condition: () =>
        'Enter a field and a value of at most 200 characters. “is one of” needs 1 to 50 values, one per line.',
      refused_setting: (_, { en }) => en,
      no_signing_secret: () => 'This kind of webhook has no signing secret.',
      empty_message: () => 'Enter a text.',
      too_many_messages: (limit) =>
        `Not saved: this submission has ${limit} notes and replies, the limit. Delete notes, or write from your mail program.`,
      too_many_replies: (limit) =>
        `Not sent: this submission got ${limit} replies within an hour, the limit. Try again later.`,
      untrusted_header: () =>
        'This request names a user in a header that the server accepts from its proxy only. Open the dashboard at its public address.',
      no_account: (email) => `There is no account for ${email}. Ask an owner of the team to invite you.`,
      no_other_sign_in: () => 'You could not sign in any more. Set a password first.',
      passwords_off: () => 'Passwords are turned off on this server. Sign in with its provider.',
      not_by_proxy: () => 'This invitation needs the sign-in in front of this server. Open it at its public address.',
      workspace_in_use: () => 'This workspace has forms. Move or delete them first.',
      last_workspace: () => 'This is the only workspace of the team. Create another one first.',
    } satisfies { readonly [Key in keyof ErrorReasons]: (...parameters: ErrorReasons[Key]) => string },
    /** Words for submitted values. */
    values: VALUE_WORDS.en,
    themes: { label: 'Theme', system: 'System', light: 'Light', dark: 'Dark' },
    failure: {
      title: 'Something went wrong',
      notFound: 'Page not found',
      forbidden: 'You don’t have access to this page',
      start: 'Go to sign-in',
      back: 'Go to your forms',
      /** Texts by error code. */
      codes: {
        origin_not_allowed: 'This request did not come from this site. Reload the page and try again.',
        body_too_large: 'The form is too large. Shorten it and submit it again.',
        body_too_slow: 'The form was not fully received. Submit it again.',
        invalid_input: 'The address or the input is invalid. Reload the page and try again.',
        not_found: 'This page does not exist, or you do not have access to it.',
        role_forbids: 'Your role in this team does not allow this. Ask an owner of the team to change it.',
        demo_read_only: 'Nothing can be changed in this demo. Start your own with “formstead demo”.',
        conflict: 'Someone made another change at the same time. Reload the page and try again.',
        rate_limited: 'Too many requests. Try again in a minute.',
        team_switched:
          'You switched to another team in another tab. Nothing was changed. Switch back to the team of that page and try again.',
        server_busy: 'The server is receiving too many requests at once. Try again in a few seconds.',
        file_damaged: 'The stored file is damaged and cannot be read. The server log has details.',
        storage_unavailable: 'Nothing can be saved right now. Try again later.',
      },
      /** Other errors. */
      other: 'This did not work. Go back, reload the page and try again.',
      unforeseen: (id: string) => `An unexpected error occurred. The server log has details under ${id}.`,
      noTeam: 'Your account is not in a team. Ask an owner of a team for an invitation.',
    },
    demo: {
      strip: 'This is a demo: nothing here is kept.',
      readOnly: (time: string) => `This is a demo: nothing can be changed, and it starts anew at ${time}.`,
      mails: 'Sent emails',
    },
    /** Asked before an action that needs a recent password check. */
    recentPassword: {
      title: 'Confirm your password',
      text: 'You last entered your password more than ten minutes ago. Enter it again to continue. Your input is kept.',
      button: 'Continue',
    },
    strip: { label: 'Problems', fix: 'Fix', more: (count: number) => `and ${count} more` },
    roles: { owner: 'Owner', editor: 'Editor', viewer: 'Viewer' },
  },
  de: {
    ...WORDS.de,
    errors: {
      invalid_name: (maxLength) => `Geben Sie einen Namen mit 1 bis ${maxLength} Zeichen ein.`,
      invalid_email: () => 'Geben Sie eine gültige E-Mail-Adresse ein, zum Beispiel ada@example.com.',
      not_an_email: (item) => `„${item}“ ist keine E-Mail-Adresse. Geben Sie Adressen wie ada@example.com ein.`,
      not_an_origin: (item) =>
        `„${item}“ ist ungültig. Geben Sie nur Schema und Host ein, zum Beispiel https://example.com.`,
      not_a_file_type: (item) => `„${item}“ ist kein Dateityp. Geben Sie Typen wie application/pdf und image/* ein.`,
      invalid_blocked_word: (item) => `„${item}“ muss 3 bis 100 Zeichen lang sein.`,
      closes_before_opening: () =>
        'Das Formular würde schließen, bevor es öffnet. Wählen Sie einen späteren Zeitpunkt.',
      invalid_time: () => 'Geben Sie Datum und Uhrzeit ein.',
      invalid_watch_page: () =>
        'Geben Sie eine Adresse ein, die mit https:// beginnt, zum Beispiel https://example.com/kontakt.',
      too_many_entries: (limit) => `Zu viele Einträge. Erlaubt sind höchstens ${limit}.`,
      text_too_long: (limit) => `Der Text ist zu lang. Erlaubt sind höchstens ${formatNumber('de', limit)} Zeichen.`,
      several_lines: () => 'Geben Sie nur eine Zeile ein.',
      invalid_redirect_url: () => 'Geben Sie eine vollständige Adresse ein, zum Beispiel https://example.com/danke.',
      missing_challenge_secret: () => 'Geben Sie den geheimen Schlüssel Ihres Kontos bei diesem Dienst ein.',
      invalid_verify_url: () =>
        'Geben Sie eine vollständige http- oder https-Adresse ein, zum Beispiel https://cap.example.com/KEY/siteverify.',
      unknown_time_zone: () => 'Unbekannte Zeitzone. Geben Sie einen Namen wie Europe/Berlin oder UTC ein.',
      number_out_of_range: (min, max) => `Geben Sie eine ganze Zahl von ${min} bis ${formatNumber('de', max)} ein.`,
      invalid_color: () => 'Geben Sie # und sechs Ziffern von 0 bis f ein, zum Beispiel #0b6655.',
      invalid_sender_name: (maxLength) =>
        `Geben Sie eine Zeile mit höchstens ${maxLength} Zeichen ein, ohne < > " @ , und ;.`,
      not_a_logo: () => 'Das ist kein Bild im Format PNG, JPEG oder WebP. Wählen Sie eine andere Datei.',
      logo_too_large: (maxKib) => `Das Bild ist zu groß. Wählen Sie eines mit höchstens ${maxKib} KiB.`,
      too_many_downloads: (limit) => `Mehr als ${limit} Downloads gleichzeitig. Warten Sie, bis einer fertig ist.`,
      search_expired: () => 'Die Ergebnisse dieser Suche sind abgelaufen. Suchen Sie noch einmal.',
      no_results_left: () => 'Diese Suche hat keine Ergebnisse mehr. Suchen Sie noch einmal.',
      invalid_webhook_url: () =>
        'Geben Sie eine vollständige https-Adresse ohne Benutzernamen und Passwort ein, zum Beispiel https://hooks.example.com/forms.',
      webhook_not_https: () =>
        'Geben Sie eine Adresse ein, die mit https:// beginnt. http ist nur zu Hosts möglich, die der Administrator des Servers erlaubt.',
      private_host: (host) =>
        `${host} hat eine nicht öffentliche Adresse. Der Administrator des Servers kann sie mit ALLOWED_PRIVATE_HOSTS erlauben.`,
      unlisted_host: (host) =>
        `${host} gehört nicht zu den Hosts, die der Administrator des Servers in OUTBOUND_HOSTS aufführt.`,
      headers_of_another_host: () =>
        'Die Adresse führt zu einem anderen Host. Geben Sie die Header mit ihren Werten neu ein.',
      too_many_webhooks: (limit) => `Ein Formular hat höchstens ${limit} Webhooks. Löschen Sie zuerst einen.`,
      test_running: () => 'Ein anderer Test wartet noch auf seinen Endpunkt. Versuchen Sie es danach noch einmal.',
      too_many_tests: (limit) =>
        `Sie können ${limit} Tests pro Minute senden. Versuchen Sie es in einer Minute noch einmal.`,
      too_many_teams: (limit) => `Ihnen gehören ${limit} Teams, mehr sind nicht möglich. Löschen Sie zuerst eines.`,
      too_many_headers: (limit) => `Zu viele Header. Erlaubt sind höchstens ${limit}.`,
      invalid_header: () => 'Schreiben Sie jeden Header in eine Zeile wie X-Token: abc, in ASCII.',
      reserved_header: (name) => `Den Header ${name} setzt der Server. Verwenden Sie einen anderen Namen.`,
      repeated_header: (name) => `Der Header ${name} kommt doppelt vor. Entfernen Sie einen.`,
      not_a_recipient: (address) => `${address} ist kein Empfänger. Fügen Sie die Adresse zu den Empfängern hinzu.`,
      too_many_conditions: (limit) => `Zu viele Bedingungen. Erlaubt sind höchstens ${limit}.`,
      invalid_condition: () =>
        'Geben Sie ein Feld und einen Wert mit höchstens 200 Zeichen ein. „ist eines von“ braucht 1 bis 50 Werte, einen pro Zeile.',
      refused_setting: (_, { de }) => de,
      no_signing_secret: () => 'Diese Art von Webhook hat keinen Signaturschlüssel.',
      empty_message: () => 'Geben Sie einen Text ein.',
      too_many_messages: (limit) =>
        `Nicht gespeichert: Diese Einsendung hat ${limit} Notizen und Antworten, mehr sind nicht möglich. Löschen Sie Notizen oder schreiben Sie mit Ihrem E-Mail-Programm.`,
      too_many_replies: (limit) =>
        `Nicht gesendet: Zu dieser Einsendung gingen in einer Stunde ${limit} Antworten, mehr sind nicht möglich. Versuchen Sie es später erneut.`,
      untrusted_header: () =>
        'Diese Anfrage nennt in einem Header einen Benutzer, und der Server nimmt ihn nur von seinem Proxy an. Öffnen Sie das Dashboard unter seiner öffentlichen Adresse.',
      no_account: (email) => `Für ${email} gibt es kein Konto. Bitten Sie einen Inhaber des Teams um eine Einladung.`,
      no_other_sign_in: () => 'Sie könnten sich nicht mehr anmelden. Setzen Sie zuerst ein Passwort.',
      passwords_off: () => 'Passwörter sind auf diesem Server abgeschaltet. Melden Sie sich bei seinem Anbieter an.',
      not_by_proxy: () =>
        'Diese Einladung gilt nur hinter der Anmeldung vor diesem Server. Öffnen Sie sie an seiner öffentlichen Adresse.',
      workspace_in_use: () => 'In diesem Arbeitsbereich gibt es Formulare. Verschieben oder löschen Sie sie zuerst.',
      last_workspace: () => 'Das ist der einzige Arbeitsbereich des Teams. Legen Sie zuerst einen weiteren an.',
    },
    values: VALUE_WORDS.de,
    themes: { label: 'Design', system: 'System', light: 'Hell', dark: 'Dunkel' },
    failure: {
      title: 'Etwas ist schiefgegangen',
      notFound: 'Seite nicht gefunden',
      forbidden: 'Sie haben keinen Zugriff auf diese Seite',
      start: 'Zur Anmeldung',
      back: 'Zu Ihren Formularen',
      codes: {
        origin_not_allowed:
          'Diese Anfrage kam nicht von dieser Website. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
        body_too_large: 'Das Formular ist zu groß. Kürzen Sie es und senden Sie es noch einmal.',
        body_too_slow: 'Das Formular ist nicht vollständig angekommen. Senden Sie es noch einmal.',
        invalid_input:
          'Die Adresse oder die Eingabe ist ungültig. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
        not_found: 'Diese Seite gibt es nicht, oder Sie haben keinen Zugriff darauf.',
        role_forbids: 'Ihre Rolle in diesem Team erlaubt das nicht. Bitten Sie einen Inhaber des Teams um eine andere.',
        demo_read_only: 'In dieser Demo lässt sich nichts ändern. Starten Sie mit „formstead demo“ Ihre eigene.',
        conflict:
          'Jemand hat gleichzeitig etwas anderes geändert. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
        team_switched:
          'Sie haben in einem anderen Tab das Team gewechselt. Es wurde nichts geändert. Wechseln Sie zurück zum Team jener Seite und versuchen Sie es erneut.',
        rate_limited: 'Zu viele Anfragen. Versuchen Sie es in einer Minute noch einmal.',
        server_busy: 'Der Server empfängt gerade zu viele Anfragen. Versuchen Sie es in ein paar Sekunden noch einmal.',
        file_damaged: 'Die gespeicherte Datei ist beschädigt und nicht lesbar. Näheres steht im Log des Servers.',
        storage_unavailable: 'Zurzeit lässt sich nichts speichern. Versuchen Sie es später noch einmal.',
      },
      other: 'Das hat nicht funktioniert. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.',
      unforeseen: (id) => `Ein unerwarteter Fehler ist aufgetreten. Näheres steht im Log des Servers unter ${id}.`,
      noTeam: 'Ihr Konto gehört zu keinem Team. Bitten Sie den Inhaber eines Teams um eine Einladung.',
    },
    demo: {
      strip: 'Das ist eine Demo: Hier bleibt nichts gespeichert.',
      readOnly: (time) => `Das ist eine Demo: Ändern lässt sich nichts, um ${time} beginnt sie von vorn.`,
      mails: 'Gesendete E-Mails',
    },
    recentPassword: {
      title: 'Passwort bestätigen',
      text: 'Sie haben Ihr Passwort zuletzt vor mehr als zehn Minuten eingegeben. Geben Sie es noch einmal ein, um fortzufahren. Ihre Eingaben bleiben erhalten.',
      button: 'Weiter',
    },
    strip: { label: 'Probleme', fix: 'Beheben', more: (count) => `und ${count} weitere` },
    roles: { owner: 'Inhaber', editor: 'Bearbeiter', viewer: 'Betrachter' },
  },
});

export type Texts = (typeof TEXTS)['en'];

/** The texts that several features share. */
export const CATALOG = createCatalog<Language, Texts>('en', TEXTS);
