import type { VisitorTexts } from './texts.ts';

export const DE: VisitorTexts = {
  thanks: {
    title: 'Vielen Dank',
    text: 'Ihre Nachricht ist angekommen.',
    message: 'Vielen Dank, Ihre Nachricht ist angekommen.',
  },
  refused: 'Ihre Nachricht wurde nicht gesendet',
  back: 'Zurück zur Seite',
  refusals: {
    empty: 'Das Formular ist leer. Bitte füllen Sie mindestens ein Feld aus.',
    fields: 'Einige Angaben fehlen oder müssen korrigiert werden.',
    unreadable:
      'Das Formular konnte nicht gelesen werden. Bitte prüfen Sie Ihre Angaben und versuchen Sie es noch einmal.',
    tooLarge: 'Das Formular ist zu groß. Bitte kürzen Sie Ihre Angaben oder wählen Sie kleinere Dateien.',
    unsupported: 'Das Formular wurde in einem Format gesendet, das nicht unterstützt wird.',
    tooManyFiles: 'Das sind zu viele Dateien. Bitte senden Sie weniger auf einmal.',
    fileTooLarge: 'Eine der Dateien ist zu groß. Bitte wählen Sie eine kleinere.',
    fileType: 'Dieses Formular akzeptiert diesen Dateityp nicht. Bitte wählen Sie eine andere Datei.',
    tooSlow:
      'Das Senden Ihrer Nachricht hat zu lange gedauert. Bitte prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    paused: 'Dieses Formular nimmt zurzeit keine Nachrichten an.',
    notFound: 'Unter dieser Adresse gibt es kein Formular.',
    origin: 'Dieses Formular nimmt keine Nachrichten von dieser Seite an.',
    invalidKey:
      'Auf der vorherigen Seite ist ein Fehler aufgetreten. Bitte laden Sie sie neu und versuchen Sie es noch einmal.',
    inProgress:
      'Ihre Nachricht wird bereits gesendet. Bitte warten Sie einen Moment, bevor Sie es noch einmal versuchen.',
    reusedKey:
      'Dieses Formular wurde bereits mit anderem Inhalt gesendet. Bitte laden Sie die Seite neu und füllen Sie es noch einmal aus.',
    challengeMissing: 'Bitte schließen Sie die Spam-Prüfung ab und senden Sie das Formular noch einmal.',
    challengeFailed: 'Die Spam-Prüfung ist fehlgeschlagen oder abgelaufen. Bitte versuchen Sie es noch einmal.',
    monthlyLimit: 'Dieses Formular nimmt diesen Monat keine Nachrichten mehr an.',
    rateLimit:
      'Aus Ihrem Netzwerk kamen zu viele Nachrichten. Bitte warten Sie eine Minute und versuchen Sie es noch einmal.',
    internal:
      'Bei uns ist ein Fehler aufgetreten und Ihre Nachricht wurde nicht gespeichert. Bitte versuchen Sie es in einer Minute noch einmal.',
  },
  faults: {
    required: 'Diese Angabe ist erforderlich.',
    email: 'Bitte geben Sie eine E-Mail-Adresse an, zum Beispiel name@example.com.',
    number: 'Bitte geben Sie eine Zahl an, zum Beispiel 42.',
    url: 'Bitte geben Sie eine vollständige Webadresse an, zum Beispiel https://example.com.',
    date: 'Bitte geben Sie ein Datum als Jahr, Monat und Tag an, zum Beispiel 2026-11-30.',
    checkbox: 'Dieses Feld kann nur angekreuzt oder leer gelassen werden.',
    file: 'Bitte wählen Sie eine Datei aus, statt Text einzugeben.',
    text: 'Bitte geben Sie nur Text ein.',
    max_length: 'Diese Angabe ist zu lang. Erlaubte Zeichen: {limit}.',
    pattern: 'Diese Angabe entspricht nicht dem verlangten Format.',
    too_long: 'Dieser Text ist zu lang. Maximale Größe: {limit}.',
    file_too_large: 'Diese Datei ist zu groß. Maximale Größe: {limit}.',
    file_type: 'Dieser Dateityp wird nicht akzeptiert.',
    too_many_files: 'Sie haben zu viele Dateien ausgewählt. Erlaubte Anzahl: {limit}.',
  },
};
