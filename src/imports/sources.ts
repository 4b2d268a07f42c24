/** The services whose exports are recognized, and `plain` for other files. */
export const SOURCE_NAMES = [
  'formspree',
  'netlify',
  'tally',
  'typeform',
  'google-forms',
  'basin',
  'getform',
  'jotform',
  'gravity-forms',
  'wpforms',
  'microsoft-forms',
  'formstead',
  'plain',
] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];

/** The columns of a service's exports. The first present one counts. Only names of times are compared without case. */
export type Source = Readonly<{
  name: SourceName;
  /** Columns that only this service's exports have together. */
  signature: ReadonlyArray<readonly string[]>;
  time: readonly string[];
  id: readonly string[];
  /** Columns that mark spam. */
  spam: readonly string[];
  /** The column whose value an import requires, such as a completed response. */
  only?: readonly [column: string, value: string];
  /** Columns about the visitor or the export, which are no fields. */
  dropped: readonly string[];
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

export const SOURCES: readonly Source[] = [
  {
    name: 'formspree',
    signature: [['_date']],
    time: ['_date'],
    id: ['_id'],
    spam: ['_spam'],
    dropped: ['_status'],
  },
  {
    name: 'netlify',
    signature: [
      ['created_at', 'ip', 'user_agent', 'referrer'],
      ['created_at', 'data', 'human_fields'],
      ['created_at', 'data', 'ordered_human_fields'],
    ],
    time: ['created_at'],
    id: ['id'],
    spam: [],
    dropped: VISITOR,
    fields: 'data',
  },
  {
    name: 'typeform',
    signature: [['#', 'Submit Date (UTC)']],
    time: ['Submit Date (UTC)'],
    id: ['#'],
    spam: [],
    only: ['Response Type', 'completed'],
    dropped: ['Start Date (UTC)', 'Stage Date (UTC)', 'Network ID'],
  },
  {
    name: 'tally',
    signature: [['Submission ID', 'Submitted at']],
    time: ['Submitted at'],
    id: ['Submission ID'],
    spam: [],
    dropped: ['Respondent ID'],
  },
  {
    name: 'basin',
    signature: [['created_at', 'payload_params']],
    time: ['created_at'],
    id: ['id'],
    spam: ['spam'],
    dropped: VISITOR,
    fields: 'payload_params',
    kept: ['attachments'],
  },
  {
    name: 'getform',
    signature: [['submissionDate']],
    time: ['submissionDate'],
    id: ['id'],
    spam: [],
    dropped: [],
  },
  {
    name: 'jotform',
    signature: [
      ['Submission Date', 'Submission ID'],
      ['Submission Date', 'IP'],
    ],
    time: ['Submission Date'],
    id: ['Submission ID'],
    spam: [],
    dropped: ['Last Update Date'],
  },
  {
    name: 'gravity-forms',
    signature: [
      ['Entry Id', 'Entry Date'],
      ['Entry ID', 'Entry Date', 'Source Url'],
    ],
    time: ['Entry Date'],
    id: ['Entry Id', 'Entry ID'],
    spam: [],
    dropped: ['Created By (User Id)', 'Date Updated', 'Post Id'],
  },
  {
    name: 'wpforms',
    signature: [['Entry ID', 'Entry Date']],
    time: ['Entry Date'],
    id: ['Entry ID'],
    spam: [],
    dropped: [
      ...['Entry Notes', 'Viewed', 'Starred', 'User Device', 'Unique Generated User ID', 'Geolocation Details'],
      'User Journey',
    ],
  },
  {
    name: 'microsoft-forms',
    signature: [['Start time', 'Completion time']],
    time: ['Completion time'],
    id: ['ID', 'Id'],
    spam: [],
    dropped: ['Start time', 'Last modified time'],
  },
  {
    name: 'formstead',
    signature: [['id', 'created_at', 'is_spam']],
    time: ['created_at'],
    id: ['id'],
    spam: ['is_spam'],
    dropped: ['file_metadata', 'maybe_spam', 'is_damaged'],
    fields: 'data',
  },
  {
    name: 'google-forms',
    signature: GOOGLE_TIMES.map((name) => [name]),
    time: GOOGLE_TIMES,
    id: [],
    spam: [],
    dropped: [],
  },
  { name: 'plain', signature: [[]], time: PLAIN_TIMES, id: [], spam: [], dropped: [] },
];

/** Returns the source of that name. */
export function sourceNamed(name: SourceName): Source {
  return SOURCES.find((source) => source.name === name) as Source;
}

/** Recognizes the service that wrote an export by its columns. */
export function recognizeSource(columns: ReadonlySet<string>): Source {
  const hasAll = (names: readonly string[]) => names.every((name) => columns.has(name));
  return SOURCES.find(({ signature }) => signature.some(hasAll)) ?? sourceNamed('plain');
}
