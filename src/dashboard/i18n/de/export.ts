import type { Texts } from '../index.ts';

export const EXPORT: Pick<Texts, 'exportForm'> = {
  exportForm: {
    intro:
      'Laden Sie die Einsendungen dieses Formulars herunter. Kartennummern und US-Sozialversicherungsnummern sind wie überall maskiert.',
    which: 'Auswahl',
    state: 'Einsendungen',
    states: {
      genuine: 'Ohne Spam',
      maybe: 'Nur „Vielleicht Spam“',
      spam: 'Nur Spam',
      all: 'Alle',
      trashed: 'Nur Papierkorb',
    },
    from: 'Von',
    to: 'Bis einschließlich',
    days: (zone: string) => `Tage in der Zeitzone ${zone}. Leer lassen, um nicht einzugrenzen.`,
    noDate: 'Geben Sie ein Datum wie 2026-11-21 ein.',
    reversed: 'Der erste Tag darf nicht nach dem letzten liegen.',
    columns: 'Spalten',
    columnsHint: 'Für XLSX und CSV. Zeit und ID sind immer dabei.',
    otherFields: 'Weitere Felder der Einsendungen',
    how: 'Format',
    formats: {
      xlsx: {
        name: 'Excel (XLSX)',
        text: 'Für Excel, Numbers, LibreOffice und Google Tabellen: Beschriftungen als Überschriften, Ortszeit, Zahlen und Daten zum Rechnen.',
        download: 'XLSX herunterladen',
      },
      people: {
        name: 'CSV für Tabellenprogramme',
        text: 'Beschriftungen als Überschriften, Ortszeit, Ja und Nein.',
        download: 'CSV herunterladen',
      },
      csv: {
        name: 'CSV für Programme',
        text: 'Feldnamen als Überschriften, Zeiten in UTC, Werte wie gesendet.',
        download: 'CSV-Rohdaten herunterladen',
      },
      jsonl: {
        name: 'JSON Lines',
        text: 'Für Programme: eine Einsendung pro Zeile, mit allem, was die API liefert.',
        download: 'JSON Lines herunterladen',
      },
      zip: {
        name: 'Dateien',
        text: 'Alle hochgeladenen Dateien in einem ZIP-Archiv, mit einem Ordner pro Einsendung.',
        download: 'ZIP herunterladen',
      },
    },
    howFar: 'Fortschritt des Exports',
    progress: {
      looking: (done: string, all: string) => `Spalten werden gesucht: ${done} von höchstens ${all} Einsendungen`,
      writing: (done: string, all: string) => `Wird geschrieben: ${done} von höchstens ${all} Einsendungen`,
      done: (done: string) => `Fertig: Die Datei enthält ${done} Einsendungen.`,
      broken: (done: string) =>
        `Der Export ist nach ${done} Einsendungen fehlgeschlagen. Die gespeicherte Datei ist unvollständig: Starten Sie den Export neu.`,
    },
    lost: 'Der Fortschritt des Exports konnte nicht abgerufen werden. Prüfen Sie das Ergebnis in den Downloads Ihres Browsers.',
    about: 'Über diese Dateien',
    facts: [
      'Schlägt ein Export fehl, meldet der Browser einen fehlgeschlagenen Download: Eine Datei, die ankommt, ist vollständig. Sie enthält die Einsendungen, die es beim Start des Exports gab.',
      'CSV: UTF-8 mit Byte Order Mark, durch Kommas getrennt. Zeigt Excel alles in einer Spalte, öffnen Sie die Datei mit „Aus Text/CSV“ unter „Daten“.',
      'CSV für Programme: Zellen, die als Formel gelesen werden könnten (sie beginnen mit = + - @), erhalten einen Apostroph davor, auch nach einem Semikolon oder in einer neuen Zeile.',
      'CSV für Tabellenprogramme: Nur Formeln erhalten einen Apostroph. Zahlen und Telefonnummern wie +46 70 123 45 67 bleiben, wie sie sind. In XLSX-Dateien ist keine Zelle eine Formel.',
      'XLSX und CSV: Mehrere Werte sind durch Semikolons verbunden; Dateien sind mit ihrem Namen aufgeführt. Ab 1.000 Feldern teilen sich die übrigen eine Spalte. Eine beschädigte Einsendung kann nicht mehr vollständig gelesen werden.',
      'Zeiten sind in XLSX-Dateien und in CSV für Tabellenprogramme in Ihrer Zeitzone, sonst in UTC.',
    ],
    table: {
      sheet: 'Einsendungen',
      received: 'Eingegangen',
      spam: 'Spam',
      maybeSpam: 'Vielleicht Spam',
      damaged: 'Beschädigt',
      id: 'ID',
      otherFields: 'Weitere Felder',
      shortened: '… (gekürzt)',
    },
    archive: {
      noFiles: 'Diese Einsendungen haben keine Dateien.',
      unreadable: 'Diese Dateien sind beschädigt oder fehlen und sind daher nicht in diesem Archiv:',
    },
  },
};
