import type { Totals } from './features/totals.ts';
import { gibberishSignals } from './gibberish.ts';
import { linkSignals } from './links.ts';
import { type Signal, SPAM_THRESHOLD } from './signal.ts';
import { CHAR_CLASS, type FieldText, type SubmittedText } from './text.ts';
import { isKnownWord } from './wording.ts';

/** Texts of more words hardly consist of a probe: they are taken for a report about one. */
const FEW_WORDS = 12;

/**
 * Returns the signals that don't depend on language. Most take regular expressions, so each is sought only where the
 * numbers of things in the submission leave it possible.
 */
export function structureSignals(submitted: SubmittedText, totals: Totals): Signal[] {
  const { links, tags, code, units, words, jumps, mixed, hidden } = totals;
  const signals: Signal[] = [];
  if (links + tags > 0) signals.push(...linkSignals(submitted));
  if (mixed + hidden > 0) signals.push(...scriptSignals(submitted));
  if (jumps > 0 || words <= FEW_WORDS) signals.push(...gibberishSignals(submitted));
  if (submitted.fields.length > 1) signals.push(...duplicateFieldSignals(submitted));
  if (submitted.fields.length > 1 && words <= FEW_WORDS) signals.push(...madeUpNameSignals(submitted));
  if (links + tags > 0) signals.push(...explicitSignals(submitted));
  if (code + units > 0) signals.push(...templateSignals(submitted));
  if (code > 0 || words <= FEW_WORDS) signals.push(...exploitProbeSignals(submitted));
  return signals;
}

const WORD = /\p{L}{3,}/gu;
const LATIN = /\p{Script=Latin}/u;
const LOOKALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
/** Zero-width space, word joiner or byte order mark between letters; not the joiners that some scripts need. */
const HIDDEN = /\p{L}[\u200b\u2060\ufeff]+(?=\p{L})/gu;

/** Finds words disguised against filters: with lookalike letters of other alphabets, or with hidden characters. */
function scriptSignals({ all: text, charClasses }: SubmittedText): Signal[] {
  if ((charClasses & CHAR_CLASS.foreign) === 0) return [];
  const signals: Signal[] = [];
  if (LOOKALIKE.test(text)) {
    const words = text.match(WORD) ?? [];
    const mixed = words.filter((word) => LATIN.test(word) && LOOKALIKE.test(word)).length;
    const isMany = mixed >= 5 || (mixed >= 3 && mixed / words.length > 0.1);
    // Technical texts in Cyrillic mix alphabets too, so these words alone never flag such a text.
    const isLatin = mixed >= 5 && words.filter((word) => !LOOKALIKE.test(word)).length > words.length / 2;
    const weight = isLatin ? SPAM_THRESHOLD : isMany ? 60 : 20;
    if (mixed > 0) signals.push({ weight, reason: `${mixed} words with mixed alphabets` });
  }
  const hidden = text.match(HIDDEN)?.length ?? 0;
  if (hidden >= 2)
    signals.push({ weight: hidden >= 4 ? SPAM_THRESHOLD : 60, reason: `${hidden} hidden characters within words` });
  return signals;
}

