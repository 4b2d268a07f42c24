import { NOTIFICATIONS_PER_HOUR } from '../../../domain/mail/mail.ts';
import type { Texts } from '../index.ts';

export const SETTINGS: Pick<Texts, 'settings' | 'retention'> = {
  settings: {
    saved: 'Einstellungen gespeichert.',
    notSaved: 'Nicht gespeichert. Korrigieren Sie die markierten Felder und speichern Sie erneut.',
    pages: 'Einstellungen dieses Formulars',
    titles: {
      general: 'Allgemein',
      fields: 'Felder',
      after: 'Nach dem Absenden',
      appearance: 'Aussehen',
      access: 'Zugriff',
      spam: 'Spam und Prüfung',
      mail: 'Benachrichtigungen',
      reply: 'Automatische Antwort',
      data: 'Daten',
      danger: 'Gefahrenzone',
    },
    intros: {
      general: 'Die Namen des Formulars und ob es Einsendungen annimmt.',
      fields:
        'Die Felder, die Besucher ausfüllen, in dieser Reihenfolge. Die Beschriftungen erscheinen in E-Mails, in Tabellen und im Code für Ihre Seite. Das Formular nimmt auch andere Felder an; ohne Felder hier nimmt es alle an.',
      after: 'Leiten Sie Besucher auf eine eigene Seite weiter oder schreiben Sie Ihre eigene Dankesseite.',
      appearance: 'Das Aussehen der Seiten, die Besucher sehen.',
      access: 'Die Seiten, die an das Formular senden dürfen, und die Dateitypen, die es annimmt.',
      spam: 'Eine Prüfung für Besucher, und was mit Spam geschieht.',
      mail: 'E-Mails über neue Einsendungen.',
      reply: 'Eine E-Mail an den Besucher, an die Adresse im Feld „email“: einmal am Tag pro Adresse.',
      data: 'Was dieses Formular speichert und wie lange.',
      danger: 'Dieses Formular pausieren, kopieren, verschieben oder löschen.',
    },
    names: {
      publicName: { label: 'Öffentlicher Name', audit: 'öffentlicher Name' },
      closedText: { label: 'Text bei geschlossenem Formular', audit: 'Text bei geschlossenem Formular' },
      accentColor: { label: 'Akzentfarbe', audit: 'Akzentfarbe' },
      hasHostedPage: { label: 'Gehostete Seite', audit: 'gehostete Seite' },
      redirectUrl: { label: 'Weiterleitungs-URL', audit: 'Weiterleitung' },
      thanksTitle: { label: 'Titel der Dankesseite', audit: 'Titel der Dankeseite' },
      thanksText: { label: 'Text der Dankesseite', audit: 'Text der Dankeseite' },
      enforcesRules: { label: 'Einsendungen ablehnen, die nicht zu diesen Feldern passen', audit: 'Regeln der Felder' },
      allowedOrigins: { label: 'Erlaubte Websites', audit: 'erlaubte Seiten' },
      acceptsFiles: { label: 'Dateien annehmen', audit: 'Annahme von Dateien' },
      allowedFileTypes: { label: 'Erlaubte Dateitypen', audit: 'erlaubte Dateitypen' },
      maybeSpamAction: { label: 'Einsendungen, die vielleicht Spam sind', audit: 'möglicher Spam' },
      blockedWords: { label: 'Gesperrte Wörter', audit: 'gesperrte Wörter' },
      notify: { label: 'Empfänger', audit: 'Empfänger' },
      digest: { label: 'Häufigkeit', audit: 'Sammelmail' },
      timeZone: { label: 'Zeitzone', audit: 'Zeitzone' },
      senderName: { label: 'Name des Absenders', audit: 'Absendername' },
      replyTo: { label: 'Antwortadresse', audit: 'Antwortadresse' },
      attachFiles: { label: 'Dateien anhängen', audit: 'Anhänge' },
      threadMails: { label: 'E-Mails dieses Formulars zu einer Unterhaltung zusammenfassen', audit: 'E-Mail-Verläufe' },
      autoReplySubject: { label: 'Betreff', audit: 'Betreff der automatischen Antwort' },
      autoReplyText: { label: 'Text', audit: 'Text der automatischen Antwort' },
      retentionDays: { label: 'Einsendungen löschen nach (Tage)', audit: 'Aufbewahrung' },
      keepsSource: { label: 'Herkunftsseite und Browser speichern', audit: 'Herkunftsseite und Browser' },
    },
    hints: {
      publicName: 'Besucher sehen ihn auf den Seiten und in den E-Mails dieses Formulars.',
      closedText:
        'Besucher lesen ihn, solange das Formular pausiert oder sein Tarif aufgebraucht ist, zum Beispiel wann sie wiederkommen können. Leer lassen für einen Standardtext in ihrer Sprache.',
      accentColor: 'Für Schaltflächen und Links, zum Beispiel #0b6655. Leer lassen für die Vorgabe.',
      hasHostedPage: 'Eine Seite mit den Feldern dieses Formulars. Sie brauchen dafür keine Website.',
      redirectUrl: 'Leer lassen, um die Dankesseite dieser Instanz zu zeigen.',
      thanksTitle: 'Leer lassen, um einen Standardtext in der Sprache des Besuchers zu zeigen.',
      thanksText: 'Leer lassen, um einen Standardtext in der Sprache des Besuchers zu zeigen.',
      enforcesRules: 'Ohne Häkchen stehen die Regeln nur im Code für Ihre Seite, und allein der Browser prüft sie.',
      allowedOrigins: 'Eine pro Zeile, zum Beispiel https://example.com. Leer lassen, um alle zu erlauben.',
      acceptsFiles: 'Gilt, solange unter „Felder“ keine angelegt sind. Sonst nehmen nur Dateifelder Dateien an.',
      allowedFileTypes: 'Einer pro Zeile, zum Beispiel application/pdf oder image/*. Leer lassen, um alle zu erlauben.',
      maybeSpamAction:
        'Spam wird immer zurückgehalten. Die Prüfung braucht JavaScript im Browser des Besuchers. Einsendungen mit Dateien und solche, die eine andere Prüfung bestanden haben, werden mit Kennzeichnung zugestellt.',
      blockedWords:
        'Wörter und Wendungen, eine pro Zeile. Einsendungen, die eine davon enthalten, werden als Spam markiert.',
      notify: 'E-Mail-Adressen, eine pro Zeile. Leer lassen, um keine Benachrichtigungen zu senden.',
      digest: `Nach ${NOTIFICATIONS_PER_HOUR} Einsendungen in einer Stunde fasst eine E-Mail am Ende der Stunde die übrigen zusammen.`,
      timeZone: 'Für stündliche und tägliche E-Mails, zum Beispiel Europe/Berlin.',
      senderName:
        'Steht als Absender in den E-Mails dieses Formulars. Leer lassen für den Namen des Besuchers oder des Formulars.',
      replyTo: 'An diese Adresse schreiben Besucher, die auf eine E-Mail dieses Formulars antworten.',
      autoReplyText: 'Leer lassen, um nicht zu antworten.',
      keepsSource: 'Speichert verschlüsselt die Seite, von der jede Einsendung kam, und den Browser des Besuchers.',
    },
    choices: {
      maybeSpamAction: {
        deliver: 'Zustellen und als „Vielleicht Spam“ kennzeichnen',
        hold: 'Im Posteingang behalten und niemanden benachrichtigen, bis jemand sie als „Kein Spam“ markiert',
        challenge: 'Erst den Browser des Besuchers prüfen (ALTCHA, von dieser Instanz ausgeliefert)',
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
      challenge: 'Die gehostete Seite geht nur mit ALTCHA oder ohne Prüfung. Ändern Sie das unter „Spam und Prüfung“.',
    },

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
      label: 'Die Beschriftung ist zu lang. Erlaubt sind höchstens 256 Zeichen.',
      type: 'Unbekannter Typ. Wählen Sie einen anderen.',
      max_length: 'Geben Sie eine ganze Zahl von 1 bis 262.144 ein.',
      pattern:
        'Ungültiges Muster. Erlaubt ist RE2-Syntax mit höchstens 500 Zeichen, ohne Lookaround und Rückverweise und mit kurzen Wiederholungen.',
      options: 'Geben Sie 1 bis 200 verschiedene Möglichkeiten ein, eine pro Zeile, jede mit höchstens 256 Zeichen.',
      max: 'Wählen Sie eine höchste Bewertung von 2 bis 10.',
    },
  },
  retention: {
    hint: (days: number | null) =>
      days === null
        ? 'Auch Spam. Leer lassen, um Einsendungen zu behalten, bis jemand sie löscht.'
        : `Auch Spam. Leer lassen für die Vorgabe dieser Instanz: ${inDays(days)}.`,
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
