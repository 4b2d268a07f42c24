import type { SettingName } from '../../../domain/forms/form-settings.ts';
import { NOTIFICATIONS_PER_HOUR } from '../../../domain/mail/mail.ts';
import { type Pair, pairs } from '../../../lib/pairs.ts';
import { catalog } from '../../ui/catalog.ts';

/** Hints below the inputs of settings. */
export type SettingHints = Readonly<Partial<Record<SettingName, string>>>;

/** Texts of the values of choices; `none` for null. */
export type SettingChoices = Readonly<Partial<Record<SettingName, Readonly<Record<string, string>>>>>;

const inDays = (days: number): string => (days === 1 ? 'one day' : `${days} days`);

const germanDays = (days: number): string => (days === 1 ? 'ein Tag' : `${days} Tage`);

/** Settings that only some types of fields have. */
export const FIELD_TYPES_TEXTS = pairs({
  options: ['Options', 'Auswahlmöglichkeiten'],
  optionsHint: ['One per line.', 'Eine pro Zeile.'],
  max: ['Highest rating', 'Höchste Bewertung'],
});

/** Languages of visitors, each in its own words. */
const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  ja: '日本語',
  zh: '中文',
};

const SETTINGS_WORDS = pairs({
  saved: ['Settings saved.', 'Einstellungen gespeichert.'],
  pages: ['Settings of this form', 'Einstellungen dieses Formulars'],
  manual: ['More in the manual', 'Mehr im Handbuch'],
  titles: {
    general: ['General', 'Allgemein'],
    fields: ['Fields', 'Felder'],
    after: ['After submit', 'Nach dem Absenden'],
    appearance: ['Page and look', 'Seite und Aussehen'],
    access: ['Access', 'Zugriff'],
    spam: ['Spam protection', 'Spamschutz'],
    mail: ['Notifications', 'Benachrichtigungen'],
    reply: ['Auto-reply', 'Automatische Antwort'],
    data: ['Data', 'Daten'],
    danger: ['Danger zone', 'Gefahrenzone'],
  },
  unsaved: ['Unsaved changes', 'Nicht gespeicherte Änderungen'],
  discard: ['Discard', 'Verwerfen'],
  name: ['Name', 'Name'],
  isActive: ['Accept submissions', 'Einsendungen annehmen'],
  label: ['Label', 'Beschriftung'],
  fieldName: ['Field name', 'Feldname'],
  type: ['Type', 'Typ'],
  required: ['Required', 'Pflichtfeld'],
  moreRules: ['More rules', 'Weitere Regeln'],
  maxLength: ['Maximum length (characters)', 'Maximale Länge (Zeichen)'],
  pattern: ['Pattern', 'Muster'],
  up: ['Move up', 'Nach oben'],
  down: ['Move down', 'Nach unten'],
  remove: ['Remove', 'Entfernen'],
  addField: ['Add field', 'Feld hinzufügen'],
  addHeading: ['Add heading', 'Überschrift hinzufügen'],
  insertField: ['Insert field here', 'Feld hier einfügen'],
  heading: ['Heading', 'Überschrift'],
  help: ['Help text', 'Hilfetext'],
  placeholder: ['Placeholder', 'Platzhalter'],
  livePreview: ['Preview', 'Vorschau'],
  notPublic: ['Only you see this: the hosted page is off.', 'Nur für Sie sichtbar: Die gehostete Seite ist aus.'],
  desktop: ['Desktop', 'Computer'],
  phone: ['Phone', 'Handy'],
  pickColor: ['Pick an accent color', 'Akzentfarbe wählen'],
  accentFits: ['Easy to read on light and dark pages.', 'Auf hellen und dunklen Seiten gut lesbar.'],
  logo: ['Logo', 'Logo'],
  logoCurrent: ['Current logo', 'Aktuelles Logo'],
  logoChosen: ['Chosen logo, not saved yet', 'Gewähltes Logo, noch nicht gespeichert'],
  removeLogo: ['Remove logo', 'Logo entfernen'],
  hostedAddress: ['Address', 'Adresse'],
  challenge: ['Captcha', 'Captcha'],
  challengeSecret: ['Secret', 'Geheimer Schlüssel'],
  challengeVerifyUrl: ['Verify URL', 'Prüf-URL'],
  recipient: ['Recipient', 'Empfänger'],
  placeholders: ['Insert a value:', 'Wert einfügen:'],
  /** Labels of the inputs, and names in the audit log. */
  names: {
    publicName: ['Public name', 'Öffentlicher Name'],
    accentColor: ['Accent color', 'Akzentfarbe'],
    hasHostedPage: ['Hosted page', 'Gehostete Seite'],
    redirectUrl: ['Redirect URL', 'Weiterleitungs-URL'],
    thanksTitle: ['Title of the thank-you page', 'Titel der Dankesseite'],
    successMessage: ['Message after submitting', 'Nachricht nach dem Absenden'],
    language: ['Language', 'Sprache'],
    intro: ['Intro', 'Einleitung'],
    buttonLabel: ['Button label', 'Text der Schaltfläche'],
    enforcesRules: [
      'Reject submissions that don’t match these fields',
      'Einsendungen ablehnen, die nicht zu diesen Feldern passen',
    ],
    allowedOrigins: ['Allowed websites', 'Erlaubte Websites'],
    acceptsFiles: ['Accept files', 'Dateien annehmen'],
    allowedFileTypes: ['Allowed file types', 'Erlaubte Dateitypen'],
    opensAt: ['Opens at', 'Öffnet am'],
    closesAt: ['Closes at', 'Schließt am'],
    maxSubmissions: ['Maximum number of submissions', 'Höchstzahl an Einsendungen'],
    oncePerAddress: ['Accept each email address once', 'Jede E-Mail-Adresse nur einmal annehmen'],
    confirmAddress: ['Ask visitors to confirm their email address', 'Besucher ihre E-Mail-Adresse bestätigen lassen'],
    closedMessage: ['Message while closed', 'Hinweis bei geschlossenem Formular'],
    maybeSpamAction: ['Suspected spam', 'Spam-Verdacht'],
    blockedWords: ['Blocked words', 'Gesperrte Wörter'],
    watchPage: ['Page to watch', 'Überwachte Seite'],
    silenceAlarm: ['Tell the owners when submissions stop', 'Inhaber benachrichtigen, wenn Einsendungen ausbleiben'],
    notify: ['Recipients', 'Empfänger'],
    digest: ['Frequency', 'Häufigkeit'],
    timeZone: ['Time zone', 'Zeitzone'],
    senderName: ['Sender name', 'Name des Absenders'],
    replyTo: ['Reply-to address', 'Antwortadresse'],
    attachFiles: ['Attach files', 'Dateien anhängen'],
    threadMails: [
      'Group this form’s emails into one conversation',
      'E-Mails dieses Formulars zu einer Unterhaltung zusammenfassen',
    ],
    autoReplySubject: ['Subject of the reply', 'Betreff der Antwort'],
    autoReplyText: ['Text of the reply', 'Text der Antwort'],
    autoReplyDailyLimit: ['Most replies in 24 hours', 'Höchstzahl an Antworten in 24 Stunden'],
    retentionDays: ['Days until submissions are deleted', 'Tage, bis Einsendungen gelöscht werden'],
    consentText: ['Consent text', 'Einwilligungstext'],
    keepsSource: ['Keep source page and browser', 'Herkunftsseite und Browser speichern'],
  } satisfies Readonly<Record<SettingName, Pair>>,
});