const PROBE =
  /<script\b|<(?:img|svg|body|iframe)\b[^>]{0,80}\bon\w{3,12}=|\bor\s+['"]?1['"]?\s*=\s*['"]?1|union\s+(?:all\s+)?select\b|\$\{jndi:|(?:\.\.[/\\]){2}|[;|`]\s*(?:cat|wget|curl|ping|nslookup|id|whoami)\b|\$\((?:cat|curl|id|sleep|nslookup)|waitfor\s+delay|sleep\(\d|pg_sleep|\{\{\s*\d+\s*\*\s*\d+\s*\}\}|\$\{\s*\d+\s*\*|<%=\s*\d|etc\/passwd|win\.ini|\bdbms_pipe|xp_cmdshell|<!entity|javascript:\w+\(|%0d%0a|\r?\n(?:bcc|cc):\s?\S+@|php:\/\/filter|169\.254\.169\.254|\bextractvalue\(|\bbenchmark\(\d/i;

/** Cheap prefilter: characters or words that every probe contains and most texts don't. */
const PROBE_HINT = /[<'"$;|`{\\/=\n(_]|select|delay|win\.ini|169\.254|%0d/i;

const MANY_SPACES = 30;
const MAX_LENGTH = 2000;

/** Finds payloads of vulnerability scanners. Only fields with few other words count, since people report probes too. */
function exploitProbeSignals({ fields }: SubmittedText): Signal[] {
  const count = fields.filter(({ text }) => PROBE_HINT.test(text) && hasFewWords(text) && PROBE.test(text)).length;
  if (count === 0) return [];
  return [{ weight: count === 1 ? 80 : SPAM_THRESHOLD, reason: 'an exploit probe instead of text' }];
}

function hasFewWords(text: string): boolean {
  // Counting spaces is cheaper than matching words and decides most texts.
  let spaces = 0;
  for (let at = text.indexOf(' '); at !== -1; at = text.indexOf(' ', at + 1))
    if (++spaces === MANY_SPACES) return false;
  return (text.slice(0, MAX_LENGTH).match(/\p{L}{2,}/gu)?.length ?? 0) <= FEW_WORDS;
}

/** Spintax: alternative wordings of which the program should have chosen one. */
const ALTERNATIVES = /\{[^{}|\n]{0,80}\|[^{}\n]{0,200}\}/g;
/** A placeholder in braces, percent signs, brackets or hashes, but not in double braces: people paste mail templates. */
const PLACEHOLDER =
  /(?<![{\p{L}])(?:\{|%|\[|#)(?:first|last|full|company|business|site|domain|website|user|city|your)?[-_ ]?(?:name|domain|website|url|site|keyword\d?|niche|city|company|industry|link|email)(?:\}|%|\]|#)(?![}\p{L}])/giu;

/** Characters that begin alternatives and placeholders. */
const OPENINGS = ['{', '%', '[', '#'];

/** Finds remains of spam templates. People never send alternatives and rarely send placeholders. */
function templateSignals({ all: text }: SubmittedText): Signal[] {
  if (!OPENINGS.some((opening) => text.includes(opening))) return [];
  const alternatives = text.match(ALTERNATIVES)?.length ?? 0;
  const placeholders = text.match(PLACEHOLDER)?.length ?? 0;
  const signals: Signal[] = [];
  if (alternatives >= 2) {
    const weight = alternatives >= 4 ? SPAM_THRESHOLD : 60;
    signals.push({ weight, reason: `${alternatives} unresolved template alternatives` });
  }
  if (placeholders >= 2) {
    const weight = placeholders >= 4 ? 70 : 50;
    signals.push({ weight, reason: `${placeholders} unfilled template placeholders` });
  }
  return signals;
}

const MESSAGE_FIELD =
  /^_?(?:your[-_ ]?)?(?:message|msg|comments?|text|body|inquiry|enquiry|question|nachricht|mitteilung|anfrage|bericht|mensaje|mensagem|messaggio|wiadomo[sś][cć]|сообщение|メッセージ|お問い合わせ内容|留言)$/i;
const MAX_FULL_NAME = 40;
const FULL_NAME = /^\p{Lu}\p{Ll}{2,14} \p{Lu}\p{Ll}{2,14}$/u;

/** Finds bots that probe a form with a made-up name as the message, and another one as the sender. */
function madeUpNameSignals({ fields }: SubmittedText): Signal[] {
  const message = fields.find(
    ({ name, text, isNameField }) =>
      !isNameField && text.length < MAX_FULL_NAME && FULL_NAME.test(text.trim()) && MESSAGE_FIELD.test(name),
  );
  const sender = message && fields.find(({ isNameField }) => isNameField)?.value.split(/\s+/);
  if (!message || !sender) return [];
  const words = message.value.split(' ');
  if (words.some((word) => sender.includes(word) || isKnownWord(word))) return [];
  return [{ weight: sender.length === 1 ? SPAM_THRESHOLD : 90, reason: 'a name as the whole message' }];
}

/** Words of explicit offers, which count with a link only: people ask about many things. */
const EXPLICIT =
  /(?<!\p{L})(?:porn\p{L}*|nudes?|escorts?|onlyfans|sexy|sexcam|sex (?:chat|cams?|dating|video|tonight)|hook ?ups?|cam ?girls?|milfs?|blow ?jobs?|horny|fuck\p{L}*|naked|порно\p{L}*|секс\p{L}*|интим\p{L}*|эскорт)(?!\p{L})/gu;

/** Cheap prefilter: every explicit word has one of these, and most texts don't. */
const EXPLICIT_HINT = /porn|nude|escort|onlyfans|sex|hook|cam|milf|blow|horny|fuck|naked|порно|секс|интим|эскорт/;

function explicitSignals({ message: { value } }: SubmittedText): Signal[] {
  const text = value.slice(0, MAX_LENGTH);
  const words = new Set(EXPLICIT_HINT.test(text) ? text.match(EXPLICIT) : null);
  if (words.size === 0) return [];
  return [{ weight: words.size > 1 ? SPAM_THRESHOLD : 90, reason: 'explicit words with a link' }];
}

const MIN_LENGTH = 6;
/** Characters from which a value is too long for a name. */
const MIN_SENTENCE = 25;

/** Finds bots that fill in every field: the same text in three fields, or a sentence as a name and in another field. */
function duplicateFieldSignals({ fields }: SubmittedText): Signal[] {
  if (!haveSimilarLengths(fields)) return [];
  const long = fields.filter(({ value }) => value.length >= MIN_LENGTH);
  const counts = new Map<string, number>();
  for (const { value } of long) counts.set(value, (counts.get(value) ?? 0) + 1);
  if (counts.size === long.length) return [];
  const maxCount = Math.max(...counts.values());
  if (maxCount >= 3) return [{ weight: 70, reason: `the same text in ${maxCount} fields` }];
  const isRepeatedName = long.some(
    ({ isNameField, value }) => isNameField && value.length >= MIN_SENTENCE && counts.get(value) === 2,
  );
  return isRepeatedName ? [{ weight: 40, reason: 'a sentence as a name and in another field' }] : [];
}

/** Returns whether two values may be the same: false for most submissions, without a look at the values themselves. */
function haveSimilarLengths(fields: readonly FieldText[]): boolean {
  let low = 0;
  let high = 0;
  for (const { text } of fields) {
    const { length } = text.trim();
    if (length < MIN_LENGTH) continue;
    const lowBit = 1 << length;
    const highBit = 1 << (length >>> 5);
    if ((low & lowBit) !== 0 && (high & highBit) !== 0) return true;
    low |= lowBit;
    high |= highBit;
  }
  return false;
}
