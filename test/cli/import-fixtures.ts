/** An export as a service writes it, with the options that it requires and the submissions that it has. */
export type Fixture = Readonly<{
  name: string;
  file: string;
  content: string | Uint8Array;
  options?: readonly string[];
  source: string;
  /** Newest first. */
  submissions: ReadonlyArray<Readonly<{ created_at: string; is_spam?: boolean; data: Record<string, unknown> }>>;
}>;

const csv = (...lines: string[]) => lines.join('\r\n');

/** Encodes text as Windows-1252; its characters must be in Latin-1. */
const latin1 = (text: string) => Buffer.from(text, 'latin1');

const BERLIN = ['--time-zone', 'Europe/Berlin'];

/** As the plugin puts it before values that a spreadsheet could take for a formula. */
const FLAMINGO_WARNING =
  '(Security Alert: Suspicious content is detected. See https://contactform7.com/heads-up-about-spreadsheet-vulnerabilities for details.)';

export const FIXTURES: readonly Fixture[] = [
  {
    name: 'Formspree as JSON, without time zone, with a filled honeypot and delivery states',
    file: 'formspree.json',
    source: 'formspree',
    options: ['--time-zone', 'UTC'],
    content: JSON.stringify({
      fields: ['_date', 'email', 'message', '_status'],
      submissions: [
        {
          _date: '2018-11-03T07:28:29.707632',
          _id: 2,
          email: 'a@example.com',
          message: 'Hi {"[',
          _gotcha: '',
          _status: {},
        },
        { _date: '2018-11-02T07:28:29', _id: 1, _replyto: 'b@example.com', message: '', topics: ['x', 'y'] },
      ],
    }),
    submissions: [
      { created_at: '2018-11-03T07:28:29.707632Z', data: { email: 'a@example.com', message: 'Hi {"[' } },
      { created_at: '2018-11-02T07:28:29.000000Z', data: { _replyto: 'b@example.com', topics: ['x', 'y'] } },
    ],
  },
  {
    name: 'Netlify as CSV with a byte order mark and several lines in a cell',
    file: 'netlify.csv',
    source: 'netlify',
    content: csv(
      '\ufeffname,email,message,created_at,ip,user_agent,referrer',
      'Ada,ada@example.com,"Hello,\r\n""you""",2024-01-15T10:30:00.123Z,192.0.2.1,Mozilla/5.0,https://example.com/',
      '',
    ),
    submissions: [
      {
        created_at: '2024-01-15T10:30:00.123000Z',
        data: { name: 'Ada', email: 'ada@example.com', message: 'Hello,\r\n"you"' },
      },
    ],
  },
  {
    name: 'Netlify as JSON',
    file: 'netlify.json',
    source: 'netlify',
    content: JSON.stringify([
      {
        id: '5ed0e2f6',
        number: 6,
        title: 'Ada',
        email: 'ada@example.com',
        summary: 'Lorem',
        data: {
          name: 'Ada',
          comments: 'Lorem',
          ip: '192.0.2.1',
          user_agent: 'Mozilla/5.0',
          referrer: 'https://example.com',
        },
        created_at: '2020-10-13T14:02:06.088Z',
        human_fields: { 'Name:': 'Ada' },
      },
    ]),
    submissions: [{ created_at: '2020-10-13T14:02:06.088000Z', data: { name: 'Ada', comments: 'Lorem' } }],
  },
  {
    name: 'Typeform as CSV, of which partial responses are left out',
    file: 'responses.csv',
    source: 'typeform',
    content: csv(
      '#,What is your name?,"Message, please",Response Type,Start Date (UTC),Stage Date (UTC),Submit Date (UTC),Network ID',
      'odwdp4nz,Ada,Hi,completed,2024-10-05 02:39:31,,2024-10-05 02:41:38,653e97acae',
      'p2,Bob,,partial,2024-10-05 02:39:31,2024-10-05 02:40:00,,653e97acae',
    ),
    submissions: [
      { created_at: '2024-10-05T02:41:38.000000Z', data: { 'What is your name?': 'Ada', 'Message, please': 'Hi' } },
    ],
  },
  {
    name: 'Tally as CSV, whose times are local',
    file: 'tally.csv',
    source: 'tally',
    options: BERLIN,
    content: csv(
      'Submission ID,Respondent ID,Submitted at,Name,Choices',
      'PgYbzQ,l0WyWk,2024-08-11 23:25:40,Ada,"One, Two"',
      'PgYbzR,l0WyWl,2024-01-11 23:25:40,Bob,',
    ),
    submissions: [
      { created_at: '2024-08-11T21:25:40.000000Z', data: { Name: 'Ada', Choices: 'One, Two' } },
      { created_at: '2024-01-11T22:25:40.000000Z', data: { Name: 'Bob' } },
    ],
  },
  {
    name: 'Google Forms as CSV, downloaded from the form',
    file: 'google.csv',
    source: 'google-forms',
    content: csv(
      '"Timestamp","Email Address","What is 2+2?"',
      '"2026/09/27 3:00:00 PM GMT+3","ada@example.com","Four"',
      '"2026/09/27 12:01:00 AM GMT+3","bob@example.com","Five"',
    ),
    submissions: [
      {
        created_at: '2026-09-27T12:00:00.000000Z',
        data: { 'Email Address': 'ada@example.com', 'What is 2+2?': 'Four' },
      },
      {
        created_at: '2026-09-26T21:01:00.000000Z',
        data: { 'Email Address': 'bob@example.com', 'What is 2+2?': 'Five' },
      },
    ],
  },
  {
    name: 'Google Forms as CSV, downloaded from Sheets; one day above 12 proves the order',
    file: 'sheet.csv',
    source: 'google-forms',
    options: ['--time-zone', 'America/New_York'],
    content: csv('Timestamp,Name', '8/5/2023 19:08:16,Ada', '8/31/2023 9:08:16,Bob'),
    submissions: [
      { created_at: '2023-08-31T13:08:16.000000Z', data: { Name: 'Bob' } },
      { created_at: '2023-08-05T23:08:16.000000Z', data: { Name: 'Ada' } },
    ],
  },
  {
    name: 'Google Forms in German, as a file of Excel in Windows-1252 with semicolons and years of two digits',
    file: 'zeitstempel.csv',
    source: 'google-forms',
    options: [...BERLIN, '--date-order', 'dmy', '--encoding', 'latin1'],
    content: latin1(csv('Zeitstempel;Straße;Größe', '03.02.21 21:30:00;Gänsemarkt 1;groß')),
    submissions: [{ created_at: '2021-02-03T20:30:00.000000Z', data: { Straße: 'Gänsemarkt 1', Größe: 'groß' } }],
  },
  {
    name: 'Google Forms as CSV, with the abbreviation of winter in April',
    file: 'google-april.csv',
    source: 'google-forms',
    options: BERLIN,
    content: csv('"Timestamp","Name"', '"2025/04/29 9:05:12 am CET","Ada"', '"2025/01/29 9:05:12 am CET","Bob"'),
    submissions: [
      { created_at: '2025-04-29T07:05:12.000000Z', data: { Name: 'Ada' } },
      { created_at: '2025-01-29T08:05:12.000000Z', data: { Name: 'Bob' } },
    ],
  },
  {
    name: 'Jotform as CSV, without address and id',
    file: 'jotform.csv',
    source: 'jotform',
    options: BERLIN,
    content: csv('Submission Date,Name,IP,Submission ID', '2024-03-05 10:12:13,Ada,192.0.2.1,5861234'),
    submissions: [{ created_at: '2024-03-05T09:12:13.000000Z', data: { Name: 'Ada' } }],
  },
  {
    name: 'Gravity Forms as CSV, without address, browser and page',
    file: 'gravity.csv',
    source: 'gravity-forms',
    options: BERLIN,
    content: csv(
      '"Name (First)","Entry Id","Entry Date","Date Updated","Source Url","User Agent","User IP"',
      '"Ada","17","2024-03-06 10:12:13","2024-03-06 10:12:13","https://example.com/?a=1","Mozilla/5.0","192.0.2.1"',
    ),
    submissions: [{ created_at: '2024-03-06T09:12:13.000000Z', data: { 'Name (First)': 'Ada' } }],
  },
  {
    name: 'WPForms as CSV, without address and browser',
    file: 'wpforms.csv',
    source: 'wpforms',
    options: BERLIN,
    content: csv(
      'Name,Entry ID,Entry Date,Viewed,Starred,User Device,User Agent,User IP,Unique Generated User ID',
      'Ada,17,"March 5, 2024 10:12 am",1,0,Desktop,Mozilla/5.0,192.0.2.1,0b5c1d8e',
    ),
    submissions: [{ created_at: '2024-03-05T09:12:00.000000Z', data: { Name: 'Ada' } }],
  },
  {
    name: 'Contact Form 7 as CSV of Flamingo, without the warning before formulas',
    file: 'site-flamingo-inbound-2024-03-06.csv',
    source: 'contact-form-7',
    content: csv(
      '"your-name","your-email","your-phone","your-message","Date"',
      `"Ada","ada@example.com","${FLAMINGO_WARNING} +49 30 1234","See (Security Alert) +1","2024-03-09T10:12:13+01:00"`,
    ),
    submissions: [
      {
        created_at: '2024-03-09T09:12:13.000000Z',
        data: {
          'your-name': 'Ada',
          'your-email': 'ada@example.com',
          'your-phone': '+49 30 1234',
          'your-message': 'See (Security Alert) +1',
        },
      },
    ],
  },
  {
    name: 'Microsoft Forms as CSV, saved by Excel',
    file: 'microsoft.csv',
    source: 'microsoft-forms',
    options: [...BERLIN, '--date-order', 'mdy'],
    content: csv(
      'ID,Start time,Completion time,Email,Name,Topic',
      '1,3/7/24 10:10:00,3/7/24 10:12:13,anonymous,,Harps',
    ),
    submissions: [{ created_at: '2024-03-07T09:12:13.000000Z', data: { Email: 'anonymous', Topic: 'Harps' } }],
  },
  {
    name: 'plain CSV of an unknown service, without columns about the visitor in any case, and with a time in any case',
    file: 'unknown.csv',
    source: 'plain',
    options: BERLIN,
    content: csv(
      'SUBMISSION DATE,Name,user ip,USER_AGENT,Ip,IP Address,Referrer,Source URL,Submission ID,Trip',
      '2024-03-08 10:12:13,Ada,192.0.2.1,Mozilla/5.0,192.0.2.2,192.0.2.3,https://example.com,https://example.org,5,Rome',
    ),
    submissions: [{ created_at: '2024-03-08T09:12:13.000000Z', data: { Name: 'Ada', Trip: 'Rome' } }],
  },
  {
    name: 'Typeform as CSV, whose apostrophes before formulas are removed',
    file: 'apostrophes.csv',
    source: 'typeform',
    content: csv('#,Phone,Name,Sum,Submit Date (UTC)', "k1,'+56954000000,'t Hooft,'=1+1,2024-10-05 02:41:39"),
    submissions: [
      { created_at: '2024-10-05T02:41:39.000000Z', data: { Phone: '+56954000000', Name: "'t Hooft", Sum: '=1+1' } },
    ],
  },
  {
    name: 'Basin as JSON with spam and attachments',
    file: 'basin.json',
    source: 'basin',
    content: JSON.stringify({
      submissions: [
        {
          id: 7,
          created_at: '2024-02-01T10:00:00.000Z',
          spam: true,
          ip: '192.0.2.1',
          payload_params: { name: 'Ada', seo: 'cheap links' },
          attachments: [],
        },
        {
          id: 6,
          created_at: '2024-01-31T10:00:00.000Z',
          spam: false,
          payload_params: { name: 'Bob' },
          attachments: [{ public_url: 'https://files.example.com/cv.pdf' }],
        },
      ],
    }),
    submissions: [
      { created_at: '2024-02-01T10:00:00.000000Z', is_spam: true, data: { name: 'Ada', seo: 'cheap links' } },
      {
        created_at: '2024-01-31T10:00:00.000000Z',
        data: { attachments: [{ public_url: 'https://files.example.com/cv.pdf' }], name: 'Bob' },
      },
    ],
  },
  {
    name: 'Getform as JSON, whose dates are ambiguous',
    file: 'getform.json',
    source: 'getform',
    options: ['--time-zone', 'UTC', '--date-order', 'dmy'],
    content: JSON.stringify({
      success: true,
      data: {
        id: '3e7422dd',
        submissions: [
          { name: 'John Doe', email: 'john@example.com', id: 14013383, submissionDate: '03-02-2021 21:30' },
        ],
        pagination: { count: 1 },
      },
    }),
    submissions: [{ created_at: '2021-02-03T21:30:00.000000Z', data: { name: 'John Doe', email: 'john@example.com' } }],
  },
  {
    name: 'plain CSV in UTF-16 with tabs, equal headings, empty rows and cells',
    file: 'plain.tsv',
    source: 'plain',
    content: Buffer.from(
      `\ufeff${csv('Date\tTopic\tTopic\tName', '2024-05-01 10:00 +02:00\tx\ty\tZoë', '', '\t\t\t', '2024-05-02 10:00 +02:00\t\t\tBo')}`,
      'utf16le',
    ),
    submissions: [
      { created_at: '2024-05-02T08:00:00.000000Z', data: { Name: 'Bo' } },
      { created_at: '2024-05-01T08:00:00.000000Z', data: { Topic: ['x', 'y'], Name: 'Zoë' } },
    ],
  },
];
