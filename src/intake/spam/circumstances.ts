import { CHAR_CLASS } from './char-classes.ts';
import { linksOf } from './links.ts';
import type { SubmittedText } from './text.ts';

const WORD = /[\p{L}\p{N}]+/gu;
const FEW = 45;
const NUMBER = /\d+/g;
/** More would tell nothing more, and takes time. */
const MAX_CHARACTERS = 4_000;

/** What stands before a number and behind it; the number is looked at from its first digit on. */
const CURRENCY_BEFORE = /(?:[$€£¥₽₴₹₺]|\b(?:us\$|r\$|usd|eur|gbp|btc|eth|usdt|chf|pln)) ?$/;
const CURRENCY_BEHIND =
  /^\d[\d.,  ]{0,12}(?:[$€£¥₽₴₹₺円元]|万円|万元|원|만원|(?:usd|eur|euros?|dollars?|gbp|btc|eth|usdt|zł|pln|kč|kr|tl|руб|рублей|грн|тыс|млн|million|chf|дол)(?!\p{L}))/u;
const SHARE = /^\d+ ?%/;
const TIME =
  /^(?:[1-9]\d?) ?(?:h|hrs?|hours?|min|mins|minutes?|days?|weeks?|months?|std|stunden?|minuten?|tagen?|wochen|monaten?|heures?|jours?|semaines?|mois|horas?|minutos?|d[ií]as?|dias?|semanas?|meses|ore|minuti|giorni|settimane|mesi|uur|dagen|weken|maanden|godzin\p{L}*|minut\p{L}*|dni|tygodni\p{L}*|miesi\p{L}*|час\p{L}*|мин\p{L}*|д[ен]\p{L}{1,3}|недел\p{L}*|месяц\p{L}*|годин\p{L}*|хвилин\p{L}*|timmar|dagar|veckor|hodin|dn[íů]|saat|dakika|gün)(?!\p{L})|^\d+ ?(?:時間|分|日|週間|ヶ月|小时|分钟|天|个月|小時|分鐘|시간|분|일)/u;
const ACCOUNT = /\b(?:t|wa)\.me\/|(?<![\p{L}\p{N}.])@[a-z][a-z0-9_]{4,31}(?![\p{L}\p{N}.@])/u;
const MAILBOX =
  /[\w.+-]{1,64}@(?:gmail|yahoo|hotmail|outlook|proton|protonmail|mail|yandex|gmx|aol|icloud|tutanota|163|qq|126|bk|inbox|list|rambler|web|wp|o2|interia|seznam|libero|orange|laposte)\.[a-z]{2,4}/;
/** Endings of hosts that cost next to nothing. */
const RISKY =
  /(?:^|[\s"'(<=@]|:\/\/)[\w.-]{2,100}\.(?:top|icu|buzz|click|xyz|site|online|vip|win|bid|loan|men|cyou|cfd|sbs|rest|monster|quest|bond|lol|shop|tk|ml|ga|cf|gq)(?![\w-])/;
const BARE_HOST =
  /(?<![\w@.])[a-z0-9][a-z0-9-]{2,60}\.(?:com|net|org|io|co|shop|store|top|xyz|site|online|click|buzz|icu|club|vip|ru|cn|info|biz|me)\b/;
const EMOJI = /\p{Extended_Pictographic}/gu;
const ARROW = /[→➡👉►▶]|>>|=>|-->/u;

/** Characters, more than any currency and any number with its unit have. */
const LONGEST_BEFORE = 6;
const LONGEST_BEHIND = 40;

/**
 * What says nothing by itself, but much beside words of spam: prices, haste, ways to pay or to answer elsewhere. Those that
 * are met, in words for the owner.
 */
export function circumstancesOf(submitted: SubmittedText): string[] {
  const { marks, message } = submitted;
  return [
    ...(marks & (CHAR_CLASS.point | CHAR_CLASS.slash) ? linkCircumstances(submitted) : []),
    ...(marks & (CHAR_CLASS.at | CHAR_CLASS.slash) ? accountCircumstances(submitted) : []),
    ...(message.marks & CHAR_CLASS.digit ? numberCircumstances(message.value.slice(0, MAX_CHARACTERS)) : []),
    ...(repeatsName(submitted) ? ['the same text in two fields'] : []),
    ...(isSentenceNamed(submitted) ? ['a sentence in place of a name'] : []),
  ];
}

function linkCircumstances(submitted: SubmittedText): string[] {
  const all = submitted.all.slice(0, MAX_CHARACTERS).toLowerCase();
  const message = submitted.message.value.slice(0, MAX_CHARACTERS);
  const hasHost = submitted.message.marks & CHAR_CLASS.point && BARE_HOST.test(message);
  const met: string[] = [];
  if (hasHost || linksOf(submitted).length > 0) {
    met.push((message.match(WORD)?.length ?? 0) < FEW ? 'a link and few words' : 'a link');
    if ((all.match(EMOJI)?.length ?? 0) >= 2) met.push('emojis beside a link');
    if (ARROW.test(all)) met.push('an arrow beside a link');
  }
  if (RISKY.test(all)) met.push('an address where spam is at home');
  return met;
}

function accountCircumstances({ all, message }: SubmittedText): string[] {
  const met: string[] = [];
  if (message.marks & CHAR_CLASS.at && MAILBOX.test(message.value.slice(0, MAX_CHARACTERS)))
    met.push('a free mailbox in the text');
  if (ACCOUNT.test(all.slice(0, MAX_CHARACTERS).toLowerCase())) met.push('an account at a messenger');
  return met;
}

function numberCircumstances(text: string): string[] {
  let price = false;
  let share = false;
  let time = false;
  for (const { index } of text.matchAll(NUMBER)) {
    const behind = text.slice(index, index + LONGEST_BEHIND);
    price ||=
      CURRENCY_BEFORE.test(text.slice(Math.max(0, index - LONGEST_BEFORE), index)) || CURRENCY_BEHIND.test(behind);
    share ||= SHARE.test(behind);
    time ||= TIME.test(behind);
  }
  return [
    ...(price ? ['a price or a sum'] : []),
    ...(share ? ['a share in per cent'] : []),
    ...(time ? ['a time'] : []),
  ];
}

function isSentenceNamed({ fields }: SubmittedText): boolean {
  return fields.some(({ asksName, text }) => asksName && (text.match(WORD)?.length ?? 0) >= 5);
}

/** Two short fields with the same text. */
function repeatsName({ fields }: SubmittedText): boolean {
  const values = fields.filter(({ value }) => value.length >= 3);
  return new Set(values.map(({ value }) => value)).size < values.length;
}
