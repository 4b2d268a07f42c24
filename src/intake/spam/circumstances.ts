import { linksOf, NAME_FIELD } from './links.ts';
import type { SubmittedText } from './text.ts';

const WORD = /[\p{L}\p{N}]+/gu;
const FEW = 45;
/** More would tell nothing more, and takes time. */
const MAX_CHARACTERS = 4_000;

const PRICE =
  /(?:[$€£¥₽₴₹₺]|\b(?:us\$|r\$|usd|eur|gbp|btc|eth|usdt|chf|pln)) ?\d|\d[\d.,  ]{0,12}(?:[$€£¥₽₴₹₺円元]|万円|万元|원|만원|(?:usd|eur|euros?|dollars?|gbp|btc|eth|usdt|zł|pln|kč|kr|tl|руб|рублей|грн|тыс|млн|million|chf|дол)(?![\p{L}]))/iu;
const SHARE = /\d ?%/;
const MESSENGER =
  /\b(?:t\.me|wa\.me|telegram|whats ?app|wechat|skype|signal group)\b|(?:телег|ватсап|вотсап|вайбер|微信|qq ?[:：]|tg ?[:：]|line ?id|ライン|카톡|텔레|واتساب)|(?<![\p{L}\p{N}.])@[a-z][a-z0-9_]{4,31}(?![\p{L}\p{N}.@])/iu;
const MAILBOX =
  /[\w.+-]{1,64}@(?:gmail|yahoo|hotmail|outlook|proton|protonmail|mail|yandex|gmx|aol|icloud|tutanota|163|qq|126|bk|inbox|list|rambler|web|wp|o2|interia|seznam|libero|orange|laposte)\.[a-z]{2,4}/i;
const TIME =
  /(?<!\d)(?:[1-9]\d?) ?(?:h|hrs?|hours?|min|mins|minutes?|days?|weeks?|months?|std|stunden?|minuten?|tagen?|wochen|monaten?|heures?|jours?|semaines?|mois|horas?|minutos?|d[ií]as?|dias?|semanas?|meses|ore|minuti|giorni|settimane|mesi|uur|dagen|weken|maanden|godzin\p{L}*|minut\p{L}*|dni|tygodni\p{L}*|miesi\p{L}*|час\p{L}*|мин\p{L}*|д[ен]\p{L}{1,3}|недел\p{L}*|месяц\p{L}*|годин\p{L}*|хвилин\p{L}*|timmar|dagar|veckor|hodin|dn[íů]|saat|dakika|gün)(?!\p{L})|\d ?(?:時間|分|日|週間|ヶ月|小时|分钟|天|个月|小時|分鐘|시간|분|일)|三个月|\b(?:today|tonight|tomorrow|heute|hoy|aujourd'hui|hoje|oggi|vandaag|dziś|idag|bugün)\b|сегодня|本日|今日|今天|오늘/iu;
/** Endings of hosts that cost next to nothing. */
const RISKY =
  /(?:^|[\s"'(<=@]|:\/\/)[\w.-]{2,100}\.(?:top|icu|buzz|click|xyz|site|online|vip|win|bid|loan|men|cyou|cfd|sbs|rest|monster|quest|bond|lol|shop|tk|ml|ga|cf|gq)(?![\w-])/i;
const BARE_HOST =
  /(?<![\w@.])[a-z0-9][a-z0-9-]{2,60}\.(?:com|net|org|io|co|shop|store|top|xyz|site|online|click|buzz|icu|club|vip|ru|cn|info|biz|me)\b/i;
const EMOJI = /\p{Extended_Pictographic}/gu;
const ARROW = /[→➡👉►▶]|>>|=>|-->/u;

/**
 * What says nothing by itself, but much beside words of spam: prices, haste, ways to pay or to answer elsewhere. Those that
 * are met, in words for the owner.
 */
export function circumstancesOf(submitted: SubmittedText): string[] {
  const all = submitted.all.slice(0, MAX_CHARACTERS);
  const message = submitted.message.slice(0, MAX_CHARACTERS);
  const isLinked = linksOf(submitted).length > 0 || BARE_HOST.test(message);
  const isShort = (message.match(WORD)?.length ?? 0) < FEW;
  const emojis = all.match(EMOJI)?.length ?? 0;
  const circumstances: ReadonlyArray<readonly [isMet: boolean, name: string]> = [
    [isLinked, isShort ? 'a link and few words' : 'a link'],
    [MAILBOX.test(message), 'a free mailbox in the text'],
    [MESSENGER.test(all), 'an account at a messenger'],
    [RISKY.test(all), 'an address where spam is at home'],
    [PRICE.test(message), 'a price or a sum'],
    [emojis >= 2 && isLinked, 'emojis beside a link'],
    [repeatsName(submitted), 'the same text in two fields'],
    [SHARE.test(message), 'a share in per cent'],
    [TIME.test(message), 'a time'],
    [ARROW.test(all) && isLinked, 'an arrow beside a link'],
    [isSentenceNamed(submitted), 'a sentence in place of a name'],
  ];
  return circumstances.filter(([isMet]) => isMet).map(([, name]) => name);
}

function isSentenceNamed({ fields }: SubmittedText): boolean {
  return fields.some(({ name, text }) => NAME_FIELD.test(name) && (text.match(WORD)?.length ?? 0) >= 5);
}

/** Two short fields with the same text. */
function repeatsName({ fields }: SubmittedText): boolean {
  const texts = fields.map(({ text }) => text.trim().toLowerCase()).filter((text) => text.length >= 3);
  return new Set(texts).size < texts.length;
}
