import { randomNames } from './names.ts';
import type { Labelled } from './set.ts';

/** A post in order of arrival. `isRepeat` is true after the first post of a campaign. */
export type Arrival = Labelled & Readonly<{ isRepeat: boolean }>;

/** Copies of a campaign at most. The number of copies falls as in what forms receive: most come once or twice. */
const MAX_COPIES = 40;
const GREETINGS = ['Hi', 'Hello,', 'Good day,', 'Dear team,', 'Hey there,', 'Greetings,', 'To the owner,'];

/**
 * Returns what one form receives: genuine texts once, and each spam text as a campaign, whose copies have other senders
 * and partly other greetings, numbers, links and words. The same seed gives the same posts.
 */
export function arrivals(texts: readonly Labelled[], seed: number): Arrival[] {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const nextName = randomNames(seed);
  const posts = texts.flatMap((text) => {
    const copies = text.isSpam ? Math.min(MAX_COPIES, Math.floor((1 - random()) ** -0.8)) : 1;
    const from = random();
    return Array.from({ length: copies }, (_, copy) => ({
      at: from + random() * (1 - from) * Number(copy > 0),
      post: { ...text, fields: copy === 0 ? text.fields : varied(text.fields, nextName(), random), isRepeat: copy > 0 },
    }));
  });
  return posts.sort((a, b) => a.at - b.at).map(({ post }) => post);
}

/** Returns the fields under another sender. Half of the copies vary nothing else. */
function varied(fields: Labelled['fields'], name: string, random: () => number): Labelled['fields'] {
  const kind = random();
  const longest = Math.max(...Object.values(fields).map((value) => String(value).length));
  const change = (field: string, value: unknown): unknown => {
    const text = String(value);
    if (/name/i.test(field)) return name;
    if (/^[^\s@]+@[^\s@]+$/.test(text)) return `${name.toLowerCase().replace(/[^a-z]+/g, '.')}@mail.example`;
    if (text.length < longest || kind < 0.5) return value;
    const greeting = GREETINGS[Math.floor(random() * GREETINGS.length)] ?? '';
    const renewed = text
      .replace(/^[^\n,]{2,30},/, greeting)
      .replace(/\d/g, () => String(Math.floor(random() * 10)))
      .replace(/(https?:\/\/[^\s/]+)\/\S*/g, (_, host) => `${host}/${Math.floor(random() * 1e6).toString(36)}`);
    return kind < 0.85 ? renewed : renewed.replace(/\p{L}{4,}/gu, (word) => (random() < 0.1 ? `really ${word}` : word));
  };
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, change(field, value)]));
}
