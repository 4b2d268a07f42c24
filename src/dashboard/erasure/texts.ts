import { pairs } from '../../lib/pairs.ts';
import { catalog } from '../ui/catalog.ts';

const WORDS = pairs({
  address: ['Email address', 'E-Mail-Adresse'],
  search: ['Search', 'Suchen'],
  lookedFor: ['Searched for', 'Gesucht'],
  again: ['Check progress', 'Fortschritt prüfen'],
  exportTitle: ['Export results', 'Ergebnisse exportieren'],
  exportLines: ['Download JSON Lines', 'JSON Lines herunterladen'],
  exportFiles: ['Download files (ZIP)', 'Dateien herunterladen (ZIP)'],
  deleteStep: ['Delete…', 'Löschen …'],
  confirm: ['Delete for good', 'Endgültig löschen'],
  receipt: ['Receipt', 'Löschnachweis'],
  download: ['Download receipt (JSON)', 'Löschnachweis herunterladen (JSON)'],
  submissions: ['Submissions deleted', 'Gelöschte Einsendungen'],
  files: ['Files deleted', 'Gelöschte Dateien'],
  filesLeft: ['Files not removed yet', 'Noch nicht entfernte Dateien'],
  mails: ['Emails deleted', 'Gelöschte E-Mails'],
  underWay: ['Emails being sent', 'E-Mails im Versand'],
  deliveries: ['Webhook deliveries deleted', 'Gelöschte Zustellungen an Webhooks'],
  deliveriesUnderWay: ['Webhook deliveries being sent', 'Laufende Zustellungen an Webhooks'],
  underWayText: ['they may still arrive', 'sie können noch ankommen'],
  savedViews: ['Saved views deleted', 'Gespeicherte Ansichten gelöscht'],
  consents: ['Had agreed to', 'Hatte zugestimmt'],
  receivers: ['Copies may be at', 'Kopien möglich bei'],
  searchedAt: ['Searched', 'Gesucht'],
  erasedAt: ['Deleted', 'Gelöscht'],
  hash: ['Hash of the address', 'Hashwert der Adresse'],
  elsewhere: ['Not included', 'Nicht enthalten'],
  another: ['New search', 'Neue Suche'],
});

