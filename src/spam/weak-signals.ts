import { getLinks } from './links.ts';
import { CHAR_CLASS, type SubmittedText } from './text.ts';

const WORD = /[\p{L}\p{N}]+/gu;
const FEW_WORDS = 45;
const NUMBER = /\d+/g;
/** Limits the work for each text; the first characters are enough to judge it. */
const MAX_CHARACTERS = 4_000;

/** Currencies before a number, and after it; the latter match from the first digit on. */
const CURRENCY_BEFORE = /(?:[$€£¥₽₴₹₺]|\b(?:us\$|r\$|usd|eur|gbp|btc|eth|usdt|chf|pln)) ?$/;
const CURRENCY_AFTER =
  /^\d[\d.,  ]{0,12}(?:[$€£¥₽₴₹₺円元]|万円|万元|원|만원|(?:usd|eur|euros?|dollars?|gbp|btc|eth|usdt|zł|pln|kč|kr|tl|руб|рублей|грн|тыс|млн|million|chf|дол)(?!\p{L}))/u;
const PERCENTAGE = /^\d+ ?%/;
const TIME_SPAN =
  /^(?:[1-9]\d?) ?(?:h|hrs?|hours?|min|mins|minutes?|days?|weeks?|months?|std|stunden?|minuten?|tagen?|wochen|monaten?|heures?|jours?|semaines?|mois|horas?|minutos?|d[ií]as?|dias?|semanas?|meses|ore|minuti|giorni|settimane|mesi|uur|dagen|weken|maanden|godzin\p{L}*|minut\p{L}*|dni|tygodni\p{L}*|miesi\p{L}*|час\p{L}*|мин\p{L}*|д[ен]\p{L}{1,3}|недел\p{L}*|месяц\p{L}*|годин\p{L}*|хвилин\p{L}*|timmar|dagar|veckor|hodin|dn[íů]|saat|dakika|gün)(?!\p{L})|^\d+ ?(?:時間|分|日|週間|ヶ月|小时|分钟|天|个月|小時|分鐘|시간|분|일)/u;
const MESSENGER_ACCOUNT = /\b(?:t|wa)\.me\/|@(?<![\p{L}\p{N}.]@)[a-z][a-z0-9_]{4,31}(?![\p{L}\p{N}.@])/u;
const FREE_MAILBOX =
  /@(?<=[\w.+-]@)(?:gmail|yahoo|hotmail|outlook|proton|protonmail|mail|yandex|gmx|aol|icloud|tutanota|163|qq|126|bk|inbox|list|rambler|web|wp|o2|interia|seznam|libero|orange|laposte)\.[a-z]{2,4}/;
/**
 * Hosts under cheap top-level domains. This one and the next begin at the point and look back from there, because most
 * texts have few points.
 */
const CHEAP_HOST =
  /\.(?:top|icu|buzz|click|xyz|site|online|vip|win|bid|loan|men|cyou|cfd|sbs|rest|monster|quest|bond|lol|shop|tk|ml|ga|cf|gq)(?![\w-])(?<=(?:^|[\s"'(<=@]|:\/\/)[\w.-]{2,100}\.[a-z]{2,7})/;
const BARE_HOST =
  /\.(?:com|net|org|io|co|shop|store|top|xyz|site|online|click|buzz|icu|club|vip|ru|cn|info|biz|me)\b(?<=(?<![\w@.])[a-z0-9][a-z0-9-]{2,60}\.[a-z]{2,6})/;
const EMOJI = /\p{Extended_Pictographic}/gu;
const ARROW = /[→➡👉►▶]|>>|=>|-->/u;

/** Characters searched before and after the start of a number: longer than any currency, or number with unit. */
const MAX_BEFORE = 6;
const MAX_AFTER = 40;

/**
 * Returns names, readable by the owner, of signals that mean nothing alone but much with spam wording: prices,
 * urgency, ways to pay or to reply elsewhere.
 */
export function weakSignals(submitted: SubmittedText): string[] {
  const { charClasses, message } = submitted;
  return [
    ...(charClasses & (CHAR_CLASS.point | CHAR_CLASS.slash) ? linkSignals(submitted) : []),
    ...(charClasses & (CHAR_CLASS.at | CHAR_CLASS.slash) ? accountSignals(submitted) : []),
    ...(message.charClasses & CHAR_CLASS.digit ? numberSignals(message.value.slice(0, MAX_CHARACTERS)) : []),
    ...(hasRepeatedValue(submitted) ? ['the same text in two fields'] : []),
    ...(hasSentenceAsName(submitted) ? ['a sentence instead of a name'] : []),
  ];
}

function linkSignals(submitted: SubmittedText): string[] {
  const all = submitted.all.slice(0, MAX_CHARACTERS).toLowerCase();
  const message = submitted.message.value.slice(0, MAX_CHARACTERS);
  const hasHost = submitted.message.charClasses & CHAR_CLASS.point && BARE_HOST.test(message);
  const names: string[] = [];
  if (hasHost || getLinks(submitted).length > 0) {
    names.push((message.match(WORD)?.length ?? 0) < FEW_WORDS ? 'a link and few words' : 'a link');
    if ((all.match(EMOJI)?.length ?? 0) >= 2) names.push('emojis with a link');
    if (ARROW.test(all)) names.push('an arrow with a link');
  }
  if (CHEAP_HOST.test(all)) names.push('a host name typical of spam');
  return names;
}

function accountSignals({ all, message }: SubmittedText): string[] {
  const names: string[] = [];
  if (message.charClasses & CHAR_CLASS.at && FREE_MAILBOX.test(message.value.slice(0, MAX_CHARACTERS)))
    names.push('a free email address in the text');
  if (MESSENGER_ACCOUNT.test(all.slice(0, MAX_CHARACTERS).toLowerCase())) names.push('a messenger account');
  return names;
}

function numberSignals(text: string): string[] {
  let hasPrice = false;
  let hasPercentage = false;
  let hasTimeSpan = false;
  for (const { index } of text.matchAll(NUMBER)) {
    const rest = text.slice(index, index + MAX_AFTER);
    hasPrice ||= CURRENCY_BEFORE.test(text.slice(Math.max(0, index - MAX_BEFORE), index)) || CURRENCY_AFTER.test(rest);
    hasPercentage ||= PERCENTAGE.test(rest);
    hasTimeSpan ||= TIME_SPAN.test(rest);
  }
  return [
    ...(hasPrice ? ['a price'] : []),
    ...(hasPercentage ? ['a percentage'] : []),
    ...(hasTimeSpan ? ['a time span'] : []),
  ];
}

function hasSentenceAsName({ fields }: SubmittedText): boolean {
  return fields.some(({ isNameField, text }) => isNameField && (text.match(WORD)?.length ?? 0) >= 5);
}

function hasRepeatedValue({ fields }: SubmittedText): boolean {
  const values = fields.filter(({ value }) => value.length >= 3);
  return new Set(values.map(({ value }) => value)).size < values.length;
}
