import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { createApp } from '../../../src/app.ts';
import { DAY, formatTime, HOUR, MINUTE, type Micros, SECOND } from '../../../src/lib/clock.ts';
import { keep, type Page } from '../../../test/fast/api/support.ts';
import { startInstance } from '../../../test/support/instance.ts';
import { envelopeOf } from '../envelope.ts';
import { mutatedText } from '../mutations.ts';
import type { Choices, Prng } from '../prng.ts';
import type { Target } from '../target.ts';

const ROWS = 130;
const WORDS: Choices<string> = [
  'Z',
  '+',
  '-',
  'T',
  ':',
  '.',
  '00',
  '99',
  '60',
  '2026',
  '0000',
  '٢',
  'e1',
  '%',
  '&limit=1',
];

type Row = Readonly<{ id: string; createdAt: Micros }>;

export const cursor: Target = {
  name: 'cursor',
  about: '`before` is refused or returns the newest of the older rows, and pages lose and repeat no row',
  inputs: 30_000,
  open: async () => {
    // Some submissions follow each other by a microsecond, others later.
    let now = Date.UTC(2026, 10, 21, 8) * 1000;
    const instance = await startInstance({ clock: () => now });
    const { owner, context } = instance;
    for (let index = 0; index < ROWS; index++) {
      if (index % 13 === 0) now += [1, 999, MINUTE - 1, HOUR, 40 * DAY][(index / 13) % 5] ?? 0;
      await keep(instance, owner, { index });
    }
    const kept =
      (await context.store.submissions.list(owner.teamId, owner.form.id, { before: null, limit: 1_000 }))?.items ?? [];
    const rows = kept.map(({ id, createdAt }): Row => ({ id, createdAt }));
    strictEqual(rows.length, ROWS);
    const app = createApp(context);
    const path = `/v1/forms/${owner.form.id}/submissions`;
    const headers = { Authorization: `Bearer ${owner.readKey}` };
    const ask = (query: string) => app.handle(new Request(`http://localhost${path}?${query}`, { headers }));
    return {
      check: async (prng) => {
        if (prng.oneIn(1_000)) return walk(ask, rows, 1 + prng.below(100));
        return prng.oneIn(2) ? askBefore(ask, rows, prng) : askHostile(ask, rows, prng);
      },
      close: async () => {
        await instance.stop();
        return [];
      },
    };
  },
};

type Ask = (query: string) => Promise<Response>;

/** Requests a page before a time at or near a row, in any spelling, for which the expected rows are known. */
async function askBefore(ask: Ask, rows: readonly Row[], prng: Prng): Promise<string> {
  const near = prng.pick([0, 0, 1, -1, 500, -DAY, SECOND]);
  const at = (rows[prng.below(rows.length)]?.createdAt ?? 0) + near;
  const limit = 1 + prng.below(prng.oneIn(50) ? 100 : 4);
  const page = await pageOf(await ask(`limit=${limit}&before=${encodeURIComponent(spelling(at, prng))}`));
  deepStrictEqual(
    page,
    expected(
      rows.filter(({ createdAt }) => createdAt < at),
      limit,
    ),
  );
  return 'a page before a moment';
}

/** Returns one of the many RFC 3339 spellings of a time. */
function spelling(at: Micros, prng: Prng): string {
  const minutes = prng.oneIn(2) ? 0 : prng.below(2 * 1_439) - 1_439;
  const text = formatTime(at + minutes * MINUTE).slice(0, -1);
  const digits = prng.oneIn(3) ? text.replace(/\.?0+$/, '') : text + '0'.repeat(prng.below(4));
  const twoDigits = (number: number) => String(Math.floor(number)).padStart(2, '0');
  const size = Math.abs(minutes);
  const sign = minutes < 0 ? '-' : '+';
  const zone =
    minutes === 0
      ? prng.pick(['Z', 'z', '+00:00', '-00:00'])
      : `${sign}${twoDigits(size / 60)}:${twoDigits(size % 60)}`;
  return prng.oneIn(4) ? (digits + zone).replace('T', prng.pick(['t', ' '])) : digits + zone;
}

/** Requests a page with a mutated cursor and checks that the rows have no gap. */
async function askHostile(ask: Ask, rows: readonly Row[], prng: Prng): Promise<string> {
  const text = mutatedText(
    spelling(rows[prng.below(rows.length)]?.createdAt ?? 0, prng),
    prng,
    1 + prng.below(3),
    WORDS,
  );
  const answer = await ask(`before=${prng.oneIn(4) ? text.replace(/[\0-\x20#]/g, '') : encodeURIComponent(text)}`);
  if (answer.status === 400) return `refused: ${(await envelopeOf(answer)).slice(0, 24)}`;
  const page = await pageOf(answer);
  const skipped = rows.findIndex(({ id }) => id === page.ids[0]);
  const rest = page.ids.length === 0 ? [] : rows.slice(skipped);
  ok(skipped !== -1 || page.ids.length === 0, 'a row of somewhere else');
  const limit = /&limit=1/.test(text) ? page.ids.length : 50;
  deepStrictEqual(page, expected(rest, limit));
  return 'a page before something damaged';
}

/** Reads all pages and checks that they contain all rows in order. */
async function walk(ask: Ask, rows: readonly Row[], limit: number): Promise<string> {
  const seen: string[] = [];
  for (let before = ''; ; ) {
    const { ids, next } = await pageOf(await ask(`limit=${limit}${before}`));
    seen.push(...ids);
    if (next === null) break;
    before = `&before=${next}`;
  }
  deepStrictEqual(
    seen,
    rows.map(({ id }) => id),
  );
  return 'all pages';
}

function expected(older: readonly Row[], limit: number) {
  const ids = older.slice(0, limit).map(({ id }) => id);
  const last = older[limit - 1];
  return { ids, next: older.length > limit && last ? formatTime(last.createdAt) : null };
}

async function pageOf(answer: Response) {
  const { data } = (await answer.json()) as { data: Page };
  strictEqual(answer.status, 200);
  return { ids: data.items.map(({ id }) => id), next: data.next_cursor };
}
