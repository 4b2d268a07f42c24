export const EXPORT = {
  /** Export of a form’s submissions. */
  exportForm: {
    intro: 'Download the submissions of this form. Card and social security numbers are masked, as everywhere.',
    which: 'Selection',
    state: 'Submissions',
    states: { genuine: 'Without spam', maybe: 'Maybe spam only', spam: 'Spam only', all: 'All', trashed: 'Trash only' },
    from: 'From',
    to: 'To (inclusive)',
    days: (zone: string) => `Days in the time zone ${zone}. Leave empty for no limit.`,
    noDate: 'Enter a date such as 2026-11-21.',
    reversed: 'The first day must not be after the last.',
    columns: 'Columns',
    columnsHint: 'For XLSX and CSV. The time and the ID are always included.',
    otherFields: 'Other fields of submissions',
    how: 'Format',
    formats: {
      xlsx: {
        name: 'Excel (XLSX)',
        text: 'For Excel, Numbers, LibreOffice and Google Sheets: labels as headings, local times, real numbers and dates.',
        download: 'Download XLSX',
      },
      people: {
        name: 'CSV for spreadsheets',
        text: 'Labels as headings, local times, Yes and No.',
        download: 'Download CSV',
      },
      csv: {
        name: 'CSV for programs',
        text: 'Field names as headings, times in UTC, values as submitted.',
        download: 'Download raw CSV',
      },
      jsonl: {
        name: 'JSON Lines',
        text: 'For programs: one submission per line, with everything the API returns.',
        download: 'Download JSON Lines',
      },
      zip: {
        name: 'Files',
        text: 'All uploaded files, in a ZIP archive with one folder per submission.',
        download: 'Download ZIP',
      },
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
    facts: [
      'If an export fails, the browser reports a failed download: a file that arrives is complete. It contains the submissions that existed when the export started.',
      'CSV: UTF-8 with a byte order mark, comma-separated. If Excel shows everything in one column, open the file with “From Text/CSV” on the Data tab.',
      'CSV for programs: Cells that could be read as a formula (they begin with = + - @) are prefixed with an apostrophe, also after a semicolon or on a new line.',
      'CSV for spreadsheets: Only formulas are prefixed. Numbers and phone numbers such as +46 70 123 45 67 stay as they are. In XLSX files no cell is a formula.',
      'XLSX and CSV: Multiple values are joined with semicolons; files are listed by name. Beyond 1,000 fields, the others share one column. A damaged submission can no longer be read completely.',
      'Times are in your time zone in XLSX files and CSV for spreadsheets, and in UTC otherwise.',
    ],
    /** Texts in tables. */
    table: {
      sheet: 'Submissions',
      received: 'Received',
      spam: 'Spam',
      maybeSpam: 'Maybe spam',
      damaged: 'Damaged',
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
};
