import { linksOf, NAME_FIELD } from './links.ts';
import type { SubmittedText } from './text.ts';

const WORD = /[\p{L}\p{N}]+/gu;
const FEW = 45;
const DIGIT = /\d/;
/** More would tell nothing more, and takes time. */
const MAX_CHARACTERS = 4_000;

const PRICE =
  /(?:[$€£¥₽₴₹₺]|\b(?:us\$|r\$|usd|eur|gbp|btc|eth|usdt|chf|pln)) ?\d|\d[\d.,  ]{0,12}(?:[$€£¥₽₴₹₺円元]|万円|万元|원|만원|(?:usd|eur|euros?|dollars?|gbp|btc|eth|usdt|zł|pln|kč|kr|tl|руб|рублей|грн|тыс|млн|million|chf|дол)(?![\p{L}]))/u;
const SHARE = /\d ?%/;
const TIME =
  /(?<!\d)(?:[1-9]\d?) ?(?:h|hrs?|hours?|min|mins|minutes?|days?|weeks?|months?|std|stunden?|minuten?|tagen?|wochen|monaten?|heures?|jours?|semaines?|mois|horas?|minutos?|d[ií]as?|dias?|semanas?|meses|ore|minuti|giorni|settimane|mesi|uur|dagen|weken|maanden|godzin\p{L}*|minut\p{L}*|dni|tygodni\p{L}*|miesi\p{L}*|час\p{L}*|мин\p{L}*|д[ен]\p{L}{1,3}|недел\p{L}*|месяц\p{L}*|годин\p{L}*|хвилин\p{L}*|timmar|dagar|veckor|hodin|dn[íů]|saat|dakika|gün)(?!\p{L})|\d ?(?:時間|分|日|週間|ヶ月|小时|分钟|天|个月|小時|分鐘|시간|분|일)/u;
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

/**
 * What says nothing by itself, but much beside words of spam: prices, haste, ways to pay or to answer elsewhere. Those that
 * are met, in words for the owner.
 */
export function circumstancesOf(submitted: SubmittedText): string[] {
  const all = submitted.all.slice(0, MAX_CHARACTERS).toLowerCase();
  const message = submitted.message.slice(0, MAX_CHARACTERS).toLowerCase();
  const met: string[] = [];
  const note = (isMet: boolean, name: string) => {
    if (isMet) met.push(name);
  };
  // Most texts have nothing of these, and a character tells so at less cost.
  const hasPoint = all.includes('.') || all.includes('/');
  if (hasPoint && (linksOf(submitted).length > 0 || BARE_HOST.test(message))) {
    const isShort = (message.match(WORD)?.length ?? 0) < FEW;
    note(true, isShort ? 'a link and few words' : 'a link');
    note((all.match(EMOJI)?.length ?? 0) >= 2, 'emojis beside a link');
    note(ARROW.test(all), 'an arrow beside a link');
  }
  note(hasPoint && RISKY.test(all), 'an address where spam is at home');
  if (all.includes('@') || all.includes('.me/')) {
    note(MAILBOX.test(message), 'a free mailbox in the text');
    note(ACCOUNT.test(all), 'an account at a messenger');
  }
  if (DIGIT.test(message)) {
    note(PRICE.test(message), 'a price or a sum');
    note(SHARE.test(message), 'a share in per cent');
    note(TIME.test(message), 'a time');
  }
  note(repeatsName(submitted), 'the same text in two fields');
  note(isSentenceNamed(submitted), 'a sentence in place of a name');
  return met;
}

function isSentenceNamed({ fields }: SubmittedText): boolean {
  return fields.some(({ name, text }) => NAME_FIELD.test(name) && (text.match(WORD)?.length ?? 0) >= 5);
}

/** Two short fields with the same text. */
function repeatsName({ fields }: SubmittedText): boolean {
  const texts = fields.map(({ text }) => text.trim().toLowerCase()).filter((text) => text.length >= 3);
  return new Set(texts).size < texts.length;
}