export const SETTINGS_TEXTS = catalog({
  en: {
    ...SETTINGS_WORDS.en,
    notSaved: 'Not saved. Correct the marked fields and save again.',
    hints: {
      publicName: 'Shown to visitors on this form’s pages and in its emails.',
      accentColor: 'For buttons and links.',
      hasHostedPage: 'A page with this form’s fields, at an address you can share. No website needed.',
      redirectUrl: 'Leave empty to show the thank-you page below.',
      language: 'The language of pages, error messages and emails that visitors get.',
      intro: 'Shown below the title of the hosted page.',
      enforcesRules: 'Off: only the visitor’s browser checks these rules.',
      allowedOrigins: 'One per line. Leave empty to allow all.',
      allowedFileTypes: 'One per line, such as image/* for all images. Leave empty to allow all.',
      opensAt: 'Leave empty to open at once.',
      maxSubmissions: 'Spam and trash don’t count. Leave empty for no limit.',
      oncePerAddress: 'Compares the field “email” with earlier submissions.',
      confirmAddress: 'A submission counts once its visitor has opened a link in an email.',
      consentText: 'Shown beside fields of the type “Consent” and stored with each submission.',
      closedMessage: 'Shown while the form takes no submissions.',
      maybeSpamAction: 'Obvious spam is always held back.',
      blockedWords: 'One per line. Submissions that contain one are marked as spam.',
      watchPage: 'Fetched once a day. Owners get an email if the form is missing twice.',
      silenceAlarm: 'For forms with at least five submissions a week.',
      notify: 'One address each.',
      digest: `After ${NOTIFICATIONS_PER_HOUR} submissions in an hour, the rest come in one email.`,
      timeZone: 'For summaries and the form’s opening times.',
      senderName: 'Shown in emails and above the hosted page.',
      replyTo: 'Visitors’ replies to this form’s emails go to this address.',
      autoReplyText: 'Sent to the address in the field “email”, once a day. Leave empty for no reply.',
      autoReplyDailyLimit: 'If it is reached, this form’s recipients get an email.',
      keepsSource: 'The page that a submission came from and the visitor’s browser, stored encrypted.',
    } satisfies SettingHints,
    choices: {
      language: { visitor: 'The visitor’s language', ...LANGUAGES },
      maybeSpamAction: {
        deliver: 'Careful: Delivered at once, marked “Suspected spam”.',
        challenge: 'Normal: The visitor’s browser first has to pass a check that most bots fail.',
        hold: 'Strict: Waits in the inbox; no email until someone chooses “Not spam”.',
      },
      digest: {
        none: 'Immediately, one email per submission',
        hourly: 'Hourly, all in one email',
        daily: 'Daily, all in one email',
      },
    } satisfies SettingChoices,

    isActiveHint: 'When off, visitors see that the form is paused.',

    field: (number: number) => `Field ${number}`,
    patternHint: 'A regular expression (RE2) that must match the whole value.',
    noFields: 'No fields yet. Until you add some, the form accepts any field.',

    accentTooPale: (color: string) => `On light pages, links are ${color}.`,
    accentTooDark: (color: string) => `On dark pages, links are ${color}.`,
    logoHint: (maxKib: number) => `A PNG, JPEG or WebP image of at most ${maxKib} KB.`,
    logoTooLarge: (maxKib: number) => `Choose an image of at most ${maxKib} KB.`,
    hostedProblems: {
      fields: 'The hosted page shows the fields of this form, and there are none yet. Add some under “Fields”.',
      challenge: 'The hosted page works only with ALTCHA or without a challenge. Change it under “Spam protection”.',
    },

    challenges: { none: 'None', altcha: 'ALTCHA (built in, no account)', custom: 'Other service with siteverify' },
    challengeHint: 'The widget must be on your page too: see “Connect”.',
    secretHeld: 'The secret you entered is kept. Leave empty to use it.',
    secretHint: 'From your account with the service. It is stored encrypted and never shown again.',
    secretSet: 'A secret is set. Leave empty to keep it for this service.',
    challengeVerifyUrlHint: 'Such as https://cap.example.com/KEY/siteverify.',

    /** The check before a challenge is turned on. */
    check: {
      title: 'Not turned on yet',
      text: 'Once the challenge is on, the form refuses submissions from pages without the widget.',
      ready: (page: string) => `${page} loads the widget.`,
      no_widget: (page: string) => `${page} does not load the widget yet: submissions from it would be refused.`,
      no_form: (page: string) =>
        `${page} does not contain this form. If a script adds the form, check the page yourself.`,
      unreachable: (page: string) => `Could not open ${page}.`,
      nothing: 'Enter the address of the page with your form to check it.',
      tooMany: 'Too many checks. Try again in an hour.',
      page: 'Page with the form',
      again: 'Check page',
      anyway: 'Turn on anyway',
      snippet: 'Get the snippet with the widget',
    },

    noMail:
      'This instance can’t send mail yet: it needs a mail server. Your settings apply once it is set up under “Mail”.',
    notifyWhenHint: 'A recipient gets only submissions that meet all of their conditions.',

    preview: {
      title: 'Preview',
      text: 'With the saved settings and sample values.',
      noReply: 'No auto-reply yet',
      noReplyText: 'Write a text, and visitors get it by email right after they submit.',
      redirected: 'Visitors are redirected and do not see the thank-you page.',
      open: 'Open',
      subject: 'Subject',
      replyTo: 'Reply-To',
      send: 'Send me a test',
      sendsTo: (address: string) => `Sends exactly this email to ${address}.`,
      sent: 'Test email sent.',
    },

    danger: {
      pause: 'Pause',
      resume: 'Resume',
      pauseTitle: 'Pause this form',
      resumeTitle: 'Resume this form',
      pauseText: 'The form refuses submissions until you resume it. Everything else stays.',
      resumeText: 'The form accepts submissions again.',
      paused: 'Form paused.',
      resumed: 'Form resumed.',
      archiveTitle: 'Archive this form',
      archiveText: 'The form stops accepting submissions and disappears from lists. Its submissions stay.',
      archive: 'Archive',
      unarchiveTitle: 'Restore from the archive',
      unarchiveText: 'The form appears in lists again.',
      unarchive: 'Restore',
      duplicateTitle: 'Duplicate this form',
      duplicateText: 'Creates a form with the same settings, without submissions.',
      duplicate: 'Duplicate',
      moveTitle: 'Move to another workspace',
      moveText: 'Submissions and addresses stay the same.',
      moveNowhere: 'There is no other workspace. Create one on the page “Forms”.',
      workspace: 'Workspace',
      move: 'Move',
      deleteTitle: 'Delete this form',
      deleteText: 'Moves the form and its submissions to the trash for 30 days. Its address stops working at once.',
      delete: 'Delete form',
    },

    /** Errors of the fields' editor. */
    errors: {
      name: 'Enter a name of 1 to 256 characters.',
      fieldNameTwice: 'Another field already has this name.',
      fieldTooMany: 'A form can have at most 1,000 fields.',
      fieldsExceeded: {
        options: 'All fields together can have at most 2,000 options. Remove some.',
        kib: 'The fields take more than 64 KiB. Remove some, or shorten labels and options.',
        patternInstructions: 'The patterns are too long together. Remove or shorten some.',
      },
      headingAlone: 'Put a field below this heading.',
      label: 'The label is too long. Use at most 256 characters.',
      help: 'The help text is too long. Use at most 500 characters.',
      placeholder: 'The placeholder is too long. Use at most 200 characters.',
      type: 'Unknown type. Choose another one.',
      max_length: 'Enter a whole number from 1 to 262,144.',
      pattern:
        'Invalid pattern. Use RE2 syntax of at most 500 characters, without lookaround and backreferences, and with short repetitions.',
      options: 'Enter 1 to 200 different options, one per line, each with at most 256 characters.',
      max: 'Choose a highest rating from 2 to 10.',
    },
  },
  de: {
    ...SETTINGS_WORDS.de,
    notSaved: 'Nicht gespeichert. Korrigieren Sie die markierten Felder und speichern Sie erneut.',
    hints: {
      publicName: 'Besucher sehen ihn auf den Seiten und in den E-Mails dieses Formulars.',
      accentColor: 'Für Schaltflächen und Links.',
      hasHostedPage: 'Eine Seite mit den Feldern dieses Formulars. Sie brauchen dafür keine Website.',
      redirectUrl: 'Ohne Adresse sehen Besucher die eingebaute Dankesseite.',
      language: 'Für Seiten, Fehlermeldungen und E-Mails an Besucher.',
      intro: 'Steht auf der gehosteten Seite unter dem Titel.',
      enforcesRules: 'Aus: Nur der Browser des Besuchers prüft diese Regeln.',
      allowedOrigins: 'Eine pro Zeile. Leer lassen, um alle zu erlauben.',
      allowedFileTypes: 'Einer pro Zeile, etwa image/* für alle Bilder. Leer lassen, um alle zu erlauben.',
      opensAt: 'Leer lassen, um sofort zu öffnen.',
      maxSubmissions: 'Spam und Papierkorb zählen nicht. Leer lassen, um beliebig viele anzunehmen.',
      oncePerAddress: 'Vergleicht das Feld „email“ mit früheren Einsendungen.',
      confirmAddress: 'Die Einsendung zählt erst, wenn der Link in einer E-Mail geöffnet wurde.',
      consentText: 'Steht neben Feldern vom Typ „Einwilligung“ und wird mit jeder Einsendung gespeichert.',
      closedMessage: 'Solange das Formular nichts annimmt.',
      maybeSpamAction: 'Eindeutiger Spam wird immer zurückgehalten.',
      blockedWords: 'Eines pro Zeile. Einsendungen, die eines enthalten, gelten als Spam.',
      watchPage: 'Wird einmal am Tag abgerufen. Fehlt das Formular zweimal, bekommen die Inhaber eine E-Mail.',
      silenceAlarm: 'Für Formulare mit mindestens fünf Einsendungen pro Woche.',
      notify: 'Je eine Adresse.',
      digest: `Ab ${NOTIFICATIONS_PER_HOUR} Einsendungen in einer Stunde kommt der Rest gesammelt.`,
      timeZone: 'Für Sammelmails und die Öffnungszeiten des Formulars.',
      senderName: 'Steht in E-Mails und über der gehosteten Seite.',
      replyTo: 'An diese Adresse schreiben Besucher, die auf eine E-Mail dieses Formulars antworten.',
      autoReplyText: 'Geht an die Adresse im Feld „email“, einmal am Tag. Ohne Text wird nichts gesendet.',
      autoReplyDailyLimit: 'Ist sie erreicht, bekommen die Empfänger des Formulars eine E-Mail.',
      keepsSource: 'Die Seite, von der eine Einsendung kam, und der Browser des Besuchers, verschlüsselt gespeichert.',
    },
    choices: {
      language: { visitor: 'Sprache des Besuchers', ...LANGUAGES },
      maybeSpamAction: {
        deliver: 'Vorsichtig: Sofort zugestellt, mit dem Vermerk „Spam-Verdacht“.',
        challenge:
          'Normal: Der Browser des Besuchers muss erst eine Prüfung bestehen, an der die meisten Bots scheitern.',
        hold: 'Streng: Wartet im Posteingang; keine E-Mail, bis jemand „Kein Spam“ wählt.',
      },
      digest: {
        none: 'Sofort, eine E-Mail pro Einsendung',
        hourly: 'Stündlich, alle in einer E-Mail',
        daily: 'Täglich, alle in einer E-Mail',
      },
    },

    isActiveHint: 'Sonst sehen Besucher, dass das Formular pausiert ist.',

    field: (number: number) => `Feld ${number}`,
    patternHint: 'Ein regulärer Ausdruck (RE2), dem der ganze Wert entsprechen muss.',
    noFields: 'Noch keine Felder. Solange Sie keine hinzufügen, nimmt das Formular alle Felder an.',

    accentTooPale: (color) => `Auf hellen Seiten sind Links ${color}.`,
    accentTooDark: (color) => `Auf dunklen Seiten sind Links ${color}.`,
    logoHint: (maxKib) => `Ein Bild im Format PNG, JPEG oder WebP mit höchstens ${maxKib} KB.`,
    logoTooLarge: (maxKib) => `Wählen Sie ein Bild mit höchstens ${maxKib} KB.`,
    hostedProblems: {
      fields:
        'Die gehostete Seite zeigt die Felder dieses Formulars, und es gibt noch keine. Legen Sie unter „Felder“ welche an.',
      challenge: 'Die gehostete Seite geht nur mit ALTCHA oder ohne Prüfung. Ändern Sie das unter „Spamschutz“.',
    },

    challenges: { none: 'Keine', altcha: 'ALTCHA (eingebaut, ohne Konto)', custom: 'Anderer Dienst mit Siteverify' },
    challengeHint: 'Das Widget muss auch auf Ihrer Seite stehen: siehe „Einbinden“.',
    secretHeld: 'Der eingegebene Schlüssel ist gemerkt. Leer lassen, um ihn zu verwenden.',
    secretHint: 'Aus Ihrem Konto beim Dienst. Er wird verschlüsselt gespeichert und nie wieder angezeigt.',
    secretSet: 'Ein Schlüssel ist hinterlegt. Leer lassen, um ihn für diesen Dienst zu behalten.',
    challengeVerifyUrlHint: 'Zum Beispiel https://cap.example.com/KEY/siteverify.',

    check: {
      title: 'Noch nicht eingeschaltet',
      text: 'Mit der Prüfung lehnt das Formular Einsendungen von Seiten ohne das Widget ab.',
      ready: (page) => `${page} lädt das Widget.`,
      no_widget: (page) => `${page} lädt das Widget noch nicht: Einsendungen von dort würden abgelehnt.`,
      no_form: (page) =>
        `${page} enthält dieses Formular nicht. Wenn ein Skript es einfügt, prüfen Sie die Seite selbst.`,
      unreachable: (page) => `${page} ließ sich nicht öffnen.`,
      nothing: 'Geben Sie die Adresse der Seite mit Ihrem Formular ein, um sie zu prüfen.',
      tooMany: 'Zu viele Prüfungen. Versuchen Sie es in einer Stunde erneut.',
      page: 'Seite mit dem Formular',
      again: 'Seite prüfen',
      anyway: 'Trotzdem einschalten',
      snippet: 'Zum Code mit dem Widget',
    },

    noMail:
      'Diese Instanz kann noch keine E-Mails senden: Sie braucht einen Mailserver. Ihre Einstellungen gelten, sobald er unter „E-Mail“ eingerichtet ist.',
    notifyWhenHint: 'Ein Empfänger erhält nur Einsendungen, die alle seine Bedingungen erfüllen.',

    preview: {
      title: 'Vorschau',
      text: 'Mit den gespeicherten Einstellungen und Beispielwerten.',
      noReply: 'Noch keine automatische Antwort',
      noReplyText: 'Schreiben Sie einen Text: Besucher erhalten ihn per E-Mail, sobald sie abgesendet haben.',
      redirected: 'Besucher werden weitergeleitet und sehen die Dankesseite nicht.',
      open: 'Öffnen',
      subject: 'Betreff',
      replyTo: 'Antwort an',
      send: 'Test an mich senden',
      sendsTo: (address) => `Sendet genau diese E-Mail an ${address}.`,
      sent: 'Test-E-Mail gesendet.',
    },

    danger: {
      pause: 'Pausieren',
      resume: 'Fortsetzen',
      pauseTitle: 'Formular pausieren',
      resumeTitle: 'Formular fortsetzen',
      pauseText: 'Das Formular lehnt Einsendungen ab, bis Sie es fortsetzen. Alles andere bleibt.',
      resumeText: 'Das Formular nimmt wieder Einsendungen an.',
      paused: 'Formular pausiert.',
      resumed: 'Formular fortgesetzt.',
      archiveTitle: 'Formular archivieren',
      archiveText: 'Das Formular nimmt nichts mehr an und verschwindet aus den Listen. Seine Einsendungen bleiben.',
      archive: 'Archivieren',
      unarchiveTitle: 'Aus dem Archiv zurückholen',
      unarchiveText: 'Das Formular erscheint wieder in den Listen.',
      unarchive: 'Zurückholen',
      duplicateTitle: 'Formular duplizieren',
      duplicateText: 'Erstellt ein Formular mit denselben Einstellungen, ohne Einsendungen.',
      duplicate: 'Duplizieren',
      moveTitle: 'In einen anderen Arbeitsbereich verschieben',
      moveText: 'Einsendungen und Adressen bleiben gleich.',
      moveNowhere: 'Es gibt keinen anderen Arbeitsbereich. Erstellen Sie einen auf der Seite „Formulare“.',
      workspace: 'Arbeitsbereich',
      move: 'Verschieben',
      deleteTitle: 'Formular löschen',
      deleteText:
        'Verschiebt das Formular und seine Einsendungen für 30 Tage in den Papierkorb. Seine Adresse gilt sofort nicht mehr.',
      delete: 'Formular löschen',
    },

    errors: {
      name: 'Geben Sie einen Namen mit 1 bis 256 Zeichen ein.',
      fieldNameTwice: 'Ein anderes Feld hat diesen Namen bereits.',
      fieldTooMany: 'Ein Formular kann höchstens 1.000 Felder haben.',
      fieldsExceeded: {
        options: 'Alle Felder zusammen können höchstens 2.000 Optionen haben. Entfernen Sie einige.',
        kib: 'Die Felder sind größer als 64 KiB. Entfernen Sie einige, oder kürzen Sie Beschriftungen und Optionen.',
        patternInstructions: 'Die Muster sind zusammen zu lang. Entfernen oder kürzen Sie einige.',
      },
      headingAlone: 'Setzen Sie ein Feld unter diese Überschrift.',
      help: 'Der Hilfetext ist zu lang. Höchstens 500 Zeichen.',
      placeholder: 'Der Platzhalter ist zu lang. Höchstens 200 Zeichen.',
      label: 'Die Beschriftung ist zu lang. Erlaubt sind höchstens 256 Zeichen.',
      type: 'Unbekannter Typ. Wählen Sie einen anderen.',
      max_length: 'Geben Sie eine ganze Zahl von 1 bis 262.144 ein.',
      pattern:
        'Ungültiges Muster. Erlaubt ist RE2-Syntax mit höchstens 500 Zeichen, ohne Lookaround und Rückverweise und mit kurzen Wiederholungen.',
      options: 'Geben Sie 1 bis 200 verschiedene Möglichkeiten ein, eine pro Zeile, jede mit höchstens 256 Zeichen.',
      max: 'Wählen Sie eine höchste Bewertung von 2 bis 10.',
    },
  },
});

