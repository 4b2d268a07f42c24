import { AppError } from '../../domain/errors.ts';
import { type PayloadValue, SUBMISSION_LIMITS } from '../../domain/submission.ts';
import { refuseLongName, refuseTooManyFields, valueTooLong } from './entries.ts';
import { applyRewrites, beginsNumber, endOfNumber, type Rewrite, rewriteNumber } from './json-numbers.ts';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  endOfBlank,
  endOfString,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './json-scanner';

/** The name of a member and the text of its value; only parsing that tells whether it is JSON. */
export type JsonMember = readonly [name: string, value: string];

/**
 * Cuts a JSON object (RFC 8259) into its members, one after another, before anything recursive sees the text. A number
 * that a double cannot hold comes out as a string. The text was JSON if every value is. Throws `AppError` for anything
 * but an object, and beyond the limits.
 */
export function* cutMembers(text: string): Generator<JsonMember> {
  const walk = new JsonWalk(text);
  if (!walk.take(OPEN_BRACE)) throw notJson();
  if (!walk.take(CLOSE_BRACE)) {
    let members = 0;
    do {
      refuseTooManyFields(++members);
      const name = walk.takeName();
      refuseLongName(name);
      yield [name, walk.takeValue(name)];
    } while (walk.take(COMMA));
    if (!walk.take(CLOSE_BRACE)) throw notJson();
  }
  if (!walk.isAtEnd()) throw notJson();
}

/** Throws `AppError` for what is not JSON. */
export function parseJson(text: string): PayloadValue {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

function notJson(): AppError {
  return new AppError('unreadable_body', 'The body is not a JSON object; send {"name": "value"}.');
}

class JsonWalk {
  #at = 0;

  constructor(private readonly text: string) {}

  /** Steps over white space and, if it comes next, over this mark. */
  take(mark: number): boolean {
    this.#at = endOfBlank(this.text, this.#at);
    const isNext = this.text.charCodeAt(this.#at) === mark;
    if (isNext) this.#at++;
    return isNext;
  }

  isAtEnd(): boolean {
    return endOfBlank(this.text, this.#at) === this.text.length;
  }

  /** Steps over a name and its colon. */
  takeName(): string {
    if (!this.take(QUOTE)) throw notJson();
    const start = this.#at - 1;
    this.#at = endOfString(this.text, start);
    const name = this.text.slice(start, this.#at);
    if (!this.take(COLON)) throw notJson();
    return String(parseJson(name));
  }

  /** Steps to the comma or brace behind a value. */
  takeValue(name: string): string {
    const { text } = this;
    const start = this.#at;
    const rewrites: Rewrite[] = [];
    let depth = 1;
    let marks = 0;
    let at = start;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (depth === 1 && (code === COMMA || code === CLOSE_BRACE)) break;
      if (code === QUOTE) {
        at = endOfString(text, at);
        marks += 2;
      } else if (beginsNumber(code)) {
        const end = endOfNumber(text, at);
        const instead = rewriteNumber(text, at, end);
        if (instead !== null) {
          rewrites.push([at, end, instead]);
          marks += instead.length;
        }
        at = end;
      } else {
        at++;
        if (code === OPEN_BRACE || code === OPEN_BRACKET) {
          depth++;
          marks += 2;
        } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
        else if (code === COMMA) marks++;
      }
      if (depth > SUBMISSION_LIMITS.jsonDepth) throw tooDeep();
      // However else it is written, the value has them: the rest of a hostile one is not worth a look.
      if (marks > SUBMISSION_LIMITS.valueBytes) throw valueTooLong(name);
    }
    this.#at = at;
    return applyRewrites(text, start, at, rewrites);
  }
}

function tooDeep(): AppError {
  return new AppError('too_deep', `The JSON is nested deeper than ${SUBMISSION_LIMITS.jsonDepth} levels.`);
}
