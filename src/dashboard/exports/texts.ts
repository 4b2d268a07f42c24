import { catalog } from '../ui/catalog.ts';

/** Export of a form’s submissions. */
export const EXPORT_FORM_TEXTS = catalog({
  en: {
    intro: 'Download the submissions of this form. Card and social security numbers are masked, as everywhere.',
    which: 'Selection',
    state: 'Submissions',
    states: {
      genuine: 'Without spam',
      maybe: 'Suspected spam only',
      spam: 'Spam only',
      all: 'All',
      trashed: 'Trash only',
    },
    from: 'From',
    to: 'To (inclusive)',
    days: (zone: string) => `Days in the time zone ${zone}. Leave empty for no limit.`,
    noDate: 'Enter a date such as 2026-11-21.',
    reversed: 'The first day must not be after the last.',
    columns: 'Columns',
    columnsHint: 'For XLSX and CSV. The time is always included.',
    otherFields: 'Other fields of submissions',
    how: 'Download',
    otherFormats: 'Other formats',
    formats: {
      xlsx: {
        text: 'For Excel, Numbers, LibreOffice and Google Sheets: labels as headings, local times, real numbers and dates.',
        download: 'Download XLSX',
      },
      people: {
        text: 'For other spreadsheets: labels as headings, local times, Yes and No.',
        download: 'Download CSV',
      },
      csv: {
        text: 'For programs: field names as headings, times in UTC, values as submitted.',
        download: 'Download raw CSV',
      },
      jsonl: {
        text: 'For programs: one submission per line, with everything the API returns.',
        download: 'Download JSON Lines',
      },
      zip: { text: 'All uploaded files, in a ZIP archive with one folder per submission.', download: 'Download ZIP' },
    },
    howFar: 'Export progress',
    progress: {
      looking: (done: string, all: string) => `Finding columns: ${done} of at most ${all} submissions`,
      writing: (done: string, all: string) => `Writing: ${done} of at most ${all} submissions`,
      done: (done: string) => `Done: the file contains ${done} submissions.`,
      broken: (done: string) =>
        `The export failed after ${done} submissions. The saved file is incomplete: start the export again.`,
    },
    lost: 'Could not get the progress of this export. Check your browser’s downloads for its result.',
    about: 'About these files',
    /** Texts in tables. */
    table: {
      sheet: 'Submissions',
      received: 'Received',
      spam: 'Spam',
      maybeSpam: 'Suspected spam',
      damaged: 'Damaged',
      confirmed: 'Address confirmed',
      consent: 'Consent text',
      id: 'ID',
      otherFields: 'Other fields',
      shortened: '… (shortened)',
    },
    /** Texts in the archive. */
    archive: {
      noFiles: 'These submissions have no files.',
      unreadable: 'These files are damaged or missing, so they are not in this archive:',
    },
  },
  de: {
    intro:
      'Laden Sie die Einsendungen dieses Formulars herunter. Kartennummern und US-Sozialversicherungsnummern sind wie überall maskiert.',
    which: 'Auswahl',
    state: 'Einsendungen',
    states: {
      genuine: 'Ohne Spam',
      maybe: 'Nur Spam-Verdacht',
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
    columnsHint: 'Für XLSX und CSV. Die Zeit ist immer dabei.',
    otherFields: 'Weitere Felder der Einsendungen',
    how: 'Herunterladen',
    otherFormats: 'Weitere Formate',
    formats: {
      xlsx: {
        text: 'Für Excel, Numbers, LibreOffice und Google Tabellen: Beschriftungen als Überschriften, Ortszeit, Zahlen und Daten zum Rechnen.',
        download: 'XLSX herunterladen',
      },
      people: {
        text: 'Für andere Tabellenprogramme: Beschriftungen als Überschriften, Ortszeit, Ja und Nein.',
        download: 'CSV herunterladen',
      },
      csv: {
        text: 'Für Programme: Feldnamen als Überschriften, Zeiten in UTC, Werte wie gesendet.',
        download: 'CSV-Rohdaten herunterladen',
      },
      jsonl: {
        text: 'Für Programme: eine Einsendung pro Zeile, mit allem, was die API liefert.',
        download: 'JSON Lines herunterladen',
      },
      zip: {
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
    table: {
      sheet: 'Einsendungen',
      received: 'Eingegangen',
      spam: 'Spam',
      maybeSpam: 'Spam-Verdacht',
      damaged: 'Beschädigt',
      confirmed: 'Adresse bestätigt',
      consent: 'Einwilligungstext',
      id: 'ID',
      otherFields: 'Weitere Felder',
      shortened: '… (gekürzt)',
    },
    archive: {
      noFiles: 'Diese Einsendungen haben keine Dateien.',
      unreadable: 'Diese Dateien sind beschädigt oder fehlen und sind daher nicht in diesem Archiv:',
    },
  },
});
