import { BOUNDARY, ENCODINGS, multipart, type Sent, textPart } from '../../test/fast/visitor/helpers.ts';
import { mutated } from './mutations.ts';
import type { Bytes, Choices, Prng } from './prng.ts';

/** A post as it is sent. */
export type HostilePost = Readonly<{
  headers: Readonly<Record<string, string>>;
  body: Bytes;
  /** `broken off` declares more than it sends and disconnects; `chunked` has two chunks, `dripped` chunks of one byte. */
  framing: 'declared' | 'chunked' | 'dripped' | 'broken off';
  /** True for a valid post with a filled honeypot, which is accepted and not stored. No other post has one. */
  isTrap: boolean;
}>;

type Part = Readonly<{ head: string; content: string }>;

/** Generates a post, mostly a valid form with mutations; one in `largeOnceIn` is close to a limit or over it. */
export function hostilePost(prng: Prng, largeOnceIn = 4): HostilePost {
  if (prng.oneIn(50)) return { ...wrap(wellFormed(prng, true), prng), framing: 'declared', isTrap: true };
  const make = prng.oneIn(largeOnceIn)
    ? outOfBounds
    : prng.pick<typeof outOfBounds>([wellFormed, wellFormed, multipartWithFiles]);
  const { type, body } = make(prng);
  const bytes = mutated(Buffer.from(body), prng, prng.below(4), VALUES);
  const sent = { type: prng.oneIn(8) ? prng.pick(ODD_TYPES) : oddBoundary(type, prng), body: bytes };
  return {
    ...wrap(sent, prng),
    framing: prng.oneIn(60) ? 'broken off' : prng.oneIn(8) ? 'chunked' : 'declared',
    isTrap: false,
  };
}

function wrap({ type, body }: Sent, prng: Prng) {
  const headers = {
    ...(!prng.oneIn(40) && { 'Content-Type': type }),
    ...(prng.oneIn(10) && { Accept: prng.pick(['text/html', 'application/json', '*/*', ';;q=', 'text/html;q=9,']) }),
    ...(prng.oneIn(20) && { Origin: prng.pick(['null', 'https://example.com', 'x', '*']) }),
    ...(prng.oneIn(40) && { 'Content-Encoding': prng.pick(['gzip', 'br', 'identity', 'x']) }),
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

function someFields(prng: Prng): Array<[name: string, value: string]> {
  return Array.from({ length: 1 + prng.below(6) }, () => [
    prng.pick(NAMES),
    Array.from({ length: prng.below(4) }, () => prng.pick(VALUES)).join(''),
  ]);
}

function wellFormed(prng: Prng, isTrap = false): Sent {
  const fields = isTrap
    ? [['a', 'x'] as const, [prng.pick(['_gotcha', '_honey']), 'filled'] as const]
    : someFields(prng);
  const [, encode] = ENCODINGS[prng.below(ENCODINGS.length)] ?? [];
  if (!encode) throw new RangeError('unknown encoding');
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

function multipartWithFiles(prng: Prng): Sent {
  const parts = Array.from({ length: 1 + prng.below(14) }, () => (prng.oneIn(3) ? anyText(prng) : anyFile(prng)));
  return multipart(parts.map(({ head, content }) => `${head}\r\n\r\n${content}`));
}

function anyText(prng: Prng): Part {
  return { head: withExtra(textPart(prng.pick(NAMES), '').replace(/\r\n\r\n$/, ''), prng), content: prng.pick(VALUES) };
}

function anyFile(prng: Prng): Part {
  const disposition = prng.pick(['form-data', 'Form-Data', 'attachment', 'file', '', 'form-data;;']);
  const fileName = prng.pick(FILE_NAMES);
  const named = prng.pick([
    `filename="${fileName}"`,
    `filename=${fileName}`,
    `filename="${fileName}`,
    `filename*=UTF-8''${encodeURIComponent(fileName)}`,
    `filename*=latin9''%zz`,
    `filename="${fileName}"; filename*=UTF-8''x; filename="y"`,
    'filename',
  ]);
  const name = prng.oneIn(10) ? '' : `; name="${prng.pick(NAMES)}"`;
  const type = prng.oneIn(4) ? '' : `\r\nContent-Type: ${prng.pick(FILE_TYPES)}`;
  const head = `Content-Disposition: ${disposition || 'form-data'}${name}; ${named}${type}`;
  return { head: withExtra(head, prng), content: prng.pick(CONTENTS) };
}

function withExtra(head: string, prng: Prng): string {
  if (!prng.oneIn(6)) return head;
  const lines = [head, prng.pick(EXTRA_HEADERS)];
  return (prng.oneIn(2) ? lines : lines.reverse()).join('\r\n');
}

/** Bodies close to a limit or over it. */
function outOfBounds(prng: Prng): Sent {
  const [, encode = () => multipart([])] = ENCODINGS[prng.below(ENCODINGS.length)] ?? [];
  const json = (body: string): Sent => ({ type: 'application/json', body });
  const near = (limit: number) => limit - 2 + prng.below(5);
  return prng.pick<() => Sent>([
    () => encode(Array.from({ length: near(1_000) }, (_, index) => [prng.oneIn(2) ? 'a' : `n${index}`, ''])),
    () => encode(Array.from({ length: 1_001 + prng.below(3_000) }, () => ['', ''])),
    () => encode([['x'.repeat(near(256)), 'x']]),
    () => encode([['é'.repeat(100 + prng.below(60_000)), 'x']]),
    () => encode([['a', 'x'.repeat(near(256 * 1024))]]),
    () => json(`{"a":${'['.repeat(near(31))}${']'.repeat(near(31))}}`),
    () => json(`${prng.pick(['[', '{"a":', '[[{"":'])}`.repeat(prng.below(5_000))),
    () => json(`{"a":${'{"a":'.repeat(near(30))}1${'}'.repeat(near(30))}}`),
    () => json(`{"a":0.1${'0'.repeat(prng.below(20_000))}1}`),
    () => json(`{"a":[${'1e400,'.repeat(prng.below(10_000))}1],"a[]":[${'1,'.repeat(prng.below(10_000))}[]]}`),
    () =>
      json(
        prng.pick([
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

function oddBoundary(type: string, prng: Prng): string {
  if (!type.includes(BOUNDARY) || !prng.oneIn(5)) return type;
  return `multipart/form-data; ${prng.pick([
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
