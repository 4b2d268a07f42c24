/**
 * Sends requests as a process of its own, so that it does not delay the measured ones. The argument is JSON: a download
 * (`url`, `cookie`), or `count` hostile posts of a kind to `url`, a few at a time.
 */
type Work = Readonly<{ url: string; cookie?: string; hostile?: keyof typeof BODIES; count?: number }>;

const MIB = 2 ** 20;
const AT_ONCE = 4;
const FORM = 'application/x-www-form-urlencoded';
const BOUNDARY = 'x'.repeat(20);

const part = (name: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n1\r\n`;
const fill = (text: string, bytes: number) => text.repeat(Math.floor(bytes / Buffer.byteLength(text)));
/** Splits a value over several fields, because a field takes 256 KiB. */
const fields = (value: string, count: number) =>
  Array.from({ length: count }, (_, index) => `f${index}=${fill(value, (MIB - 200) / count)}`).join('&');
const json = (value: string) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`f${index}`, fill(value, MIB / 5 - 40)])));

/** Bodies of just under 1 MiB that take long to decode, score or mask. */
export const BODIES = {
  'urlencoded %C2%AB': [FORM, () => fields('%C2%AB', 11)],
  'JSON of «': ['application/json', () => json('«')],
  'JSON of words': ['application/json', () => json('the quick brown fox ')],
  'JSON of links': ['application/json', () => json('http://a.example/b ')],
  'JSON of addresses': ['application/json', () => json('a@b.example, ')],
  'JSON of digits': ['application/json', () => json('4111 1111 1111 1111 ')],
  'JSON of emoji': ['application/json', () => json('😀👩‍👩‍👧')],
  'JSON of control characters': ['application/json', () => `{"a":"${fill('\\u0001', 250_000)}"}`],
  'deep JSON': ['application/json', () => `{"a":${fill('[', MIB / 2 - 10)}${fill(']', MIB / 2 - 10)}}`],
  'urlencoded &': [FORM, () => `a=1${fill('&', MIB - 10)}`],
  'a thousand parts': [
    `multipart/form-data; boundary=${BOUNDARY}`,
    () => `${Array.from({ length: 999 }, (_, index) => part(`${index}`.padEnd(200, 'n'))).join('')}--${BOUNDARY}--\r\n`,
  ],
} as const satisfies Record<string, readonly [type: string, body: () => string]>;

if (import.meta.main) {
  const { url, cookie = '', hostile, count = 0 } = JSON.parse(process.argv[2] ?? '') as Work;
  if (hostile === undefined) await (await fetch(url, { headers: { Cookie: cookie } })).arrayBuffer();
  else await post(url, hostile, count);
}

async function post(url: string, kind: keyof typeof BODIES, count: number): Promise<void> {
  const [type, body] = BODIES[kind];
  const text = body();
  let left = count;
  const lane = async () => {
    while (left-- > 0) {
      await (await fetch(url, { method: 'POST', body: text, headers: { 'Content-Type': type } })).arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