/** Erasing a person. */
export const ERASE_TEXTS = catalog({
  en: {
    ...WORDS.en,
    intro:
      'Finds all submissions of this team that contain an email address, so that you can answer a request for access or erasure. Nothing is deleted until you confirm.',
    addressHint:
      'Searches all fields and file names, also in spam, but not the contents of files. You then choose what to do.',
    forgotten: 'The results are available for one hour. They are kept in memory only.',
    done: {
      elsewhere:
        'That search is not available here: another server process ran it, or it has expired. Search again. A confirmed deletion continues.',
    },
    searching: (looked: string, most: string, matches: string) =>
      `Searching: ${looked} of up to ${most} submissions checked, ${matches} found so far.`,
    deleting: (done: string, all: string) => `Deleting: ${done} of ${all} submissions.`,
    broken:
      'Something went wrong. The server log has details. Submissions that were already deleted stay deleted; search again to find the rest.',
    found: (count: number, number: string, looked: string) =>
      `${count === 1 ? 'One submission contains' : `${number} submissions contain`} the address (${looked} searched).`,
    none: (looked: string) => `No submission contains the address (${looked} searched).`,
    moreFound: (count: string) => `and ${count} more, all in the export`,
    unreadable: (count: string) => `Damaged submissions: ${count}. They cannot be read and may contain the address.`,
    exportText: 'For the person, or for your records. Card and social security numbers are masked.',
    deleteTitle: (count: number, number: string) =>
      count === 1 ? 'Delete this submission' : `Delete these ${number} submissions`,
    deleteText: 'Files and emails are deleted too, queued or sent. The next page asks you to confirm.',
    finalText:
      'This cannot be undone. Earlier backups still contain the data, and delivered emails cannot be recalled. Deleting submissions does not reduce usage.',
    receiptText:
      'Keep it for your records. It contains the address only as a keyed hash, which only this server can compute.',
    filesLeftText: 'the hourly cleanup removes them; they are unreadable without their submissions',
    receiversText: 'webhooks and mail recipients of these forms; ask them to delete their copies',
    complete: 'Complete: no copy of the deleted data is left in the database.',
    pendingRewrite:
      'Pending: SQLite may have left copies of the deleted data in the database file. They are overwritten at most once an hour. Expected:',
    lasting:
      'Deleted from the tables. PostgreSQL keeps encrypted copies in free space and in its write-ahead log until it overwrites them. Earlier backups still contain the data.',
    notified: (forms: readonly string[]) =>
      `These forms send notifications to the address: ${forms.map((form) => `“${form}”`).join(', ')}. Remove it in their settings.`,
    others: 'Accounts and invitations of your team are not affected. Submissions from now on are not found.',
  },
  de: {
    ...WORDS.de,
    intro:
      'Findet alle Einsendungen dieses Teams, die eine E-Mail-Adresse enthalten, damit Sie Anfragen nach Auskunft oder Löschung beantworten können. Es wird nichts gelöscht, bevor Sie bestätigen.',
    addressHint:
      'Durchsucht alle Felder und Dateinamen, auch im Spam, aber nicht den Inhalt von Dateien. Danach entscheiden Sie.',
    forgotten: 'Die Ergebnisse sind eine Stunde lang verfügbar. Sie bleiben nur im Arbeitsspeicher.',
    done: {
      elsewhere:
        'Diese Suche ist hier nicht verfügbar: Ein anderer Serverprozess hat sie ausgeführt, oder sie ist abgelaufen. Suchen Sie noch einmal. Ein bestätigtes Löschen läuft weiter.',
    },
    searching: (looked: string, most: string, matches: string) =>
      `Suche läuft: ${looked} von höchstens ${most} Einsendungen durchsucht, bisher ${matches} gefunden.`,
    deleting: (done: string, all: string) => `Löschung läuft: ${done} von ${all} Einsendungen.`,
    broken:
      'Ein Fehler ist aufgetreten. Näheres steht im Log des Servers. Bereits gelöschte Einsendungen bleiben gelöscht; suchen Sie erneut, um die übrigen zu finden.',
    found: (count: number, number: string, looked: string) =>
      `${count === 1 ? 'Eine Einsendung enthält' : `${number} Einsendungen enthalten`} die Adresse (${looked} durchsucht).`,
    none: (looked: string) => `Keine Einsendung enthält die Adresse (${looked} durchsucht).`,
    moreFound: (count: string) => `und ${count} weitere, alle im Export`,
    unreadable: (count: string) =>
      `Beschädigte Einsendungen: ${count}. Sie sind nicht lesbar und könnten die Adresse enthalten.`,
    exportText: 'Für die Person oder für Ihre Unterlagen. Karten- und Sozialversicherungsnummern sind maskiert.',
    deleteTitle: (count: number, number: string) =>
      count === 1 ? 'Diese Einsendung löschen' : `Diese ${number} Einsendungen löschen`,
    deleteText:
      'Auch Dateien und E-Mails werden gelöscht, wartende wie gesendete. Auf der nächsten Seite bestätigen Sie.',
    finalText:
      'Das lässt sich nicht rückgängig machen. Ältere Backups enthalten die Daten weiterhin, und zugestellte E-Mails lassen sich nicht zurückholen. Das Löschen verringert den Verbrauch nicht.',
    receiptText:
      'Bewahren Sie ihn für Ihre Unterlagen auf. Er enthält die Adresse nur als Hashwert mit Schlüssel, den nur dieser Server berechnen kann.',
    filesLeftText: 'die stündliche Bereinigung entfernt sie; ohne ihre Einsendungen sind sie nicht lesbar',
    receiversText: 'Webhooks und Mail-Empfänger dieser Formulare; bitten Sie dort um Löschung',
    complete: 'Vollständig: Die Datenbank enthält keine Kopie der gelöschten Daten mehr.',
    pendingRewrite:
      'Ausstehend: In der Datenbankdatei können Kopien der gelöschten Daten geblieben sein. Sie werden höchstens einmal pro Stunde überschrieben. Voraussichtlich:',
    lasting:
      'Aus den Tabellen gelöscht. PostgreSQL behält verschlüsselte Kopien in freiem Speicher und im Write-Ahead-Log, bis es sie überschreibt. Ältere Backups enthalten die Daten weiterhin.',
    notified: (forms: readonly string[]) =>
      `Diese Formulare senden Benachrichtigungen an die Adresse: ${forms.map((form) => `„${form}“`).join(', ')}. Entfernen Sie sie in deren Einstellungen.`,
    others: 'Konten und Einladungen Ihres Teams sind nicht betroffen. Spätere Einsendungen werden nicht erfasst.',
  },
});
