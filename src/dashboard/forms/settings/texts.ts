import type { SettingName } from '../../../domain/forms/form-settings.ts';
import { NOTIFICATIONS_PER_HOUR } from '../../../domain/mail/mail.ts';
import { catalog } from '../../ui/catalog.ts';

type Names = Readonly<Record<SettingName, Readonly<{ label: string; audit: string }>>>;

/** Hints below the inputs of settings. */
export type SettingHints = Readonly<Partial<Record<SettingName, string>>>;

/** Texts of the values of choices; `none` for null. */
export type SettingChoices = Readonly<Partial<Record<SettingName, Readonly<Record<string, string>>>>>;

function inDays(days: number): string {
  return days === 1 ? 'one day' : `${days} days`;
}

function germanDays(days: number): string {
  return days === 1 ? 'ein Tag' : `${days} Tage`;
}

/** Settings that only some types of fields have. */
export const FIELD_TYPES_TEXTS = catalog({
  en: { options: 'Options', optionsHint: 'One per line.', max: 'Highest rating' },
  de: { options: 'Auswahlmöglichkeiten', optionsHint: 'Eine pro Zeile.', max: 'Höchste Bewertung' },
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

export const SETTINGS_TEXTS = catalog({
  en: {
    saved: 'Settings saved.',
    notSaved: 'Not saved. Correct the marked fields and save again.',
    pages: 'Settings of this form',
    titles: {
      general: 'General',
      fields: 'Fields',
      after: 'After submit',
      appearance: 'Page and look',
      access: 'Access',
      spam: 'Spam protection',
      mail: 'Notifications',
      reply: 'Auto-reply',
      data: 'Data',
      danger: 'Danger zone',
    },
    intros: {
      general: 'The names of the form, and whether it accepts submissions.',
      fields: 'What visitors fill in, in this order.',
      after: 'Redirect visitors to a page of yours, or write your own thank-you page.',
      appearance: 'The pages that visitors see, and a page of its own for this form.',
      access: 'When the form is open, how many submissions it takes, and which pages and files it accepts.',
      spam: 'Spam is always held back. Choose what happens to submissions that only may be spam.',
      mail: 'Emails about new submissions.',
      reply: 'An email to the visitor, at the address in the field “email”: once a day per address.',
      data: 'What this form stores, and for how long.',
      danger: 'Pause, copy, move or delete this form.',
    },
    /** Labels of the inputs, and names in the audit log. */
    names: {
      publicName: { label: 'Public name', audit: 'public name' },
      accentColor: { label: 'Accent color', audit: 'accent color' },
      hasHostedPage: { label: 'Hosted page', audit: 'hosted page' },
      redirectUrl: { label: 'Redirect URL', audit: 'redirect URL' },
      thanksTitle: { label: 'Title of the thank-you page', audit: 'thank-you title' },
      successMessage: { label: 'Message after submitting', audit: 'success message' },
      language: { label: 'Language', audit: 'language' },
      intro: { label: 'Intro', audit: 'intro' },
      buttonLabel: { label: 'Button label', audit: 'button label' },
      enforcesRules: { label: 'Reject submissions that don’t match these fields', audit: 'field rules' },
      allowedOrigins: { label: 'Allowed origins', audit: 'allowed origins' },
      acceptsFiles: { label: 'Accept files', audit: 'acceptance of files' },
      allowedFileTypes: { label: 'Allowed file types', audit: 'allowed file types' },
      opensAt: { label: 'Opens at', audit: 'opening time' },
      closesAt: { label: 'Closes at', audit: 'closing time' },
      maxSubmissions: { label: 'Limit of submissions', audit: 'limit of submissions' },
      oncePerAddress: { label: 'Accept each email address once', audit: 'once per address' },
      confirmAddress: { label: 'Ask visitors to confirm their email address', audit: 'confirmation of addresses' },
      closedMessage: { label: 'Message while paused or closed', audit: 'message while closed' },
      maybeSpamAction: { label: 'Protection', audit: 'suspected spam' },
      blockedWords: { label: 'Blocked words', audit: 'blocked words' },
      watchPage: { label: 'Page to watch', audit: 'watched page' },
      silenceAlarm: { label: 'Tell the owners when submissions stop', audit: 'silence alarm' },
      notify: { label: 'Recipients', audit: 'recipients' },
      digest: { label: 'Frequency', audit: 'digest' },
      timeZone: { label: 'Time zone', audit: 'time zone' },
      senderName: { label: 'Sender name', audit: 'sender name' },
      replyTo: { label: 'Reply-to address', audit: 'reply address' },
      attachFiles: { label: 'Attach files', audit: 'attachments' },
      threadMails: { label: 'Group the emails of this form into one conversation', audit: 'email threads' },
      autoReplySubject: { label: 'Subject', audit: 'auto-reply subject' },
      autoReplyText: { label: 'Text', audit: 'auto-reply text' },
      autoReplyDailyLimit: { label: 'Most replies in 24 hours', audit: 'daily limit of auto-replies' },
      retentionDays: { label: 'Delete submissions after (days)', audit: 'retention' },
      consentText: { label: 'Consent text', audit: 'consent text' },
      keepsSource: { label: 'Keep source page and browser', audit: 'source page and browser' },
    } satisfies Names,
    hints: {
      publicName: 'Shown to visitors on this form’s pages and in its emails.',
      accentColor: 'For buttons and links, such as #0b6655. Leave empty for the default.',
      hasHostedPage: 'A page with this form’s fields, at an address you can share. No website needed.',
      redirectUrl: 'Leave empty to show the built-in thank-you page.',
      thanksTitle: 'Leave empty for a default text in the form’s language.',
      successMessage: 'Leave empty for a default text in the form’s language.',
      language: 'Of visitor pages, error messages and emails to visitors.',
      intro: 'Shown below the title of the hosted page.',
      enforcesRules: 'Off: only the visitor’s browser checks these rules.',
      allowedOrigins: 'One per line, such as https://example.com. Leave empty to allow all.',
      acceptsFiles: 'Applies while the form has no fields under “Fields”. Otherwise only file fields accept files.',
      allowedFileTypes: 'One per line, such as application/pdf or image/*. Leave empty to allow all.',
      opensAt: 'In the time zone of this form’s emails. Leave empty to open at once.',
      maxSubmissions: 'Spam and trash don’t count. Leave empty for no limit.',
      oncePerAddress: 'Compares the field “email” with earlier submissions.',
      confirmAddress:
        'A submission is delivered once its visitor opens a link in an email. Needs the field “email” and a mail server.',
      consentText:
        'Shown beside fields of the type “Consent”. Each submission keeps the text that its visitor agreed to.',
      closedMessage: 'Shown while the form is closed, not open yet, full or paused. Leave empty for a default text.',
      maybeSpamAction:
        'The check needs JavaScript. Submissions with files, and those that passed a captcha, are delivered with the mark instead.',
      blockedWords: 'Words and phrases, one per line. Submissions that contain one are marked as spam.',
      watchPage: 'Fetched once a day. Owners get an email if the form is missing twice.',
      silenceAlarm: 'For forms with at least five submissions a week.',
      notify: 'Email addresses, one per line. Leave empty for no notifications.',
      digest: `After ${NOTIFICATIONS_PER_HOUR} submissions within an hour, the others are combined into one email at the end of the hour.`,
      timeZone: 'For summaries, and for the times when the form opens and closes, such as Europe/Berlin.',
      senderName: 'Shown as the sender of this form’s emails. Leave empty for the name of the visitor or the form.',
      replyTo: 'Visitors’ replies to this form’s emails go to this address.',
      autoReplyText: 'Leave empty for no reply.',
      autoReplyDailyLimit: 'Beyond it no reply is sent, and the recipients of this form are told once a day.',
      keepsSource: 'Stores, encrypted, the page that each submission came from and the visitor’s browser.',
    } satisfies SettingHints,
    choices: {
      language: { visitor: 'The visitor’s', ...LANGUAGES },
      maybeSpamAction: {
        deliver: 'Careful: delivered at once, with the mark “Suspected spam”.',
        challenge: 'Normal: the visitor’s browser first has to pass a check that most bots fail.',
        hold: 'Strict: kept in the inbox, and nobody is notified until somebody marks them as not spam.',
      },
      digest: {
        none: 'Immediately, one email per submission',
        hourly: 'Hourly, all in one email',
        daily: 'Daily, all in one email',
      },
    } satisfies SettingChoices,

    unsaved: 'Unsaved changes',
    discard: 'Discard',
    name: 'Name',
    isActive: 'Accept submissions',
    isActiveHint: 'If off, the form is paused and visitors see a message that says so.',

    field: (number: number) => `Field ${number}`,
    label: 'Label',
    fieldName: 'Field name',
    type: 'Type',
    required: 'Required',
    moreRules: 'More rules',
    maxLength: 'Maximum length (characters)',
    pattern: 'Pattern',
    patternHint: 'A regular expression (RE2) that must match the whole value.',
    up: 'Move up',
    down: 'Move down',
    remove: 'Remove',
    addField: 'Add field',
    addHeading: 'Add heading',
    insertField: 'Insert field here',
    heading: 'Heading',
    help: 'Help text',
    placeholder: 'Placeholder',
    livePreview: 'Preview',
    desktop: 'Desktop',
    phone: 'Phone',
    noFields: 'No fields yet. Until you add some, the form accepts any field.',

    pickColor: 'Pick an accent color',
    accentFits: 'Easy to read on light and dark pages.',
    accentTooPale: (color: string) => `Too pale for links on a light page, so these are ${color}.`,
    accentTooDark: (color: string) => `Too dark for links on a dark page, so these are ${color}.`,
    logo: 'Logo',
    logoHint: (maxKib: number) => `A PNG, JPEG or WebP image of at most ${maxKib} KiB.`,
    logoTooLarge: (maxKib: number) => `Choose an image of at most ${maxKib} KiB.`,
    logoCurrent: 'Current logo',
    logoChosen: 'Chosen logo, not saved yet',
    removeLogo: 'Remove logo',
    hostedAddress: 'Address',
    hostedProblems: {
      fields: 'The hosted page shows the fields of this form, and there are none yet. Add some under “Fields”.',
      challenge: 'The hosted page works only with ALTCHA or without a challenge. Change it under “Spam protection”.',
    },

    challenge: 'Captcha',
    challenges: { none: 'None', altcha: 'ALTCHA (built in, no account)', custom: 'Other service with siteverify' },
    challengeHint: 'The widget must be on your page too: see “Connect”.',
    challengeSecret: 'Secret',
    secretHeld: 'The secret you entered is kept. Leave empty to use it.',
    secretHint: 'From your account with the service. It is stored encrypted and never shown again.',
    secretSet: 'A secret is set. Leave empty to keep it. Another service or verify URL needs the secret again.',
    challengeVerifyUrl: 'Verify URL',
    challengeVerifyUrlHint:
      'For Cap and other services, such as https://cap.example.com/KEY/siteverify. The server administrator must allow private addresses.',

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
      'This instance can’t send mail yet: it needs SMTP_URL and MAIL_FROM. Your settings apply once they are set.',
    recipient: 'Recipient',
    notifyWhenHint:
      'A recipient with conditions gets only submissions that meet all of them. A submission that would reach nobody goes to all recipients. To remove a condition, empty its row. For “is one of”, enter one value per line.',

    placeholders: 'Placeholders for submitted values:',

    preview: {
      title: 'Preview',
      text: 'With the saved settings and sample values.',
      thanks: 'Open thank-you page',
      redirected: 'Visitors are redirected and do not see the thank-you page.',
      mail: 'Open preview',
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
      archiveText: 'The form accepts nothing and disappears from lists. Its submissions stay.',
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
    saved: 'Einstellungen gespeichert.',
    notSaved: 'Nicht gespeichert. Korrigieren Sie die markierten Felder und speichern Sie erneut.',
    pages: 'Einstellungen dieses Formulars',
    titles: {
      general: 'Allgemein',
      fields: 'Felder',
      after: 'Nach dem Absenden',
      appearance: 'Seite und Aussehen',
      access: 'Zugriff',
      spam: 'Spamschutz',
      mail: 'Benachrichtigungen',
      reply: 'Automatische Antwort',
      data: 'Daten',
      danger: 'Gefahrenzone',
    },
    intros: {
      general: 'Die Namen des Formulars und ob es Einsendungen annimmt.',
      fields: 'Was Besucher ausfüllen, in dieser Reihenfolge.',
      after: 'Leiten Sie Besucher auf eine eigene Seite weiter oder schreiben Sie Ihre eigene Dankesseite.',
      appearance: 'Die Seiten, die Besucher sehen, und eine eigene Seite für dieses Formular.',
      access: 'Wann das Formular geöffnet ist, wie viele Einsendungen es annimmt und von welchen Seiten.',
      spam: 'Spam wird immer zurückgehalten. Wählen Sie, was mit Einsendungen geschieht, die nur Spam sein könnten.',
      mail: 'E-Mails über neue Einsendungen.',
      reply: 'Eine E-Mail an den Besucher, an die Adresse im Feld „email“: einmal am Tag pro Adresse.',
      data: 'Was dieses Formular speichert und wie lange.',
      danger: 'Dieses Formular pausieren, kopieren, verschieben oder löschen.',
    },
    names: {
      publicName: { label: 'Öffentlicher Name', audit: 'öffentlicher Name' },
      accentColor: { label: 'Akzentfarbe', audit: 'Akzentfarbe' },
      hasHostedPage: { label: 'Gehostete Seite', audit: 'gehostete Seite' },
      redirectUrl: { label: 'Weiterleitungs-URL', audit: 'Weiterleitung' },
      thanksTitle: { label: 'Titel der Dankesseite', audit: 'Titel der Dankeseite' },
      successMessage: { label: 'Nachricht nach dem Absenden', audit: 'Erfolgsmeldung' },
      language: { label: 'Sprache', audit: 'Sprache' },
      intro: { label: 'Einleitung', audit: 'Einleitung' },
      buttonLabel: { label: 'Text der Schaltfläche', audit: 'Text der Schaltfläche' },
      enforcesRules: { label: 'Einsendungen ablehnen, die nicht zu diesen Feldern passen', audit: 'Regeln der Felder' },
      allowedOrigins: { label: 'Erlaubte Websites', audit: 'erlaubte Seiten' },
      acceptsFiles: { label: 'Dateien annehmen', audit: 'Annahme von Dateien' },
      allowedFileTypes: { label: 'Erlaubte Dateitypen', audit: 'erlaubte Dateitypen' },
      opensAt: { label: 'Öffnet am', audit: 'Öffnung' },
      closesAt: { label: 'Schließt am', audit: 'Schließung' },
      maxSubmissions: { label: 'Höchstzahl an Einsendungen', audit: 'Höchstzahl an Einsendungen' },
      oncePerAddress: { label: 'Jede E-Mail-Adresse nur einmal annehmen', audit: 'einmal pro Adresse' },
      confirmAddress: { label: 'Besucher ihre E-Mail-Adresse bestätigen lassen', audit: 'Bestätigung von Adressen' },
      closedMessage: { label: 'Hinweis bei geschlossenem Formular', audit: 'Hinweis bei geschlossenem Formular' },
      maybeSpamAction: { label: 'Schutz', audit: 'Spam-Verdacht' },
      blockedWords: { label: 'Gesperrte Wörter', audit: 'gesperrte Wörter' },
      watchPage: { label: 'Überwachte Seite', audit: 'überwachte Seite' },
      silenceAlarm: { label: 'Inhaber benachrichtigen, wenn Einsendungen ausbleiben', audit: 'Alarm bei Stille' },
      notify: { label: 'Empfänger', audit: 'Empfänger' },
      digest: { label: 'Häufigkeit', audit: 'Sammelmail' },
      timeZone: { label: 'Zeitzone', audit: 'Zeitzone' },
      senderName: { label: 'Name des Absenders', audit: 'Absendername' },
      replyTo: { label: 'Antwortadresse', audit: 'Antwortadresse' },
      attachFiles: { label: 'Dateien anhängen', audit: 'Anhänge' },
      threadMails: { label: 'E-Mails dieses Formulars zu einer Unterhaltung zusammenfassen', audit: 'E-Mail-Verläufe' },
      autoReplySubject: { label: 'Betreff', audit: 'Betreff der automatischen Antwort' },
      autoReplyText: { label: 'Text', audit: 'Text der automatischen Antwort' },
      autoReplyDailyLimit: { label: 'Höchstens Antworten in 24 Stunden', audit: 'Tagesgrenze der Antworten' },
      retentionDays: { label: 'Einsendungen löschen nach (Tage)', audit: 'Aufbewahrung' },
      consentText: { label: 'Einwilligungstext', audit: 'Einwilligungstext' },
      keepsSource: { label: 'Herkunftsseite und Browser speichern', audit: 'Herkunftsseite und Browser' },
    },
    hints: {
      publicName: 'Besucher sehen ihn auf den Seiten und in den E-Mails dieses Formulars.',
      accentColor: 'Für Schaltflächen und Links, zum Beispiel #0b6655. Leer lassen für die Vorgabe.',
      hasHostedPage: 'Eine Seite mit den Feldern dieses Formulars. Sie brauchen dafür keine Website.',
      redirectUrl: 'Leer lassen, um die Dankesseite dieser Instanz zu zeigen.',
      thanksTitle: 'Leer lassen, um einen Standardtext in der Sprache des Besuchers zu zeigen.',
      successMessage: 'Leer: ein Standardtext in der Sprache des Formulars.',
      language: 'Für Seiten, Fehlermeldungen und E-Mails an Besucher.',
      intro: 'Steht auf der gehosteten Seite unter dem Titel.',
      enforcesRules: 'Aus: Nur der Browser des Besuchers prüft diese Regeln.',
      allowedOrigins: 'Eine pro Zeile, zum Beispiel https://example.com. Leer lassen, um alle zu erlauben.',
      acceptsFiles: 'Gilt, solange unter „Felder“ keine angelegt sind. Sonst nehmen nur Dateifelder Dateien an.',
      allowedFileTypes: 'Einer pro Zeile, zum Beispiel application/pdf oder image/*. Leer lassen, um alle zu erlauben.',
      opensAt: 'In der Zeitzone der E-Mails dieses Formulars. Leer lassen, um sofort zu öffnen.',
      maxSubmissions: 'Spam und Papierkorb zählen nicht. Leer lassen, um beliebig viele anzunehmen.',
      oncePerAddress: 'Vergleicht das Feld „email“ mit früheren Einsendungen.',
      confirmAddress:
        'Eine Einsendung wird zugestellt, sobald der Link in einer E-Mail geöffnet wird. Braucht das Feld „email“ und einen Mailserver.',
      consentText: 'Steht neben Feldern vom Typ „Einwilligung“. Jede Einsendung behält den Text, dem zugestimmt wurde.',
      closedMessage:
        'Besucher lesen ihn, solange das Formular geschlossen, noch nicht geöffnet, voll oder pausiert ist. Leer lassen für einen Standardtext.',
      maybeSpamAction:
        'Die Prüfung braucht JavaScript. Einsendungen mit Dateien und solche, die ein Captcha bestanden haben, werden stattdessen mit Kennzeichnung zugestellt.',
      blockedWords:
        'Wörter und Wendungen, eine pro Zeile. Einsendungen, die eine davon enthalten, werden als Spam markiert.',
      watchPage: 'Wird einmal am Tag abgerufen. Fehlt das Formular zweimal, bekommen die Inhaber eine E-Mail.',
      silenceAlarm: 'Für Formulare mit mindestens fünf Einsendungen pro Woche.',
      notify: 'E-Mail-Adressen, eine pro Zeile. Leer lassen, um keine Benachrichtigungen zu senden.',
      digest: `Nach ${NOTIFICATIONS_PER_HOUR} Einsendungen in einer Stunde fasst eine E-Mail am Ende der Stunde die übrigen zusammen.`,
      timeZone:
        'Für Sammelmails und für die Zeiten, zu denen das Formular öffnet und schließt, zum Beispiel Europe/Berlin.',
      senderName:
        'Steht als Absender in den E-Mails dieses Formulars. Leer lassen für den Namen des Besuchers oder des Formulars.',
      replyTo: 'An diese Adresse schreiben Besucher, die auf eine E-Mail dieses Formulars antworten.',
      autoReplyText: 'Leer lassen, um nicht zu antworten.',
      autoReplyDailyLimit:
        'Darüber hinaus wird keine Antwort gesendet, und die Empfänger des Formulars erfahren es einmal am Tag.',
      keepsSource: 'Speichert verschlüsselt die Seite, von der jede Einsendung kam, und den Browser des Besuchers.',
    },
    choices: {
      language: { visitor: 'Die des Besuchers', ...LANGUAGES },
      maybeSpamAction: {
        deliver: 'Vorsichtig: sofort zugestellt, mit dem Vermerk „Spam-Verdacht“.',
        challenge:
          'Normal: Der Browser des Besuchers muss erst eine Prüfung bestehen, an der die meisten Bots scheitern.',
        hold: 'Streng: bleibt im Posteingang, und niemand wird benachrichtigt, bis jemand „Kein Spam“ wählt.',
      },
      digest: {
        none: 'Sofort, eine E-Mail pro Einsendung',
        hourly: 'Stündlich, alle in einer E-Mail',
        daily: 'Täglich, alle in einer E-Mail',
      },
    },

    unsaved: 'Nicht gespeicherte Änderungen',
    discard: 'Verwerfen',
    name: 'Name',
    isActive: 'Einsendungen annehmen',
    isActiveHint:
      'Ohne Häkchen ist das Formular pausiert: Besucher erfahren, dass es zurzeit keine Nachrichten annimmt.',

    field: (number: number) => `Feld ${number}`,
    label: 'Beschriftung',
    fieldName: 'Feldname',
    type: 'Typ',
    required: 'Pflichtfeld',
    moreRules: 'Weitere Regeln',
    maxLength: 'Maximale Länge (Zeichen)',
    pattern: 'Muster',
    patternHint: 'Ein regulärer Ausdruck (RE2), dem der ganze Wert entsprechen muss.',
    up: 'Nach oben',
    down: 'Nach unten',
    remove: 'Entfernen',
    addField: 'Feld hinzufügen',
    addHeading: 'Überschrift hinzufügen',
    insertField: 'Feld hier einfügen',
    heading: 'Überschrift',
    help: 'Hilfetext',
    placeholder: 'Platzhalter',
    livePreview: 'Vorschau',
    desktop: 'Computer',
    phone: 'Handy',
    noFields: 'Noch keine Felder. Solange Sie keine hinzufügen, nimmt das Formular alle Felder an.',

    pickColor: 'Akzentfarbe wählen',
    accentFits: 'Auf hellen und dunklen Seiten gut lesbar.',
    accentTooPale: (color) => `Zu blass für Links auf hellem Grund: Sie sind dort ${color}.`,
    accentTooDark: (color) => `Zu dunkel für Links auf dunklem Grund: Sie sind dort ${color}.`,
    logo: 'Logo',
    logoHint: (maxKib) => `Ein Bild im Format PNG, JPEG oder WebP mit höchstens ${maxKib} KiB.`,
    logoTooLarge: (maxKib) => `Wählen Sie ein Bild mit höchstens ${maxKib} KiB.`,
    logoCurrent: 'Aktuelles Logo',
    logoChosen: 'Gewähltes Logo, noch nicht gespeichert',
    removeLogo: 'Logo entfernen',
    hostedAddress: 'Adresse',
    hostedProblems: {
      fields:
        'Die gehostete Seite zeigt die Felder dieses Formulars, und es gibt noch keine. Legen Sie unter „Felder“ welche an.',
      challenge: 'Die gehostete Seite geht nur mit ALTCHA oder ohne Prüfung. Ändern Sie das unter „Spamschutz“.',
    },

    challenge: 'Captcha',
    challenges: { none: 'Keine', altcha: 'ALTCHA (eingebaut, ohne Konto)', custom: 'Anderer Dienst mit Siteverify' },
    challengeHint: 'Das Widget muss auch auf Ihrer Seite stehen: siehe „Einbinden“.',
    challengeSecret: 'Geheimer Schlüssel',
    secretHeld: 'Der eingegebene Schlüssel ist gemerkt. Leer lassen, um ihn zu verwenden.',
    secretHint: 'Aus Ihrem Konto beim Dienst. Er wird verschlüsselt gespeichert und nie wieder angezeigt.',
    secretSet:
      'Ein Schlüssel ist hinterlegt. Leer lassen, um ihn zu behalten. Bei einem anderen Dienst oder einer anderen Prüf-URL muss er neu eingegeben werden.',
    challengeVerifyUrl: 'Prüf-URL',
    challengeVerifyUrlHint:
      'Für Cap und andere Dienste, zum Beispiel https://cap.example.com/KEY/siteverify. Private Adressen muss der Administrator des Servers erlauben.',

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
      'Diese Instanz kann noch keine E-Mails senden: Sie braucht SMTP_URL und MAIL_FROM. Ihre Einstellungen gelten, sobald beide gesetzt sind.',
    recipient: 'Empfänger',
    notifyWhenHint:
      'Ein Empfänger mit Bedingungen erhält nur Einsendungen, die alle davon erfüllen. Eine Einsendung, die niemanden erreichen würde, geht an alle Empfänger. Um eine Bedingung zu entfernen, leeren Sie ihre Zeile. Geben Sie bei „ist eines von“ einen Wert pro Zeile ein.',

    placeholders: 'Platzhalter für gesendete Werte:',

    preview: {
      title: 'Vorschau',
      text: 'Mit den gespeicherten Einstellungen und Beispielwerten.',
      thanks: 'Dankesseite öffnen',
      redirected: 'Besucher werden weitergeleitet und sehen die Dankesseite nicht.',
      mail: 'Vorschau öffnen',
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
    hint: (days: number | null) =>
      days === null
        ? 'Includes spam. Leave empty to keep submissions until someone deletes them.'
        : `Includes spam. Leave empty for the default of this instance: ${inDays(days)}.`,
    never: 'Submissions are not deleted by age.',
    hourly: (days: number) =>
      `Every hour, submissions older than ${inDays(days)} are permanently deleted, with their files and emails.`,
    about: (count: number) => (count === 1 ? 'about one submission' : `about ${count} submissions`),
    moreThan: (count: string) => `more than ${count} submissions`,
    next: (many: string) => `The next run deletes ${many} received before`,
    noneYet: 'No submission is that old yet.',
  },
  de: {
    hint: (days: number | null) =>
      days === null
        ? 'Auch Spam. Leer lassen, um Einsendungen zu behalten, bis jemand sie löscht.'
        : `Auch Spam. Leer lassen für die Vorgabe dieser Instanz: ${germanDays(days)}.`,
    never: 'Einsendungen werden nicht nach Alter gelöscht.',
    hourly: (days: number) =>
      `Jede Stunde werden Einsendungen, die älter als ${germanDays(days)} sind, mit ihren Dateien und E-Mails endgültig gelöscht.`,
    about: (count: number) => (count === 1 ? 'etwa eine Einsendung' : `etwa ${count} Einsendungen`),
    moreThan: (count: string) => `mehr als ${count} Einsendungen`,
    next: (many: string) => `Der nächste Lauf löscht ${many}, eingegangen vor dem`,
    noneYet: 'Noch ist keine Einsendung so alt.',
  },
});
