import { BOUNDARY, ENCODINGS, multipart, type Sent, textPart } from '../fast/submit/helpers.ts';
import { damaged } from './accidents.ts';
import type { Bytes, Choices, Dice } from './dice.ts';

/** One post as it goes over the wire. */
export type HostilePost = Readonly<{
  headers: Readonly<Record<string, string>>;
  body: Bytes;
  /** `broken off` declares more than it sends and hangs up; `chunked` is in two, `dripped` in chunks of a byte. */
  framing: 'declared' | 'chunked' | 'dripped' | 'broken off';
  /** Well formed, with a filled honeypot: answered with yes and not stored. No other post has one. */
  isTrap: boolean;
}>;

type Part = Readonly<{ head: string; content: string }>;

/** Most of it is a form that was well formed and then met with an accident; one in so many is very large, or nearly. */
export function hostilePost(dice: Dice, largeOnceIn = 4): HostilePost {
  if (dice.once(50)) return { ...wrap(wellFormed(dice, true), dice), framing: 'declared', isTrap: true };
  const make = dice.once(largeOnceIn)
    ? outOfBounds
    : dice.pick<typeof outOfBounds>([wellFormed, wellFormed, multipartWithFiles]);
  const { type, body } = make(dice);
  const bytes = damaged(Buffer.from(body), dice, dice.below(4), VALUES);
  const sent = { type: dice.once(8) ? dice.pick(ODD_TYPES) : oddBoundary(type, dice), body: bytes };
  return {
    ...wrap(sent, dice),
    framing: dice.once(60) ? 'broken off' : dice.once(8) ? 'chunked' : 'declared',
    isTrap: false,
  };
}

function wrap({ type, body }: Sent, dice: Dice) {
  const headers = {
    ...(!dice.once(40) && { 'Content-Type': type }),
    ...(dice.once(10) && { Accept: dice.pick(['text/html', 'application/json', '*/*', ';;q=', 'text/html;q=9,']) }),
    ...(dice.once(20) && { Origin: dice.pick(['null', 'https://example.com', 'x', '*']) }),
    ...(dice.once(40) && { 'Content-Encoding': dice.pick(['gzip', 'br', 'identity', 'x']) }),
  };
  return { headers, body: Buffer.from(body) };
}

export const NAMES: Choices<string> = [
  ...(['a', 'b', 'email', '_replyto', '_subject', 'a[]', '[]', 'a[0]', 'a.b', '', ' ', '0', '__proto__'] as const),
  ...([
    'constructor',
    'toString',
    'then',
    '名',
    '😀',
    '"',
    'a\r\nb',
    '%22',
    '\0',
    'captcha-response',
    '_charset_',
  ] as const),
];

export const VALUES: Choices<string> = [
  ...([
    '',
    'x',
    'a value',
    '1',
    '1e400',
    'null',
    '{}',
    '[1]',
    'é',
    '😀',
    '\ufeff',
    '\r\n',
    '\0',
    '%',
    '%41',
    '+',
    '&',
  ] as const),
  ...([
    '=',
    '"',
    '\\',
    '\\u0000',
    '--',
    `--${BOUNDARY}`,
    `\r\n--${BOUNDARY}`,
    `--${BOUNDARY}--`,
    '<script>',
    '\ud800',
  ] as const),
];

function someFields(dice: Dice): Array<[name: string, value: string]> {
  return Array.from({ length: 1 + dice.below(6) }, () => [
    dice.pick(NAMES),
    Array.from({ length: dice.below(4) }, () => dice.pick(VALUES)).join(''),
  ]);
}

function wellFormed(dice: Dice, isTrap = false): Sent {
  const fields = isTrap
    ? [['a', 'x'] as const, [dice.pick(['_gotcha', '_honey']), 'filled'] as const]
    : someFields(dice);
  const [, encode] = ENCODINGS[dice.below(ENCODINGS.length)] ?? [];
  if (!encode) throw new RangeError('there is no such encoding');
  return encode(fields);
}

export const FILE_NAMES: Choices<string> = [
  '',
  'cv.pdf',
  '../../etc/passwd',
  '\0',
  'a"b',
  'é.png',
  'x'.repeat(5_000),
  'a\\b',
  '.',
  'CON',
];

const FILE_TYPES: Choices<string> = [
  'image/png',
  'application/pdf',
  'text/html',
  '',
  'x',
  'image/png; charset=\xff',
  'a/b/c',
  '*/*',
];

const CONTENTS: Choices<string> = [
  '',
  'x',
  '%PDF-1.7',
  '\x89PNG\r\n\x1a\n',
  '<svg onload=alert(1)>',
  '\0'.repeat(70_000),
  '\r\n',
  'PK\x03\x04',
];

