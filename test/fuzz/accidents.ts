import type { Bytes, Choices, Dice } from './dice.ts';

type Accident = (bytes: Bytes, dice: Dice, words: Choices<string>) => Bytes;

const MARKS: Choices<string> = ['\r\n', '"', '{', '}', '[', '&', '=', '%', ':', ',', '\\', ';', '\n', '\0', ' '];

/** What may happen to bytes on their way. */
const ACCIDENTS: Choices<Accident> = [
  (bytes, dice) => bytes.subarray(0, dice.below(bytes.length + 1)),
  (bytes, dice) => bytes.subarray(dice.below(bytes.length + 1)),
  (bytes, dice) => splice(bytes, dice, dice.bytes(1 + dice.below(8)), 0),
  (bytes, dice) => splice(bytes, dice, dice.bytes(1), 1),
  (bytes, dice) => splice(bytes, dice, Buffer.alloc(0), 1 + dice.below(20)),
  (bytes, dice, words) => splice(bytes, dice, Buffer.from(dice.pick(words)), 0),
  (bytes, dice) => splice(bytes, dice, Buffer.from(dice.pick(MARKS)), 1),
  (bytes, dice) => {
    const from = dice.below(bytes.length + 1);
    return splice(bytes, dice, bytes.subarray(from, from + dice.below(200)), 0);
  },
  (bytes) => Buffer.concat([bytes, bytes]),
  (_bytes, dice) => dice.bytes(dice.below(300)),
];

/** The bytes after so many accidents; `words` are what their reader gives a meaning to. */
export function damaged(bytes: Bytes, dice: Dice, accidents: number, words: Choices<string>): Bytes {
  let result = bytes;
  for (let times = 0; times < accidents; times++) result = dice.pick(ACCIDENTS)(result, dice, words);
  return result;
}

/** The same of a text; what is no UTF-8 any more is replaced. */
export function damagedText(text: string, dice: Dice, accidents: number, words: Choices<string>): string {
  return damaged(Buffer.from(text), dice, accidents, words).toString();
}

function splice(bytes: Bytes, dice: Dice, inserted: Bytes, removed: number): Bytes {
  const at = dice.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)]);
}
