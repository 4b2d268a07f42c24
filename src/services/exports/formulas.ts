/** White space and invisible characters, which some programs drop before they look for a formula. */
const INVISIBLE = /^[\s\p{C}\p{DI}]*/u;
const BEGINS_FORMULA = /^[=@＝＠+\-＋－]/;
const HAS_FORMULA_CHARACTER = /[=@＝＠+\-＋－\t\r]/;
/** The rest of a text after `+` or `-` with a call, or a reference to a program or file. */
const CALL = /[(|!]/;

/**
 * Disarms formulas with an apostrophe: at the start of a text, and after a semicolon or line break, where spreadsheets
 * in locales with semicolon lists end the cell. `+` and `-` begin a formula if a call or a reference follows.
 */
export const disarm = (text: string): string => mapSegments(text, (rest) => CALL.test(rest));

/** Digits with separators that are no operators, such as `46 70 123 45 67`, `49 (0)30 1234`, `5` or `1,234.50`. */
const NUMBER_OR_PHONE = /^\s?\(?\d[\d\s().,]*(?:e[+-]?\d{1,3})?$/i;
/** A phone number with dashes or slashes. The space between digits keeps it from being an expression. */
const SPACED_PHONE = /^\s?\(?\d[\d().,/-]*\s\(?\d[\d\s().,/-]*$/;

/**
 * Disarms formulas for people. Follows OWASP's "CSV Injection" (a leading `=`, `+`, `-`, `@`, tab or carriage return),
 * except that numbers and phone numbers behind a sign stay as they are: with digits alone nothing can be called or
 * referred to. `+49-30-123` is disarmed, because spreadsheets would show the difference.
 */
export function disarmForPeople(text: string): string {
  const isHarmless = (rest: string) => NUMBER_OR_PHONE.test(rest) || SPACED_PHONE.test(rest);
  const safe = mapSegments(text, (rest, isFirst) => !isHarmless(rest) && (isFirst || CALL.test(rest)));
  return /^[\t\r]/.test(safe) ? `'${safe}` : safe;
}

/** Puts an apostrophe before formulas. `isFormula` decides about segments that begin with `+` or `-`. */
function mapSegments(text: string, isFormula: (rest: string, isFirst: boolean) => boolean): string {
  if (!HAS_FORMULA_CHARACTER.test(text)) return text;
  let isFirst = true;
  return text.replace(/[^;\r\n]+/g, (segment) => {
    const first = isFirst;
    const [lead = ''] = INVISIBLE.exec(segment) ?? [];
    const body = segment.slice(lead.length);
    if (body !== '') isFirst = false;
    if (!BEGINS_FORMULA.test(body)) return segment;
    return /^[=@＝＠]/.test(body) || isFormula(body.slice(1), first) ? `${lead}'${body}` : segment;
  });
}
