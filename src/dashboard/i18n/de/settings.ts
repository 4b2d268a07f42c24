import type { Texts } from '../index.ts';

export const SETTINGS: Pick<Texts, 'settings' | 'retention'> = {
  settings: {
    saved: 'Gespeichert.',
    notSaved: 'Nicht gespeichert. Korrigieren Sie die markierten Felder und speichern Sie erneut.',
    general: 'Allgemein',
    generalText: 'Der Name des Formulars und ob es Einsendungen annimmt.',
    name: 'Name',
    isActive: 'Einsendungen annehmen',
    isActiveHint:
      'Ohne Häkchen ist das Formular pausiert: Besucher erfahren, dass es zurzeit keine Nachrichten annimmt.',

    fields: 'Felder',
    fieldsText:
      'Die Felder, die Besucher ausfüllen, in dieser Reihenfolge. Die Beschriftungen erscheinen in E-Mails, in Tabellen und im Code für Ihre Seite. Das Formular nimmt auch andere Felder an; ohne Felder hier nimmt es alle an.',
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
    noFields: 'Noch keine Felder. Solange Sie keine hinzufügen, nimmt das Formular alle Felder an.',
    changed: 'Nicht gespeicherte Änderungen.',
    enforcesRules: 'Einsendungen ablehnen, die nicht zu diesen Feldern passen',
    enforcesRulesHint: 'Ohne Häkchen stehen die Regeln nur im Code für Ihre Seite, und allein der Browser prüft sie.',

    after: 'Nach dem Absenden',
    afterText: 'Leiten Sie Besucher auf eine eigene Seite weiter oder legen Sie den Text der Dankesseite fest.',
    redirectUrl: 'Weiterleitungs-URL',
    redirectUrlHint: 'Leer lassen, um die Dankesseite dieser Instanz zu zeigen.',
    thanksTitle: 'Titel der Dankesseite',
    thanksText: 'Text der Dankesseite',
    thanksHint: 'Leer lassen, um einen Standardtext in der Sprache des Besuchers zu zeigen.',

    access: 'Seiten und Dateien',
    accessText: 'Die Seiten, die an das Formular senden dürfen, und die Dateitypen, die es annimmt.',
    allowedOrigins: 'Erlaubte Websites',
    allowedOriginsHint: 'Eine pro Zeile, zum Beispiel https://example.com. Leer lassen, um alle zu erlauben.',
    allowedFileTypes: 'Erlaubte Dateitypen',
    allowedFileTypesHint:
      'Einer pro Zeile, zum Beispiel application/pdf oder image/*. Leer lassen, um alle zu erlauben.',

    spam: 'Spam',
    spamText: 'Eine Prüfung für Besucher und Wörter, die eine Einsendung als Spam markieren.',
    challenge: 'Prüfung',
    challenges: {
      none: 'Keine',
      altcha: 'ALTCHA (eingebaut, ohne Konto)',
      turnstile: 'Cloudflare Turnstile',
      hcaptcha: 'hCaptcha',
      recaptcha: 'Google reCAPTCHA',
      cap: 'Cap',
      custom: 'Anderer Dienst mit Siteverify',
    },
    challengeHint: 'Das Widget muss auch auf Ihrer Seite stehen: siehe „Einbinden“.',
    challengeSecret: 'Geheimer Schlüssel',
    secretHint: 'Aus Ihrem Konto beim Dienst. Er wird verschlüsselt gespeichert und nie wieder angezeigt.',
    secretSet:
      'Ein Schlüssel ist hinterlegt. Leer lassen, um ihn zu behalten. Bei einem anderen Dienst oder einer anderen Prüf-URL muss er neu eingegeben werden.',
    challengeVerifyUrl: 'Prüf-URL',
    challengeVerifyUrlHint:
      'Für Cap und andere Dienste, zum Beispiel https://cap.example.com/KEY/siteverify. Private Adressen muss der Administrator des Servers erlauben.',
    blockedWords: 'Gesperrte Wörter',
    blockedWordsHint:
      'Wörter und Wendungen, eine pro Zeile. Einsendungen, die eine davon enthalten, werden als Spam markiert.',

    mail: 'Benachrichtigungen',
    mailText: 'E-Mails über neue Einsendungen.',
    noMail:
      'Diese Instanz kann noch keine E-Mails senden: Sie braucht SMTP_URL und MAIL_FROM. Ihre Einstellungen gelten, sobald beide gesetzt sind.',
    notify: 'Empfänger',
    notifyHint: 'E-Mail-Adressen, eine pro Zeile. Leer lassen, um keine Benachrichtigungen zu senden.',
    recipient: 'Empfänger',
    notifyWhenHint:
      'Ein Empfänger mit Bedingungen erhält nur Einsendungen, die alle davon erfüllen. Eine Einsendung, die niemanden erreichen würde, geht an alle Empfänger. Um eine Bedingung zu entfernen, leeren Sie ihre Zeile. Geben Sie bei „ist eines von“ einen Wert pro Zeile ein.',
    attachFiles: 'Dateien anhängen',
    threadMails: 'E-Mails dieses Formulars zu einer Unterhaltung zusammenfassen',
    digest: 'Häufigkeit',
    digestHint: (limit) =>
      `Nach ${limit} Einsendungen in einer Stunde fasst eine E-Mail am Ende der Stunde die übrigen zusammen.`,
    digests: {
      none: 'Sofort, eine E-Mail pro Einsendung',
      hourly: 'Stündlich, alle in einer E-Mail',
      daily: 'Täglich, alle in einer E-Mail',
    },
    timeZone: 'Zeitzone',
    timeZoneHint: 'Für stündliche und tägliche E-Mails, zum Beispiel Europe/Berlin.',

    reply: 'Automatische Antwort',
    replyText: 'Eine E-Mail an den Besucher, an die Adresse im Feld „email“: einmal am Tag pro Adresse.',
    autoReplySubject: 'Betreff',
    autoReplyText: 'Text',
    autoReplyTextHint: 'Leer lassen, um nicht zu antworten.',
    placeholders: 'Platzhalter für gesendete Werte:',

    retentionDays: 'Einsendungen löschen nach (Tage)',

    errors: {
      fieldName: 'Geben Sie einen Namen mit 1 bis 256 Zeichen ein.',
      fieldNameTwice: 'Ein anderes Feld hat diesen Namen bereits.',
      fieldTooMany: 'Ein Formular kann höchstens 1.000 Felder haben.',
      fieldLabel: 'Die Beschriftung ist zu lang. Erlaubt sind höchstens 256 Zeichen.',
      fieldType: 'Unbekannter Typ. Wählen Sie einen anderen.',
      fieldMaxLength: 'Geben Sie eine ganze Zahl von 1 bis 262.144 ein.',
      fieldPattern:
        'Ungültiges Muster. Erlaubt ist RE2-Syntax mit höchstens 500 Zeichen, ohne Lookaround und Rückverweise und mit kurzen Wiederholungen.',
    },
  },
  retention: {
    title: 'Aufbewahrung',
    text: 'Wie lange dieses Formular Einsendungen aufbewahrt, auch Spam.',
    hint: (days: number | null) =>
      days === null
        ? 'Leer lassen, um Einsendungen zu behalten, bis jemand sie löscht.'
        : `Leer lassen für die Vorgabe dieser Instanz: ${inDays(days)}.`,
    never: 'Einsendungen werden nicht nach Alter gelöscht.',
    hourly: (days: number) =>
      `Jede Stunde werden Einsendungen, die älter als ${inDays(days)} sind, mit ihren Dateien und E-Mails endgültig gelöscht.`,
    about: (count: number) => (count === 1 ? 'etwa eine Einsendung' : `etwa ${count} Einsendungen`),
    moreThan: (count: string) => `mehr als ${count} Einsendungen`,
    next: (many: string) => `Der nächste Lauf löscht ${many}, eingegangen vor dem`,
    noneYet: 'Noch ist keine Einsendung so alt.',
  },
};

function inDays(days: number): string {
  return days === 1 ? 'ein Tag' : `${days} Tage`;
}
