import type { VisitorTexts } from './en.ts';

export const DE: VisitorTexts = {
  thanks: {
    title: 'Vielen Dank',
    text: 'Ihre Nachricht ist angekommen.',
    message: 'Vielen Dank, Ihre Nachricht ist angekommen.',
  },
  refused: 'Ihre Nachricht wurde nicht gesendet',
  back: 'Zurück zur Seite',
  closed: 'Dieses Formular ist geschlossen',
  notFound: 'Formular nicht gefunden',
  failed: 'Etwas ist schiefgelaufen',
  keep: 'Mit der Zurück-Taste Ihres Browsers gelangen Sie zum Formular mit Ihren Angaben.',
  later: 'Versuchen Sie es später noch einmal oder melden Sie sich auf einem anderen Weg.',
  address: {
    title: 'Dies ist die Adresse eines Formulars',
    text: 'Websites senden ihre Formulare hierher. Unter dieser Adresse selbst gibt es nichts auszufüllen.',
    use: 'Um Ihr Formular hier zu empfangen, tragen Sie diese Adresse als action ein:',
    manual: 'Zum Handbuch (Englisch)',
  },
  check: {
    title: 'Noch ein Schritt',
    text: 'Schließen Sie die Spam-Prüfung ab und senden Sie Ihre Nachricht. Ihre Angaben bleiben erhalten.',
  },
  confirm: {
    sent: 'Wir haben Ihnen eine E-Mail gesendet. Öffnen Sie den Link darin, um Ihre Adresse zu bestätigen.',
    ask: 'E-Mail-Adresse bestätigen',
    text: 'Ihre Nachricht wird zugestellt, sobald Sie bestätigen.',
    button: 'Bestätigen',
    done: 'Adresse bestätigt',
    gone: 'Dieser Link ist abgelaufen oder unvollständig',
    again: 'Bitte füllen Sie das Formular noch einmal aus.',
  },
  hosted: {
    title: 'Formular',
    until: (when) => `Geöffnet bis ${when}`,
    scale: (best) => `1 ist die niedrigste, ${best} die höchste Bewertung`,
    send: 'Senden',
    optional: 'optional',
    choose: 'Bitte auswählen',
    leaveEmpty: 'Lassen Sie dieses Feld leer',
    filesAgain: 'Wählen Sie Ihre Dateien bitte noch einmal aus.',
    needsScript:
      'Die Spam-Prüfung dieses Formulars benötigt JavaScript. Schalten Sie es ein und laden Sie die Seite neu.',
  },
  refusals: {
    empty: 'Das Formular ist leer. Bitte füllen Sie mindestens ein Feld aus.',
    fields: 'Einige Angaben fehlen oder müssen korrigiert werden.',
    unreadable:
      'Das Formular konnte nicht gelesen werden. Bitte prüfen Sie Ihre Angaben und versuchen Sie es noch einmal.',
    tooLarge: (limit) =>
      `Das Formular ist zu groß. Bitte kürzen Sie Ihre Angaben oder wählen Sie kleinere Dateien. Maximale Größe: ${limit}.`,
    tooManyFields: (limit) => `Das Formular hat zu viele Felder. Erlaubt sind höchstens ${limit} Felder.`,
    nameTooLong: (limit) => `Ein Feldname des Formulars ist zu lang. Erlaubt sind höchstens ${limit} Byte.`,
    tooDeep: (limit) => `Die Daten des Formulars sind zu tief verschachtelt. Erlaubt sind höchstens ${limit} Ebenen.`,
    unsupported: (types) =>
      `Das Formular wurde in einem Format gesendet, das nicht unterstützt wird. Unterstützte Formate, ohne Content-Encoding: ${types}.`,
    tooManyFiles: 'Das sind zu viele Dateien. Bitte senden Sie weniger auf einmal.',
    fileTooLarge: 'Eine der Dateien ist zu groß. Bitte wählen Sie eine kleinere.',
    fileType: 'Dieses Formular akzeptiert diesen Dateityp nicht. Bitte wählen Sie eine andere Datei.',
    tooSlow:
      'Das Senden Ihrer Nachricht hat zu lange gedauert. Bitte prüfen Sie Ihre Internetverbindung und versuchen Sie es noch einmal.',
    notOpen: (when) => `Dieses Formular ist noch nicht geöffnet. Es öffnet am ${when}.`,
    ended: (when) => `Dieses Formular ist seit dem ${when} geschlossen.`,
    full: 'Alle Plätze sind vergeben. Dieses Formular nimmt nichts mehr an.',
    email: 'Bitte geben Sie im Feld „email“ eine gültige E-Mail-Adresse ein.',
    already: 'Mit dieser E-Mail-Adresse wurde das Formular schon ausgefüllt.',
    paused: 'Dieses Formular nimmt zurzeit keine Nachrichten an.',
    notFound: 'Unter dieser Adresse gibt es kein Formular.',
    origin: 'Dieses Formular nimmt keine Nachrichten von dieser Seite an.',
    invalidKey:
      'Auf der vorherigen Seite ist ein Fehler aufgetreten. Bitte laden Sie sie neu und versuchen Sie es noch einmal. (Ein Idempotency-Key hat 1 bis 255 druckbare ASCII-Zeichen.)',
    inProgress:
      'Ihre Nachricht wird bereits gesendet. Bitte warten Sie einen Moment, bevor Sie es noch einmal versuchen.',
    reusedKey:
      'Dieses Formular wurde bereits mit anderem Inhalt gesendet. Bitte laden Sie die Seite neu und füllen Sie es noch einmal aus.',
    challengeMissing: 'Bitte schließen Sie die Spam-Prüfung ab und senden Sie das Formular noch einmal.',
    challengeFailed: 'Die Spam-Prüfung ist fehlgeschlagen oder abgelaufen. Bitte versuchen Sie es noch einmal.',
    challengeUnavailable:
      'Die Spam-Prüfung ist zurzeit nicht verfügbar, und Ihre Nachricht wurde nicht gespeichert. Bitte versuchen Sie es in einer Minute noch einmal.',
    noChallenge: 'Dieses Formular verwendet die Spam-Prüfung „altcha“ nicht.',
    busy: 'Zurzeit treffen zu viele Nachrichten auf einmal ein, und Ihre wurde nicht gespeichert. Bitte versuchen Sie es in einer Minute noch einmal.',
    monthlyLimit: (day) =>
      `Dieses Formular nimmt diesen Monat keine Nachrichten mehr an. Ab dem ${day} ist es wieder geöffnet.`,
    rateLimit: (wait) =>
      `Aus Ihrem Netzwerk kamen zu viele Nachrichten. Bitte versuchen Sie es in ${wait} noch einmal.`,
    internal:
      'Bei uns ist ein Fehler aufgetreten, und Ihre Nachricht wurde nicht gespeichert. Bitte versuchen Sie es in einer Minute noch einmal.',
  },
};
