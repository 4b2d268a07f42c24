import { catalog } from '../ui/catalog.ts';

/** Erasing a person. */
export const ERASE_TEXTS = catalog({
  en: {
    intro:
      'Finds all submissions of this team that contain an email address, so that you can answer a request for access or erasure. Nothing is deleted until you confirm.',
    address: 'Email address',
    addressHint: 'Searches all fields and file names, including longer texts and spam, but not the contents of files.',
    search: 'Search',
    lookedFor: 'Searched for',
    forgotten: 'The results are available for one hour. They are kept in memory only.',
    done: {
      elsewhere:
        'That search is not available here: another server process ran it, or it has expired. Search again. A confirmed deletion continues.',
    },
    searching: (looked: string, most: string, matches: string) =>
      `Searching: ${looked} of up to ${most} submissions checked, ${matches} found so far.`,
    deleting: (done: string, all: string) => `Deleting: ${done} of ${all} submissions.`,
    again: 'Check progress',
    broken:
      'Something went wrong. The server log has details. Submissions that were already deleted stay deleted; search again to find the rest.',
    found: (count: number, number: string, looked: string) =>
      `${count === 1 ? 'One submission contains' : `${number} submissions contain`} the address (${looked} searched).`,
    none: (looked: string) => `No submission contains the address (${looked} searched).`,
    moreFound: (count: string) => `and ${count} more, all in the export`,
    unreadable: (count: string) => `Damaged submissions: ${count}. They cannot be read and may contain the address.`,
    exportTitle: 'Export results',
    exportText: 'For the person, or for your records. Card and social security numbers are masked.',
    exportLines: 'Download JSON Lines',
    exportFiles: 'Download files (ZIP)',
    deleteTitle: (count: number, number: string) =>
      count === 1 ? 'Delete this submission' : `Delete these ${number} submissions`,
    deleteText: 'Files and emails are deleted too, queued or sent. The next page asks you to confirm.',
    deleteStep: 'Delete…',
    finalText:
      'This cannot be undone. Earlier backups still contain the data, and delivered emails cannot be recalled. Deleting submissions does not reduce usage.',
    confirm: 'Delete for good',
    receipt: 'Receipt',
    receiptText:
      'Keep it for your records. It contains the address only as a keyed hash, which only this server can compute.',
    download: 'Download receipt (JSON)',
    submissions: 'Submissions deleted',
    files: 'Files deleted',
    filesLeft: 'Files not removed yet',
    filesLeftText: 'the hourly cleanup removes them; they are unreadable without their submissions',
    mails: 'Emails deleted',
    underWay: 'Emails being sent',
    deliveries: 'Webhook deliveries deleted',
    deliveriesUnderWay: 'Webhook deliveries being sent',
    underWayText: 'they may still arrive',
    savedViews: 'Saved views deleted',
    consents: 'Had agreed to',
    receivers: 'Copies may be at',
    receiversText: 'webhooks and mail recipients of these forms; ask them to delete their copies',
    searchedAt: 'Searched',
    erasedAt: 'Deleted',
    hash: 'Hash of the address',
    complete: 'Complete: no copy of the deleted data is left in the database.',
    pendingRewrite:
      'Pending: SQLite may have left copies of the deleted data in the database file. They are overwritten at most once an hour. Expected:',
    lasting:
      'Deleted from the tables. PostgreSQL keeps encrypted copies in free space and in its write-ahead log until it overwrites them. Earlier backups still contain the data.',
    elsewhere: 'Not included',
    notified: (forms: readonly string[]) =>
      `These forms send notifications to the address: ${forms.map((form) => `“${form}”`).join(', ')}. Remove it in their settings.`,
    others: 'Accounts and invitations of your team are not affected. Submissions from now on are not found.',
    another: 'New search',
  },
  de: {
    intro:
      'Findet alle Einsendungen dieses Teams, die eine E-Mail-Adresse enthalten, damit Sie Anfragen nach Auskunft oder Löschung beantworten können. Es wird nichts gelöscht, bevor Sie bestätigen.',
    address: 'E-Mail-Adresse',
    addressHint:
      'Durchsucht alle Felder und Dateinamen, auch längere Texte und Spam, aber nicht den Inhalt von Dateien.',
    search: 'Suchen',
    lookedFor: 'Gesucht',
    forgotten: 'Die Ergebnisse sind eine Stunde lang verfügbar. Sie bleiben nur im Arbeitsspeicher.',
    done: {
      elsewhere:
        'Diese Suche ist hier nicht verfügbar: Ein anderer Serverprozess hat sie ausgeführt, oder sie ist abgelaufen. Suchen Sie noch einmal. Ein bestätigtes Löschen läuft weiter.',
    },
    searching: (looked: string, most: string, matches: string) =>
      `Suche läuft: ${looked} von höchstens ${most} Einsendungen durchsucht, bisher ${matches} gefunden.`,
    deleting: (done: string, all: string) => `Löschung läuft: ${done} von ${all} Einsendungen.`,
    again: 'Fortschritt prüfen',
    broken:
      'Ein Fehler ist aufgetreten. Näheres steht im Log des Servers. Bereits gelöschte Einsendungen bleiben gelöscht; suchen Sie erneut, um die übrigen zu finden.',
    found: (count: number, number: string, looked: string) =>
      `${count === 1 ? 'Eine Einsendung enthält' : `${number} Einsendungen enthalten`} die Adresse (${looked} durchsucht).`,
    none: (looked: string) => `Keine Einsendung enthält die Adresse (${looked} durchsucht).`,
    moreFound: (count: string) => `und ${count} weitere, alle im Export`,
    unreadable: (count: string) =>
      `Beschädigte Einsendungen: ${count}. Sie sind nicht lesbar und könnten die Adresse enthalten.`,
    exportTitle: 'Ergebnisse exportieren',
    exportText: 'Für die Person oder für Ihre Unterlagen. Karten- und Sozialversicherungsnummern sind maskiert.',
    exportLines: 'JSON Lines herunterladen',
    exportFiles: 'Dateien herunterladen (ZIP)',
    deleteTitle: (count: number, number: string) =>
      count === 1 ? 'Diese Einsendung löschen' : `Diese ${number} Einsendungen löschen`,
    deleteText:
      'Auch Dateien und E-Mails werden gelöscht, wartende wie gesendete. Auf der nächsten Seite bestätigen Sie.',
    deleteStep: 'Löschen …',
    finalText:
      'Das lässt sich nicht rückgängig machen. Ältere Backups enthalten die Daten weiterhin, und zugestellte E-Mails lassen sich nicht zurückholen. Das Löschen verringert den Verbrauch nicht.',
    confirm: 'Endgültig löschen',
    receipt: 'Löschnachweis',
    receiptText:
      'Bewahren Sie ihn für Ihre Unterlagen auf. Er enthält die Adresse nur als Hashwert mit Schlüssel, den nur dieser Server berechnen kann.',
    download: 'Löschnachweis herunterladen (JSON)',
    submissions: 'Gelöschte Einsendungen',
    files: 'Gelöschte Dateien',
    filesLeft: 'Noch nicht entfernte Dateien',
    filesLeftText: 'die stündliche Bereinigung entfernt sie; ohne ihre Einsendungen sind sie nicht lesbar',
    mails: 'Gelöschte E-Mails',
    underWay: 'E-Mails im Versand',
    deliveries: 'Gelöschte Zustellungen an Webhooks',
    deliveriesUnderWay: 'Laufende Zustellungen an Webhooks',
    underWayText: 'sie können noch ankommen',
    savedViews: 'Gespeicherte Ansichten gelöscht',
    consents: 'Hatte zugestimmt',
    receivers: 'Kopien möglich bei',
    receiversText: 'Webhooks und Mail-Empfänger dieser Formulare; bitten Sie dort um Löschung',
    searchedAt: 'Gesucht',
    erasedAt: 'Gelöscht',
    hash: 'Hashwert der Adresse',
    complete: 'Vollständig: Die Datenbank enthält keine Kopie der gelöschten Daten mehr.',
    pendingRewrite:
      'Ausstehend: In der Datenbankdatei können Kopien der gelöschten Daten geblieben sein. Sie werden höchstens einmal pro Stunde überschrieben. Voraussichtlich:',
    lasting:
      'Aus den Tabellen gelöscht. PostgreSQL behält verschlüsselte Kopien in freiem Speicher und im Write-Ahead-Log, bis es sie überschreibt. Ältere Backups enthalten die Daten weiterhin.',
    elsewhere: 'Nicht enthalten',
    notified: (forms: readonly string[]) =>
      `Diese Formulare senden Benachrichtigungen an die Adresse: ${forms.map((form) => `„${form}“`).join(', ')}. Entfernen Sie sie in deren Einstellungen.`,
    others: 'Konten und Einladungen Ihres Teams sind nicht betroffen. Spätere Einsendungen werden nicht erfasst.',
    another: 'Neue Suche',
  },
});
