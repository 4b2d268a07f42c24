import { pairs } from '../../lib/pairs.ts';
import { catalog } from '../ui/catalog.ts';

const WORDS = pairs({
  which: ['Selection', 'Auswahl'],
  state: ['Submissions', 'Einsendungen'],
  states: {
    genuine: ['Without spam', 'Ohne Spam'],
    maybe: ['Suspected spam only', 'Nur Spam-Verdacht'],
    spam: ['Spam only', 'Nur Spam'],
    all: ['All', 'Alle'],
    trashed: ['Trash only', 'Nur Papierkorb'],
  },
  from: ['From', 'Von'],
  to: ['To (inclusive)', 'Bis einschließlich'],
  noDate: ['Enter a date such as 2026-11-21.', 'Geben Sie ein Datum wie 2026-11-21 ein.'],
  reversed: ['The first day must not be after the last.', 'Der erste Tag darf nicht nach dem letzten liegen.'],
  columns: ['Columns', 'Spalten'],
  columnsHint: ['For XLSX and CSV. The time is always included.', 'Für XLSX und CSV. Die Zeit ist immer dabei.'],
  otherFields: ['Other fields of submissions', 'Weitere Felder der Einsendungen'],
  how: ['Download', 'Herunterladen'],
  otherFormats: ['Other formats', 'Weitere Formate'],
  howFar: ['Export progress', 'Fortschritt des Exports'],
  about: ['About these files', 'Über diese Dateien'],
  /** Texts in tables. */
  table: {
    sheet: ['Submissions', 'Einsendungen'],
    received: ['Received', 'Eingegangen'],
    spam: ['Spam', 'Spam'],
    maybeSpam: ['Suspected spam', 'Spam-Verdacht'],
    damaged: ['Damaged', 'Beschädigt'],
    confirmed: ['Address confirmed', 'Adresse bestätigt'],
    consent: ['Consent text', 'Einwilligungstext'],
    id: ['ID', 'ID'],
    otherFields: ['Other fields', 'Weitere Felder'],
    shortened: ['… (shortened)', '… (gekürzt)'],
  },
  archive: {
    noFiles: ['These submissions have no files.', 'Diese Einsendungen haben keine Dateien.'],
    unreadable: [
      'These files are damaged or missing, so they are not in this archive:',
      'Diese Dateien sind beschädigt oder fehlen und sind daher nicht in diesem Archiv:',
    ],
  },
});

/** Export of a form’s submissions. */
export const EXPORT_FORM_TEXTS = catalog({
  en: {
    ...WORDS.en,
    intro: 'Download the submissions of this form. Card and US social security numbers are masked.',
    days: (zone: string) => `Days in the time zone ${zone}. Leave empty for no limit.`,
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
    progress: {
      looking: (done: string, all: string) => `Finding columns: ${done} of at most ${all} submissions`,
      writing: (done: string, all: string) => `Writing: ${done} of at most ${all} submissions`,
      done: (done: string) => `Done: the file contains ${done} submissions.`,
      broken: (done: string) =>
        `The export failed after ${done} submissions. The saved file is incomplete: start the export again.`,
    },
    lost: 'Could not get the progress of this export. Check your browser’s downloads for its result.',
    /** Texts in the archive. */
  },
  de: {
    ...WORDS.de,
    intro:
      'Laden Sie die Einsendungen dieses Formulars herunter. Kartennummern und US-Sozialversicherungsnummern sind maskiert.',
    days: (zone: string) => `Tage in der Zeitzone ${zone}. Leer lassen, um nicht einzugrenzen.`,
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
    progress: {
      looking: (done: string, all: string) => `Spalten werden gesucht: ${done} von höchstens ${all} Einsendungen`,
      writing: (done: string, all: string) => `Wird geschrieben: ${done} von höchstens ${all} Einsendungen`,
      done: (done: string) => `Fertig: Die Datei enthält ${done} Einsendungen.`,
      broken: (done: string) =>
        `Der Export ist nach ${done} Einsendungen fehlgeschlagen. Die gespeicherte Datei ist unvollständig: Starten Sie den Export neu.`,
    },
    lost: 'Der Fortschritt des Exports konnte nicht abgerufen werden. Prüfen Sie das Ergebnis in den Downloads Ihres Browsers.',
  },
});
