import type { Texts } from '../index.ts';

export const ERASE: Pick<Texts, 'erase'> = {
  /** Erasing a person. */
  erase: {
    title: 'Daten einer Person löschen',
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
};
