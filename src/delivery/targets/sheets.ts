import { Type } from '@sinclair/typebox';
import { jsonObject } from '../../lib/json.ts';
import { getToken, parseServiceAccount, type ServiceAccount } from './google-token.ts';
import { type EventBatch, type Kind, refuseSetting } from './kind.ts';
import { sheetRows } from './sheet-rows.ts';
import type { Send, TargetAnswer, TargetEvent } from './target.ts';

export type SheetsSettings = ServiceAccount & Readonly<{ sheet: string }>;

/** Submissions that one attempt may append. Google allows 60 writes a minute for each account. */
export const SHEETS_BATCH = 20;

/** Address that stands for all sheets. */
const SHEETS_URL = 'https://sheets.googleapis.com/';

const API = `${SHEETS_URL}v4/spreadsheets`;
const FIELDS = 'sheets(properties(sheetId,title,gridProperties.columnCount),data.rowData.values.formattedValue)';

/** The first sheet of a spreadsheet with its first row. */
type Sheet = Readonly<{ id: number; title: string; width: number; titles: readonly string[] }>;

type Write = Readonly<{ method?: 'PUT'; path: string; body: object }>;

const OPTIONS = {
  sheet: {
    schema: Type.String({ description: 'ID or address of the Google spreadsheet, for the kind sheets.' }),
    isAddress: true,
    label: { en: 'Spreadsheet', de: 'Tabelle' },
    hint: {
      en: 'Its address, copied from the browser. Share it with the service account as an editor.',
      de: 'Ihre Adresse aus dem Browser. Geben Sie die Tabelle für das Dienstkonto zum Bearbeiten frei.',
    },
  },
  credentials: {
    schema: Type.String({
      writeOnly: true,
      description: 'JSON key of the Google service account, for the kind sheets.',
    }),
    isAddress: true,
    isLong: true,
    label: { en: 'Key of the service account', de: 'Schlüssel des Dienstkontos' },
    hint: {
      en: 'The content of the JSON file from the Google Cloud console. It is stored encrypted.',
      de: 'Der Inhalt der JSON-Datei aus der Google Cloud Console. Er wird verschlüsselt gespeichert.',
    },
    summary: {
      label: { en: 'Service account', de: 'Dienstkonto' },
      read: (credentials: string) => String(JSON.parse(credentials).client_email),
      isSet: {
        en: (account: string) => `Set, for ${account}. Leave empty to keep it.`,
        de: (account: string) => `Gesetzt, für ${account}. Leer lassen, um ihn zu behalten.`,
      },
    },
  },
};

/** A Google spreadsheet that gets a row for each submission. */
export const sheets: Kind<typeof OPTIONS> = {
  name: { en: 'Google Sheets', de: 'Google Tabellen' },
  icon: { path: 'M4.5 4h15v16h-15zm0 5.5h15m-15 5h15M10 9.5V20', hue: 'green' },
  hint: {
    en: 'Appends a row to a Google spreadsheet for each submission.',
    de: 'Fügt einer Google-Tabelle für jede Einsendung eine Zeile an.',
  },
  takes: [],
  options: OPTIONS,
  fixedUrl: SHEETS_URL,
  batch: SHEETS_BATCH,
  maxBytes: 256 * 1024,
  check: parseSheets,
  prepare: (settings, batch) => ({
    request: null,
    run: (send) => appendRows(send, parseSheets(settings), batch.events(), batch),
  }),
  interpret({ status, body }) {
    const { error } = jsonObject(body);
    if (error === 'invalid_grant' || error === 'invalid_client') {
      return { reason: 'Google refused the key of the service account. Create a new key and set it.' };
    }
    if (status === 403) {
      return {
        reason: 'Google Sheets refused access. Enable the API, and share the sheet with the service account as editor.',
      };
    }
    if (status === 404)
      return { reason: 'Google Sheets found no such spreadsheet. Set the address of an existing one.' };
    return status === 429 ? { retryAfterSeconds: 60 } : {};
  },
};

/** Parses a spreadsheet's id or address, and the service account's key. Throws `invalid_input`. */
export function parseSheets({ sheet = '', credentials = '' }): SheetsSettings {
  const [, id] = /^(?:https:\/\/docs\.google\.com\/spreadsheets\/d\/)?([\w-]{20,})(?:[/?#]|$)/.exec(sheet.trim()) ?? [];
  if (!id) {
    throw refuseSetting('sheet', {
      api: 'Google Sheets needs the address of a spreadsheet. Copy it from the browser.',
      en: 'Enter the address of a spreadsheet. Copy it from the browser.',
      de: 'Geben Sie die Adresse einer Tabelle ein. Kopieren Sie sie aus dem Browser.',
    });
  }
  return { sheet: id, ...parseServiceAccount(credentials) };
}

/**
 * Appends a row for each new or test submission, after adding missing columns to the first row. Returns the last answer,
 * or the first one other than 200; then no row was appended. Throws for a 200 that is not Google's. `send` must read answers
 * up to 256 KiB.
 */
export async function appendRows(
  send: Send,
  settings: SheetsSettings,
  events: readonly TargetEvent[],
  { tokens, now }: Pick<EventBatch, 'tokens' | 'now'>,
): Promise<TargetAnswer> {
  const token = await getToken(send, settings, tokens, now);
  if (typeof token !== 'string') return token;
  const url = `${API}/${settings.sheet}`;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const read = `${url}?ranges=1:1&fields=${encodeURIComponent(FIELDS)}`;
  let answer = await send({ method: 'GET', url: read, headers, body: '' });
  if (answer.status === 401) tokens.delete(settings.privateKey);
  const writes = answer.status === 200 ? writesFor(parseSheet(answer.body), events) : [];
  for (const { path, body, ...method } of writes) {
    answer = await send({ ...method, url: url + path, headers, body: JSON.stringify(body) });
    if (answer.status !== 200) break;
  }
  return answer;
}

/** Returns the requests that widen the sheet, write new titles and append rows. RAW keeps text from becoming formulas. */
function writesFor(sheet: Sheet, events: readonly TargetEvent[]): Write[] {
  const added = events.filter(
    ({ type, submission }) => (type === 'submission.created' || type === 'webhook.test') && submission !== null,
  );
  if (added.length === 0) return [];
  const { columns, rows } = sheetRows(sheet.titles, added);
  const titles = columns.map((title, index) => (title === sheet.titles[index] ? null : title));
  const values = `/values/${encodeURIComponent(`'${sheet.title.replaceAll("'", "''")}'!A1`)}`;
  const writes: Write[] = [];
  if (columns.length > sheet.width) {
    const length = columns.length - sheet.width;
    const widen = { appendDimension: { sheetId: sheet.id, dimension: 'COLUMNS', length } };
    writes.push({ path: ':batchUpdate', body: { requests: [widen] } });
  }
  // Google leaves cells alone for which it gets null.
  if (titles.some(Boolean)) {
    writes.push({ method: 'PUT', path: `${values}?valueInputOption=RAW`, body: { values: [titles] } });
  }
  const query = 'valueInputOption=RAW&insertDataOption=INSERT_ROWS';
  return [...writes, { path: `${values}:append?${query}`, body: { values: rows } }];
}

function parseSheet(body: string): Sheet {
  const {
    sheets: [{ properties, data: [{ rowData: [{ values = [] } = {}] = [] } = {}] = [] }],
  } = JSON.parse(body);
  return {
    id: properties.sheetId,
    title: properties.title,
    width: properties.gridProperties.columnCount,
    titles: values.map(({ formattedValue = '' }: { formattedValue?: string }) => formattedValue),
  };
}
