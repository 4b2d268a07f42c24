import type { Bytes, Choices, Prng } from './prng.ts';

type Accident = (bytes: Bytes, prng: Prng, words: Choices<string>) => Bytes;

const MARKS: Choices<string> = ['\r\n', '"', '{', '}', '[', '&', '=', '%', ':', ',', '\\', ';', '\n', '\0', ' '];

/** Random changes to bytes. */
const ACCIDENTS: Choices<Accident> = [
  (bytes, prng) => bytes.subarray(0, prng.below(bytes.length + 1)),
  (bytes, prng) => bytes.subarray(prng.below(bytes.length + 1)),
  (bytes, prng) => splice(bytes, prng, prng.bytes(1 + prng.below(8)), 0),
  (bytes, prng) => splice(bytes, prng, prng.bytes(1), 1),
  (bytes, prng) => splice(bytes, prng, Buffer.alloc(0), 1 + prng.below(20)),
  (bytes, prng, words) => splice(bytes, prng, Buffer.from(prng.pick(words)), 0),
  (bytes, prng) => splice(bytes, prng, Buffer.from(prng.pick(MARKS)), 1),
  (bytes, prng) => {
    const from = prng.below(bytes.length + 1);
    return splice(bytes, prng, bytes.subarray(from, from + prng.below(200)), 0);
  },
  (bytes) => Buffer.concat([bytes, bytes]),
  (_bytes, prng) => prng.bytes(prng.below(300)),
];

/** Applies `count` random mutations; `words` are tokens with a meaning in the format. */
export function mutated(bytes: Bytes, prng: Prng, accidents: number, words: Choices<string>): Bytes {
  let result = bytes;
  for (let times = 0; times < accidents; times++) result = prng.pick(ACCIDENTS)(result, prng, words);
  return result;
}

/** Mutates a text; invalid UTF-8 is replaced by U+FFFD. */
export function mutatedText(text: string, prng: Prng, accidents: number, words: Choices<string>): string {
  return mutated(Buffer.from(text), prng, accidents, words).toString();
}

function splice(bytes: Bytes, prng: Prng, inserted: Bytes, removed: number): Bytes {
  const at = prng.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)]);
}
