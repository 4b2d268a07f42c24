/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Markup } from '../../../lib/markup.ts';

const WEB_ADDRESS = /https?:\/\/[^\s<>"'`{}|\\^]+/;
const MAIL_ADDRESS = /(?<![\w.%+-])[\w.%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\w-])/u;
/** With a country code. */
const PHONE_NUMBER = /(?<![\w+])\+\d[\d ()./-]{6,18}\d(?![\w*])/;
/** Takes linear time: repetitions are bounded, or end at a delimiter. */
const LINK = new RegExp([WEB_ADDRESS, MAIL_ADDRESS, PHONE_NUMBER].map(({ source }) => source).join('|'), 'giu');
const MAX_LINKS = 100;
const MAX_URL_LENGTH = 2_000;

const PHONE = /^\s*\+?[\d ()./-]{6,24}\s*$/;
/** Names of fields for phone numbers. */
export const PHONE_FIELD = /phone|mobile|mobil|handy|^tel|[_-]tel|^fax|cell/i;

/** A masked text with its links, mail addresses and phone numbers as links. `isPhone` in a field for phone numbers. */
export function LinkedText({ text, isPhone = false }: Readonly<{ text: string; isPhone?: boolean }>) {
  if (isPhone && PHONE.test(text)) return <bdi>{phoneLink(text)}</bdi>;
  const parts: Array<Markup | string> = [];
  let end = 0;
  for (const match of text.matchAll(LINK)) {
    if (parts.length >= 2 * MAX_LINKS) break;
    const target = trimmed(match[0]);
    const link = getLink(target);
    if (!link) continue;
    parts.push(text.slice(end, match.index), link);
    end = match.index + target.length;
  }
  return (
    <bdi>
      {parts}
      {text.slice(end)}
    </bdi>
  );
}

function getLink(text: string): Markup | null {
  if (/^https?:/i.test(text)) return webLink(text);
  if (text.startsWith('+')) return phoneLink(text);
  const at = text.lastIndexOf('@');
  return <a href={`mailto:${encodeURIComponent(text.slice(0, at))}@${text.slice(at + 1)}`}>{text}</a>;
}

/** A link to another site, which learns nothing of this page. Null if the text is no URL, or was masked. */
function webLink(text: string): Markup | null {
  const isWhole = text.length <= MAX_URL_LENGTH && !text.includes('***');
  const isUrl = isWhole && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  return isUrl ? (
    <a href={text} rel="noopener noreferrer">
      {text}
    </a>
  ) : null;
}

function phoneLink(text: string): Markup {
  const digits = text.replace(/\D/g, '');
  return <a href={`tel:${text.trim().startsWith('+') ? '+' : ''}${digits}`}>{text}</a>;
}

/** Leaves out punctuation after a link. */
function trimmed(text: string): string {
  const bare = text.replace(/[.,;:!?]+$/, '');
  return bare.endsWith(')') && !bare.includes('(') ? bare.slice(0, -1) : bare;
}
