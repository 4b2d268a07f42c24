import type { Evidence } from './evidence.ts';
import type { FieldText, SubmittedText } from './text.ts';

const LINK = /(?:https?:\/\/|www\.)[^\s<>"'[\]{}|\\^`]{2,}/gi;
const MARKUP = /\[(?:url|link)[=\]]|<a\s[^>]{0,300}href/gi;
const NAME_FIELD =
  /^_?(?:(?:your|full|first|last|sur|user|nick|contact)[-_ ]?)?name$|^(?:vor|nach)name$|^nom(?:bre|e)?$|^navn$/i;
const SHORTENER =
  /(?:https?:\/\/|www\.|\b)(?:bit\.ly|t\.me|tinyurl\.com|cutt\.ly|goo\.gl|is\.gd|rb\.gy|wa\.me|t\.ly|ow\.ly|clck\.ru|vk\.cc)\/\S/i;

/** All links of a submission. */
export function linksOf({ fields }: SubmittedText): string[] {
  return fields.flatMap(({ text }) => text.match(LINK) ?? []);
}

/** What links give away: markup that no such form shows, many of them in few words, one where a name is asked for. */
export function linkEvidence(submitted: SubmittedText): Evidence[] {
  return [markup(submitted), density(submitted), inName(submitted.fields), shortened(submitted)].filter(
    (sign) => sign !== null,
  );
}

function markup({ fields }: SubmittedText): Evidence | null {
  const count = fields.reduce((sum, { text }) => sum + (text.match(MARKUP)?.length ?? 0), 0);
  if (count === 0) return null;
  return { weight: count === 1 ? 50 : 80, reason: count === 1 ? 'a link in markup' : `${count} links in markup` };
}

function density({ fields }: SubmittedText): Evidence | null {
  const text = fields.map((field) => field.text).join('\n');
  const links = text.match(LINK)?.length ?? 0;
  if (links < 3) return null;
  const words = text.replace(LINK, ' ').match(/[\p{L}\p{N}]{2,}/gu)?.length ?? 0;
  if (words / links >= 8) return null;
  return { weight: links >= 6 ? 70 : 50, reason: `${links} links to ${words} words` };
}

function inName(fields: readonly FieldText[]): Evidence | null {
  const isLinked = fields.some(({ name, text }) => NAME_FIELD.test(name) && text.search(LINK) !== -1);
  return isLinked ? { weight: 70, reason: 'a link in the name' } : null;
}

function shortened({ fields }: SubmittedText): Evidence | null {
  return fields.some(({ text }) => SHORTENER.test(text))
    ? { weight: 30, reason: 'a link that hides where it leads' }
    : null;
}
