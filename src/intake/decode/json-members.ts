import { AppError } from '../../domain/errors.ts';
import { type PayloadValue, SUBMISSION_LIMITS } from '../../domain/submissions/submission.ts';
import { refuseLongName, refuseTooManyFields, valueTooLong } from './entries.ts';
import { parseExactly } from './json-numbers.ts';

/** Name of a member and the raw text of its value, which is not validated yet. */
export type JsonMember = readonly [name: string, value: string];

/**
 * Splits a JSON object (RFC 8259) into its members without recursion, so that hostile nesting can't exhaust the stack.
 * The values must still be parsed. Throws `AppError` for anything but an object, and beyond the limits.
 */
export function* splitMembers(text: string): Generator<JsonMember> {
  const scanner = new JsonScanner(text);
  if (!scanner.skip(OPEN_BRACE)) throw notJson();
  if (!scanner.skip(CLOSE_BRACE)) {
    let members = 0;
    do {
      refuseTooManyFields(++members);
      const name = scanner.readName();
      refuseLongName(name);
      yield [name, scanner.readValue(name)];
    } while (scanner.skip(COMMA));
    if (!scanner.skip(CLOSE_BRACE)) throw notJson();
  }
  if (!scanner.isAtEnd()) throw notJson();
}

/** Parses a JSON value; a number that a double can't hold becomes a string. Throws `unreadable_body`. */
export function parseJson(text: string): PayloadValue {
  try {
    return parseExactly(text);
  } catch {
    throw notJson();
  }
}

function notJson(): AppError {
  return new AppError('unreadable_body', 'The request body is not a JSON object. Send {"name": "value"}.');
}

class JsonScanner {
  #at = 0;

  constructor(private readonly text: string) {}

  /** Skips white space and, if it is next, the character. Returns whether it was. */
  skip(character: number): boolean {
    this.#at = skipWhitespace(this.text, this.#at);
    const isNext = this.text.charCodeAt(this.#at) === character;
    if (isNext) this.#at++;
    return isNext;
  }

  isAtEnd(): boolean {
    return skipWhitespace(this.text, this.#at) === this.text.length;
  }

  /** Reads a member name and skips its colon. */
  readName(): string {
    if (!this.skip(QUOTE)) throw notJson();
    const start = this.#at - 1;
    this.#at = endOfString(this.text, start);
    const name = this.text.slice(start, this.#at);
    if (!this.skip(COLON)) throw notJson();
    return String(parseJson(name));
  }

  /** Returns the text up to the comma or brace after a value. */
  readValue(name: string): string {
    const { text } = this;
    const start = this.#at;
    let depth = 1;
    let minLength = 0;
    let at = start;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (depth === 1 && (code === COMMA || code === CLOSE_BRACE)) break;
      if (code === QUOTE) {
        at = endOfString(text, at);
        minLength++;
        continue;
      }
      at++;
      if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        depth++;
        minLength++;
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
      else if (code === COMMA) minLength += 2;
      if (depth > SUBMISSION_LIMITS.jsonDepth) throw tooDeep();
      // `minLength` is a lower bound of the value's JSON, so a hostile value is refused without scanning the rest.
      if (minLength > SUBMISSION_LIMITS.valueBytes) throw valueTooLong(name);
    }
    this.#at = at;
    return text.slice(start, at);
  }
}

function tooDeep(): AppError {
  const limit = SUBMISSION_LIMITS.jsonDepth;
  return new AppError('too_deep', `The JSON is nested deeper than ${limit} levels.`, { limit });
}

/** Structural characters of JSON. */
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Returns the index of the first character from `start` on that is not white space. */
function skipWhitespace(text: string, start: number): number {
  let end = start;
  while (isWhitespace(text.charCodeAt(end))) end++;
  return end;
}

const isWhitespace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** Returns the index after the closing quote of the string that begins at `start`; the text's length if unclosed. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
  return text.length;
}
