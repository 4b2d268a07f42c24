import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from 'node:assert/strict';

/** Traces of an internal error, which no response may contain. */
const TRACE = /node_modules|\bat (?:async )?\S+ \(|\.tsx?:\d|\/src\/|SQLITE_|TypeError|RangeError|ReferenceError/;

/** Checks the format of a refusal (management API, public endpoint or page) and returns its message. */
export async function envelopeOf(answer: Response): Promise<string> {
  ok(answer.status >= 400 && answer.status < 500, `answered with ${answer.status}: ${await answer.clone().text()}`);
  const text = await answer.text();
  doesNotMatch(text, TRACE);
  const type = answer.headers.get('content-type') ?? '';
  if (type.startsWith('text/html')) {
    match(text, /^<!doctype html>/i);
    return 'a page';
  }
  match(type, /^application\/json\b/);
  const body = JSON.parse(text) as Record<string, unknown>;
  strictEqual(body.success, false);
  if ('statusCode' in body) {
    deepStrictEqual(Object.keys(body), ['success', 'error', 'statusCode']);
    strictEqual(body.statusCode, answer.status);
    return wordsOf(body.error);
  }
  const known = ['success', 'message', 'code', 'errors'];
  deepStrictEqual(Object.keys(body), known.slice(0, 'errors' in body ? 4 : 3));
  match(String(body.code), /^[a-z_]+$/);
  return wordsOf(body.message);
}

function wordsOf(message: unknown): string {
  ok(typeof message === 'string' && /\S/.test(message), 'a refusal without words');
  return message;
}