export const RETENTION_TEXTS = catalog({
  en: {
    noneYet: 'No submission is that old yet.',
    hint: (days: number | null) =>
      days === null
        ? 'Includes spam. Leave empty to keep submissions until someone deletes them.'
        : `Includes spam. Leave empty for the default of this instance: ${inDays(days)}.`,
    hourly: (days: number) =>
      `Every hour, submissions older than ${inDays(days)} are permanently deleted, with their files and emails.`,
    about: (count: number) => (count === 1 ? 'about one submission' : `about ${count} submissions`),
    moreThan: (count: string) => `more than ${count} submissions`,
    next: (many: string) => `The next run deletes ${many} received before`,
  },
  de: {
    noneYet: 'Noch ist keine Einsendung so alt.',
    hint: (days: number | null) =>
      days === null
        ? 'Auch Spam. Leer lassen, um Einsendungen zu behalten, bis jemand sie löscht.'
        : `Auch Spam. Leer lassen für die Vorgabe dieser Instanz: ${germanDays(days)}.`,
    hourly: (days: number) =>
      `Jede Stunde werden Einsendungen, die älter als ${germanDays(days)} sind, mit ihren Dateien und E-Mails endgültig gelöscht.`,
    about: (count: number) => (count === 1 ? 'etwa eine Einsendung' : `etwa ${count} Einsendungen`),
    moreThan: (count: string) => `mehr als ${count} Einsendungen`,
    next: (many: string) => `Der nächste Lauf löscht ${many}, eingegangen vor dem`,
  },
});
