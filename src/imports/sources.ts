/** The columns of a service's exports. The first present one counts. Only names of times are compared without case. */
type Columns = Readonly<{
  /** Columns that only this service's exports have together. */
  signature: ReadonlyArray<readonly string[]>;
  time: readonly string[];
  id?: readonly string[];
  /** Columns that mark spam. */
  spam?: readonly string[];
  /** The column whose value an import requires, such as a completed response. */
  only?: readonly [column: string, value: string];
  /** Columns about the visitor or the export, which are no fields. */
  dropped?: readonly string[];
  /** The object in JSON that has the fields. Other properties are dropped, except those of `kept`. */
  fields?: string;
  kept?: readonly string[];
}>;

const VISITOR = ['ip', 'user_agent', 'referrer', 'referer'];
const ABOUT_VISITOR =
  /^(?:(?:user|visitor|client|remote|submission)?ip(?:address)?|useragent|refer?rer(?:url)?|sourceurl|submissionid)$/;

/** Returns whether a column of any service is about the visitor or the export: `User IP`, `user_agent`, `Source Url`. */
export function isAboutVisitor(column: string): boolean {
  return ABOUT_VISITOR.test(column.toLowerCase().replace(/[\s_-]/g, ''));
}

/** The headings of the column of times in Google Forms, by language of the form's owner. */
const GOOGLE_TIMES = [
  ...['Timestamp', 'Zeitstempel', 'Horodateur', 'Marca temporal', 'Carimbo de data/hora'],
  ...['Informazioni cronologiche', 'Tijdstempel', 'Sygnatura czasowa'],
];

const PLAIN_TIMES = [
  ...['created_at', 'submitted_at', 'received_at', 'createdat', 'submittedat', 'created', 'submitted'],
  ...['created at', 'submitted at', 'submission date', 'date submitted', 'submission time', 'entry date'],
  ...['completion time', 'date', 'datetime', 'timestamp', 'time'],
];

/** The services whose exports are recognized, in the order in which they are looked for, and `plain` for other files. */
const SOURCES = {
  formspree: { signature: [['_date']], time: ['_date'], id: ['_id'], spam: ['_spam'], dropped: ['_status'] },
  netlify: {
    signature: [
      ['created_at', 'ip', 'user_agent', 'referrer'],
      ['created_at', 'data', 'human_fields'],
      ['created_at', 'data', 'ordered_human_fields'],
    ],
    time: ['created_at'],
    id: ['id'],
    dropped: VISITOR,
    fields: 'data',
  },
  typeform: {
    signature: [['#', 'Submit Date (UTC)']],
    time: ['Submit Date (UTC)'],
    id: ['#'],
    only: ['Response Type', 'completed'],
    dropped: ['Start Date (UTC)', 'Stage Date (UTC)', 'Network ID'],
  },
  tally: {
    signature: [['Submission ID', 'Submitted at']],
    time: ['Submitted at'],
    id: ['Submission ID'],
    dropped: ['Respondent ID'],
  },
  basin: {
    signature: [['created_at', 'payload_params']],
    time: ['created_at'],
    id: ['id'],
    spam: ['spam'],
    dropped: VISITOR,
    fields: 'payload_params',
    kept: ['attachments'],
  },
  getform: { signature: [['submissionDate']], time: ['submissionDate'], id: ['id'] },
  jotform: {
    signature: [
      ['Submission Date', 'Submission ID'],
      ['Submission Date', 'IP'],
    ],
    time: ['Submission Date'],
    id: ['Submission ID'],
    dropped: ['Last Update Date'],
  },
  'gravity-forms': {
    signature: [
      ['Entry Id', 'Entry Date'],
      ['Entry ID', 'Entry Date', 'Source Url'],
    ],
    time: ['Entry Date'],
    id: ['Entry Id', 'Entry ID'],
    dropped: ['Created By (User Id)', 'Date Updated', 'Post Id'],
  },
  wpforms: {
    signature: [['Entry ID', 'Entry Date']],
    time: ['Entry Date'],
    id: ['Entry ID'],
    dropped: [
      ...['Entry Notes', 'Viewed', 'Starred', 'User Device', 'Unique Generated User ID', 'Geolocation Details'],
      'User Journey',
    ],
  },
  'microsoft-forms': {
    signature: [['Start time', 'Completion time']],
    time: ['Completion time'],
    id: ['ID', 'Id'],
    dropped: ['Start time', 'Last modified time'],
  },
  /** By the plugin Flamingo, which stores its messages. The names are those of the form that it begins with. */
  'contact-form-7': {
    signature: [
      ['your-email', 'Date'],
      ['your-name', 'Date'],
      ['your-message', 'Date'],
    ],
    time: ['Date'],
  },
  formstead: {
    signature: [['id', 'created_at', 'is_spam']],
    time: ['created_at'],
    id: ['id'],
    spam: ['is_spam'],
    dropped: ['file_metadata', 'maybe_spam', 'is_damaged'],
    fields: 'data',
  },
  'google-forms': { signature: GOOGLE_TIMES.map((name) => [name]), time: GOOGLE_TIMES },
  plain: { signature: [[]], time: PLAIN_TIMES },
} as const satisfies Record<string, Columns>;

export type SourceName = keyof typeof SOURCES;

export const SOURCE_NAMES = Object.keys(SOURCES) as SourceName[];

export type Source = ReturnType<typeof sourceNamed>;

export function sourceNamed(name: SourceName) {
  const columns: Columns = SOURCES[name];
  return { name, id: [], spam: [], dropped: [], ...columns };
}

/** Recognizes the service that wrote an export by its columns. */
export function recognizeSource(columns: ReadonlySet<string>): Source {
  const hasAll = (names: readonly string[]) => names.every((name) => columns.has(name));
  const found = SOURCE_NAMES.find((name) => sourceNamed(name).signature.some(hasAll));
  return sourceNamed(found ?? 'plain');
}
