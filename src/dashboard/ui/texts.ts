import type { ErrorReasons } from '../../domain/errors.ts';
import { createCatalog, formatNumber } from '../../lib/i18n.ts';
import { catalog, type Language } from './catalog.ts';

type ErrorTexts = { readonly [Key in keyof ErrorReasons]: (...parameters: ErrorReasons[Key]) => string };

const TEXTS = catalog({
  en: {
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
      invalid_daily_limit: (limit) => `Enter a whole number from 0 to ${formatNumber('en', limit)}.`,
      invalid_watch_page: () => 'Enter an address that begins with https://, such as https://example.com/contact.',
      invalid_max_submissions: (limit) => `Enter a whole number from 1 to ${formatNumber('en', limit)}.`,
      too_many_entries: (limit) => `Too many entries. Use at most ${limit}.`,
      text_too_long: (limit) => `The text is too long. Use at most ${formatNumber('en', limit)} characters.`,
      several_lines: () => 'Enter a single line.',
      invalid_redirect_url: () => 'Enter a full address such as https://example.com/thanks.',
      missing_challenge_secret: () => 'Enter the secret of your account with this service.',
      invalid_verify_url: () => 'Enter a full http or https address, such as https://cap.example.com/KEY/siteverify.',
      unknown_time_zone: () => 'Unknown time zone. Enter a name such as Europe/Berlin or UTC.',
      invalid_retention: (maxDays) => `Enter a whole number from 1 to ${formatNumber('en', maxDays)}.`,
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
      workspace_in_use: () => 'This workspace has forms. Move or delete them first.',
      last_workspace: () => 'This is the only workspace of the team. Create another one first.',
    } satisfies ErrorTexts,
    /** Words for submitted values. */
    values: { yes: 'Yes', no: 'No', rating: (value: string, max: number) => `${value} of ${max}` },
    /** Head of a form’s pages. */
    form: {
      parts: 'Pages of this form',
      overview: 'Overview',
      submissions: 'Submissions',
      settings: 'Settings',
      connect: 'Connect',
      webhooks: 'Webhooks',
      export: 'Export',
      paused: 'Paused',
      archived: 'Archived',
      all: 'All forms',
    },
    templates: {
      titles: {
        contact: 'Contact',
        feedback: 'Feedback',
        application: 'Application with files',
        newsletter: 'Newsletter',
        rsvp: 'Invitation (RSVP)',
        blank: 'Blank',
      },
      /** Description of the template without fields. */
      blank: 'No fields. The form accepts whatever your page sends.',
      labels: {
        name: 'Name',
        email: 'Email',
        phone: 'Phone',
        message: 'Message',
        rating: 'Rating',
        opinion: 'What do you think?',
        documents: 'Documents',
        consent: 'I would like to receive the newsletter',
        attending: 'Will you attend?',
        accept: 'Yes, I’ll be there',
        decline: 'Sorry, I can’t make it',
        guests: 'Number of guests',
        wishes: 'Special requests',
      },
    },
    /** The language in itself. */
    name: 'English',
    skip: 'Skip to content',
    navigation: 'Main',
    signOut: 'Sign out',
    manual: 'Manual',
    themes: { label: 'Theme', system: 'System', light: 'Light', dark: 'Dark' },
    teamSettings: 'Team settings',
    sections: {
      inbox: 'Inbox',
      forms: 'Forms',
      mail: 'Mail',
      usage: 'Usage',
      status: 'Status',
      keys: 'API keys',
      team: 'Team',
      account: 'Account',
    },
    /** After the number of failed mails. */
    failedMails: 'failed',
    failure: {
      title: 'Something went wrong',
      notFound: 'Not found',
      back: 'Go to your forms',
      /** Texts by error code. */
      codes: {
        origin_not_allowed: 'This request did not come from this site. Reload the page and try again.',
        body_too_large: 'The form is too large. Shorten it and submit it again.',
        body_too_slow: 'The form was not fully received. Submit it again.',
        invalid_input: 'The address or the input is invalid. Reload the page and try again.',
        not_found: 'This page does not exist, or you do not have access to it.',
        role_forbids: 'Your role in this team does not allow this. Ask an owner of the team to change it.',
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
    common: {
      save: 'Save',
      cancel: 'Cancel',
      delete: 'Delete',
      deleteNow: 'Delete now',
      restore: 'Restore',
      undo: 'Undo',
      sendAgain: 'Send again',
      copy: 'Copy',
      copied: 'Copied',
      older: 'Older',
      newest: 'Newest',
      yes: 'Yes',
      no: 'No',
    },
    /** Asked before an action that needs a recent password check. */
    recentPassword: {
      title: 'Confirm your password',
      text: 'You last entered your password more than ten minutes ago. Enter it again to continue. Your input is kept.',
      button: 'Continue',
    },
    banners: {
      mailsWait: (text: string, count: number) =>
        `The mail server fails. ${text} ${count === 1 ? 'email waits and is' : 'emails wait and are'} tried again.`,
      mailsFailed: (text: string, count: number) =>
        `${text} ${count === 1 ? 'email was' : 'emails were'} not delivered. Send again or dismiss.`,
      webhooksFail: (text: string, count: number) => `${text} ${count === 1 ? 'webhook is' : 'webhooks are'} failing.`,
      toMail: 'See mail',
      toStatus: 'See status',
    },
    roles: { owner: 'Owner', editor: 'Editor', viewer: 'Viewer' },
  },
  de: {
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
      invalid_daily_limit: (limit) => `Geben Sie eine ganze Zahl von 0 bis ${formatNumber('de', limit)} ein.`,
      invalid_watch_page: () =>
        'Geben Sie eine Adresse ein, die mit https:// beginnt, zum Beispiel https://example.com/kontakt.',
      invalid_max_submissions: (limit) => `Geben Sie eine ganze Zahl von 1 bis ${formatNumber('de', limit)} ein.`,
      too_many_entries: (limit) => `Zu viele Einträge. Erlaubt sind höchstens ${limit}.`,
      text_too_long: (limit) => `Der Text ist zu lang. Erlaubt sind höchstens ${formatNumber('de', limit)} Zeichen.`,
      several_lines: () => 'Geben Sie nur eine Zeile ein.',
      invalid_redirect_url: () => 'Geben Sie eine vollständige Adresse ein, zum Beispiel https://example.com/danke.',
      missing_challenge_secret: () => 'Geben Sie den geheimen Schlüssel Ihres Kontos bei diesem Dienst ein.',
      invalid_verify_url: () =>
        'Geben Sie eine vollständige http- oder https-Adresse ein, zum Beispiel https://cap.example.com/KEY/siteverify.',
      unknown_time_zone: () => 'Unbekannte Zeitzone. Geben Sie einen Namen wie Europe/Berlin oder UTC ein.',
      invalid_retention: (maxDays) => `Geben Sie eine ganze Zahl von 1 bis ${formatNumber('de', maxDays)} ein.`,
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
      workspace_in_use: () => 'In diesem Arbeitsbereich gibt es Formulare. Verschieben oder löschen Sie sie zuerst.',
      last_workspace: () => 'Das ist der einzige Arbeitsbereich des Teams. Legen Sie zuerst einen weiteren an.',
    },
    values: { yes: 'Ja', no: 'Nein', rating: (value, max) => `${value} von ${max}` },
    form: {
      parts: 'Seiten dieses Formulars',
      overview: 'Übersicht',
      submissions: 'Einsendungen',
      settings: 'Einstellungen',
      connect: 'Einbinden',
      webhooks: 'Webhooks',
      export: 'Export',
      paused: 'Pausiert',
      archived: 'Archiviert',
      all: 'Alle Formulare',
    },
    templates: {
      titles: {
        contact: 'Kontakt',
        feedback: 'Feedback',
        application: 'Bewerbung mit Dateien',
        newsletter: 'Newsletter',
        rsvp: 'Einladung (u. A. w. g.)',
        blank: 'Leer',
      },
      blank: 'Keine Felder. Das Formular nimmt an, was Ihre Seite sendet.',
      labels: {
        name: 'Name',
        email: 'E-Mail',
        phone: 'Telefon',
        message: 'Nachricht',
        rating: 'Bewertung',
        opinion: 'Was meinen Sie?',
        documents: 'Unterlagen',
        consent: 'Ich möchte den Newsletter erhalten',
        attending: 'Nehmen Sie teil?',
        accept: 'Ja, ich komme',
        decline: 'Leider nein',
        guests: 'Anzahl der Gäste',
        wishes: 'Wünsche',
      },
    },
    name: 'Deutsch',
    skip: 'Zum Inhalt springen',
    navigation: 'Hauptmenü',
    signOut: 'Abmelden',
    manual: 'Handbuch',
    themes: { label: 'Design', system: 'System', light: 'Hell', dark: 'Dunkel' },
    teamSettings: 'Team verwalten',
    sections: {
      inbox: 'Eingang',
      forms: 'Formulare',
      mail: 'E-Mail',
      usage: 'Verbrauch',
      status: 'Zustand',
      keys: 'API-Keys',
      team: 'Team',
      account: 'Konto',
    },
    failedMails: 'fehlgeschlagen',
    failure: {
      title: 'Etwas ist schiefgegangen',
      notFound: 'Nicht gefunden',
      back: 'Zu Ihren Formularen',
      codes: {
        origin_not_allowed:
          'Diese Anfrage kam nicht von dieser Website. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
        body_too_large: 'Das Formular ist zu groß. Kürzen Sie es und senden Sie es noch einmal.',
        body_too_slow: 'Das Formular ist nicht vollständig angekommen. Senden Sie es noch einmal.',
        invalid_input:
          'Die Adresse oder die Eingabe ist ungültig. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
        not_found: 'Diese Seite gibt es nicht, oder Sie haben keinen Zugriff darauf.',
        role_forbids: 'Ihre Rolle in diesem Team erlaubt das nicht. Bitten Sie die Leitung des Teams um eine andere.',
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
      noTeam: 'Ihr Konto gehört zu keinem Team. Bitten Sie die Leitung eines Teams um eine Einladung.',
    },
    common: {
      save: 'Speichern',
      cancel: 'Abbrechen',
      delete: 'Löschen',
      deleteNow: 'Jetzt löschen',
      restore: 'Wiederherstellen',
      undo: 'Rückgängig',
      sendAgain: 'Erneut senden',
      copy: 'Kopieren',
      copied: 'Kopiert',
      older: 'Ältere',
      newest: 'Neueste',
      yes: 'Ja',
      no: 'Nein',
    },
    recentPassword: {
      title: 'Passwort bestätigen',
      text: 'Sie haben Ihr Passwort zuletzt vor mehr als zehn Minuten eingegeben. Geben Sie es noch einmal ein, um fortzufahren. Ihre Eingaben bleiben erhalten.',
      button: 'Weiter',
    },
    banners: {
      mailsWait: (text, count) =>
        `Der Mailserver ist gestört. ${text} ${count === 1 ? 'E-Mail wartet' : 'E-Mails warten'} auf den nächsten Versuch.`,
      mailsFailed: (text, count) =>
        `${text} ${count === 1 ? 'E-Mail wurde' : 'E-Mails wurden'} nicht zugestellt. Senden Sie sie erneut oder verwerfen Sie sie.`,
      webhooksFail: (text, count) => `${text} ${count === 1 ? 'Webhook schlägt' : 'Webhooks schlagen'} fehl.`,
      toMail: 'E-Mails ansehen',
      toStatus: 'Zustand ansehen',
    },
    roles: { owner: 'Leitung', editor: 'Bearbeitung', viewer: 'Ansicht' },
  },
});

export type Texts = (typeof TEXTS)['en'];

/** The texts that several features share. */
export const CATALOG = createCatalog<Language, Texts>('en', TEXTS);
