import type { FieldType } from './field-type.ts';

/** The host of a special-scheme URL with its user info; only such hosts are converted to Punycode. */
const HOST = /^[^a-z]*(?:https?|wss?|ftp|file):[/\\]*([^/\\?#]*)/i;
/** Longest host in UTF-16 units: parsing one of 250,000 combining marks takes a minute. */
const MAX_HOST_LENGTH = 300;

export const url = {
  label: { en: 'URL', de: 'URL' },
  sign: ['link', 'green'],
  accepts: 'an absolute URL',
  isValid: (text) => {
    const [, host = ''] = HOST.exec(text.replace(/[\t\n\r]/g, '')) ?? [];
    return host.length <= MAX_HOST_LENGTH && URL.canParse(text);
  },
  html: { control: 'input', type: 'url', autocomplete: 'url' },
  sample: () => 'https://example.com',
  needsLabel: true,
} as const satisfies FieldType;