const EXTRA_HEADERS: Choices<string> = [
  ...([': x', 'x', ':', ' folded: x', 'Content-Transfer-Encoding: base64', 'Content-Length: 5', '\0: \0'] as const),
  ...(['Content-Disposition: form-data; name="twice"', 'X: '.padEnd(17_000, 'x'), 'X-\xff: é', '\r', '\n'] as const),
];

function multipartWithFiles(dice: Dice): Sent {
  const parts = Array.from({ length: 1 + dice.below(14) }, () => (dice.once(3) ? anyText(dice) : anyFile(dice)));
  return multipart(parts.map(({ head, content }) => `${head}\r\n\r\n${content}`));
}

function anyText(dice: Dice): Part {
  return { head: withExtra(textPart(dice.pick(NAMES), '').replace(/\r\n\r\n$/, ''), dice), content: dice.pick(VALUES) };
}

function anyFile(dice: Dice): Part {
  const disposition = dice.pick(['form-data', 'Form-Data', 'attachment', 'file', '', 'form-data;;']);
  const fileName = dice.pick(FILE_NAMES);
  const named = dice.pick([
    `filename="${fileName}"`,
    `filename=${fileName}`,
    `filename="${fileName}`,
    `filename*=UTF-8''${encodeURIComponent(fileName)}`,
    `filename*=latin9''%zz`,
    `filename="${fileName}"; filename*=UTF-8''x; filename="y"`,
    'filename',
  ]);
  const name = dice.once(10) ? '' : `; name="${dice.pick(NAMES)}"`;
  const type = dice.once(4) ? '' : `\r\nContent-Type: ${dice.pick(FILE_TYPES)}`;
  const head = `Content-Disposition: ${disposition || 'form-data'}${name}; ${named}${type}`;
  return { head: withExtra(head, dice), content: dice.pick(CONTENTS) };
}

function withExtra(head: string, dice: Dice): string {
  if (!dice.once(6)) return head;
  const lines = [head, dice.pick(EXTRA_HEADERS)];
  return (dice.once(2) ? lines : lines.reverse()).join('\r\n');
}

/** Bodies that are too much of something, or nearly. */
function outOfBounds(dice: Dice): Sent {
  const [, encode = () => multipart([])] = ENCODINGS[dice.below(ENCODINGS.length)] ?? [];
  const json = (body: string): Sent => ({ type: 'application/json', body });
  const near = (limit: number) => limit - 2 + dice.below(5);
  return dice.pick<() => Sent>([
    () => encode(Array.from({ length: near(1_000) }, (_, index) => [dice.once(2) ? 'a' : `n${index}`, ''])),
    () => encode(Array.from({ length: 1_001 + dice.below(3_000) }, () => ['', ''])),
    () => encode([['x'.repeat(near(256)), 'x']]),
    () => encode([['é'.repeat(100 + dice.below(60_000)), 'x']]),
    () => encode([['a', 'x'.repeat(near(256 * 1024))]]),
    () => json(`{"a":${'['.repeat(near(31))}${']'.repeat(near(31))}}`),
    () => json(`${dice.pick(['[', '{"a":', '[[{"":'])}`.repeat(dice.below(5_000))),
    () => json(`{"a":${'{"a":'.repeat(near(30))}1${'}'.repeat(near(30))}}`),
    () => json(`{"a":0.1${'0'.repeat(dice.below(20_000))}1}`),
    () => json(`{"a":[${'1e400,'.repeat(dice.below(10_000))}1],"a[]":[${'1,'.repeat(dice.below(10_000))}[]]}`),
    () =>
      json(
        dice.pick([
          '',
          'null',
          '[]',
          '"a"',
          '{}',
          '1',
          '{"a":1}}',
          '{"a":1,}',
          '{"":{}}',
          '{"_subject":1}',
          '\ufeff{"a":1}',
        ]),
      ),
  ])();
}

const ODD_TYPES: Choices<string> = [
  ...([
    '',
    'x',
    '/',
    'text/plain',
    'application/json',
    'application/json; charset=utf-16',
    'multipart/form-data',
  ] as const),
  ...([
    'application/x-www-form-urlencoded; charset=iso-8859-1',
    'multipart/mixed; boundary=x',
    'text/html',
    '*/*',
  ] as const),
  ...([
    'application/xml',
    'application/octet-stream',
    'APPLICATION/JSON;;;',
    'multipart/form-data; boundary=""',
  ] as const),
];

function oddBoundary(type: string, dice: Dice): string {
  if (!type.includes(BOUNDARY) || !dice.once(5)) return type;
  return `multipart/form-data; ${dice.pick([
    `boundary="${BOUNDARY}"`,
    `boundary=${BOUNDARY}; boundary=x`,
    `Boundary=${BOUNDARY};x`,
    `boundary=${BOUNDARY.slice(1)}`,
    `boundary=-`,
    `boundary="`,
    `boundary=${'x'.repeat(71)}`,
    `boundary=" "`,
    `boundary*=UTF-8''${BOUNDARY}`,
    'bound',
  ])}`;
}
