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
    empty: 'Das Formular war leer. Bitte füllen Sie mindestens ein Feld aus.',
    fields: 'Einige Angaben fehlen oder müssen korrigiert werden.',
    unreadable:
      'Das Formular konnte nicht gelesen werden. Bitte prüfen Sie Ihre Angaben und versuchen Sie es noch einmal.',
    tooLarge: 'Das Formular ist zu groß. Bitte kürzen Sie Ihre Angaben oder wählen Sie kleinere Dateien.',
    unsupported: 'Das Formular wurde auf eine Weise gesendet, die hier nicht gelesen werden kann.',
    tooManyFiles: 'Das sind zu viele Dateien. Bitte senden Sie weniger auf einmal.',
    fileTooLarge: 'Eine Datei ist zu groß. Bitte wählen Sie eine kleinere.',
    fileType: 'Dieses Formular nimmt keine Datei dieses Typs an. Bitte wählen Sie eine andere.',
    tooSlow:
      'Die Übertragung Ihrer Nachricht hat zu lange gedauert. Bitte prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    paused: 'Dieses Formular nimmt zurzeit keine Nachrichten an.',
    unknown: 'Unter dieser Adresse gibt es kein Formular.',
    origin: 'Dieses Formular nimmt von dieser Seite keine Nachrichten an.',
    staleKey:
      'Mit der Seite, von der Sie kommen, stimmt etwas nicht. Bitte laden Sie sie neu und versuchen Sie es noch einmal.',
    underWay: 'Ihre Nachricht ist bereits unterwegs. Bitte warten Sie einen Moment, bevor Sie sie erneut senden.',
    reusedKey:
      'Dieses Formular wurde bereits mit anderem Inhalt gesendet. Bitte laden Sie die Seite neu und füllen Sie es noch einmal aus.',
    noChallenge: 'Bitte führen Sie die Spam-Prüfung durch und senden Sie das Formular noch einmal.',
    challenge: 'Die Spam-Prüfung war nicht erfolgreich oder ist abgelaufen. Bitte versuchen Sie es noch einmal.',
    cap: 'Dieses Formular nimmt in diesem Monat keine Nachrichten mehr an.',
    rate: 'Von Ihrer Adresse kamen zu viele Nachrichten. Bitte warten Sie eine Minute und versuchen Sie es noch einmal.',
    failed:
      'Bei uns ist ein Fehler aufgetreten, nichts wurde gespeichert. Bitte versuchen Sie es in einer Minute noch einmal.',
  },
  faults: {
    required: 'Diese Angabe ist erforderlich.',
    email: 'Bitte geben Sie eine E-Mail-Adresse an, zum Beispiel name@example.com.',
    number: 'Bitte geben Sie eine Zahl an, zum Beispiel 42.',
    url: 'Bitte geben Sie eine vollständige Webadresse an, zum Beispiel https://example.com.',
    date: 'Bitte geben Sie ein Datum als Jahr, Monat und Tag an, zum Beispiel 2026-11-30.',
    checkbox: 'Dieses Feld kann nur angekreuzt werden oder leer bleiben.',
    file: 'Hier wird eine Datei erwartet, kein Text.',
    text: 'Hier ist nur Text möglich.',
    max_length: 'Diese Angabe ist zu lang. Erlaubte Zeichen: {limit}.',
    pattern: 'Diese Angabe hat nicht das verlangte Format.',
    too_long: 'Dieser Text ist zu lang. Erlaubte Größe: {limit}.',
    file_too_large: 'Diese Datei ist zu groß. Zulässige Größe: {limit}.',
    file_type: 'Eine Datei dieses Typs wird hier nicht angenommen.',
    too_many_files: 'Es wurden zu viele Dateien ausgewählt. Erlaubte Anzahl: {limit}.',
  },
};
