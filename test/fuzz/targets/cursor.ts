import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { createApp } from '../../../src/app.ts';
import { DAY, formatTime, HOUR, MINUTE, type Micros, SECOND } from '../../../src/lib/clock.ts';
import { keep, type Page } from '../../fast/api/support.ts';
import { startInstance } from '../../support/instance.ts';
import { damagedText } from '../accidents.ts';
import type { Choices, Dice } from '../dice.ts';
import { envelopeOf } from '../envelope.ts';
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
  about: '`before` is refused or gives the newest of exactly those that are older, and pages lose and repeat no row',
  inputs: 30_000,
  open: async () => {
    // Some come in one microsecond after the other, others after a while.
    let now = Date.UTC(2026, 10, 21, 8) * 1000;
    const instance = await startInstance({ clock: () => now });
    const { owner, context } = instance;
    for (let index = 0; index < ROWS; index++) {
      if (index % 13 === 0) now += [1, 999, MINUTE - 1, HOUR, 40 * DAY][(index / 13) % 5] ?? 0;
      await keep(instance, owner, { index });
    }
    const kept =
      (await context.store.listSubmissions(owner.teamId, owner.form.id, { before: null, limit: 1_000 })) ?? [];
    const rows = kept.map(({ id, createdAt }): Row => ({ id, createdAt }));
    strictEqual(rows.length, ROWS);
    const app = createApp(context);
    const path = `/v1/forms/${owner.form.id}/submissions`;
    const headers = { Authorization: `Bearer ${owner.readKey}` };
    const ask = (query: string) => app.handle(new Request(`http://localhost${path}?${query}`, { headers }));
    return {
      check: async (dice) => {
        if (dice.once(1_000)) return walk(ask, rows, 1 + dice.below(100));
        return dice.once(2) ? askBefore(ask, rows, dice) : askHostile(ask, rows, dice);
      },
      close: async () => {
        await instance.stop();
        return [];
      },
    };
  },
};

type Ask = (query: string) => Promise<Response>;

/** A moment at or beside a row, in any spelling: those older than it are known. */
async function askBefore(ask: Ask, rows: readonly Row[], dice: Dice): Promise<string> {
  const near = dice.pick([0, 0, 1, -1, 500, -DAY, SECOND]);
  const at = (rows[dice.below(rows.length)]?.createdAt ?? 0) + near;
  const limit = 1 + dice.below(dice.once(50) ? 100 : 4);
  const page = await pageOf(await ask(`limit=${limit}&before=${encodeURIComponent(spelling(at, dice))}`));
  deepStrictEqual(
    page,
    expected(
      rows.filter(({ createdAt }) => createdAt < at),
      limit,
    ),
  );
  return 'a page before a moment';
}

/** RFC 3339 has many words for one moment. */
function spelling(at: Micros, dice: Dice): string {
  const minutes = dice.once(2) ? 0 : dice.below(2 * 1_439) - 1_439;
  const text = formatTime(at + minutes * MINUTE).slice(0, -1);
  const digits = dice.once(3) ? text.replace(/\.?0+$/, '') : text + '0'.repeat(dice.below(4));
  const twoDigits = (number: number) => String(Math.floor(number)).padStart(2, '0');
  const size = Math.abs(minutes);
  const sign = minutes < 0 ? '-' : '+';
  const zone =
    minutes === 0
      ? dice.pick(['Z', 'z', '+00:00', '-00:00'])
      : `${sign}${twoDigits(size / 60)}:${twoDigits(size % 60)}`;
  return dice.once(4) ? (digits + zone).replace('T', dice.pick(['t', ' '])) : digits + zone;
}

/** Whatever it is taken for, what comes is a run of rows without a gap. */
async function askHostile(ask: Ask, rows: readonly Row[], dice: Dice): Promise<string> {
  const text = damagedText(
    spelling(rows[dice.below(rows.length)]?.createdAt ?? 0, dice),
    dice,
    1 + dice.below(3),
    WORDS,
  );
  const answer = await ask(`before=${dice.once(4) ? text.replace(/[\0-\x20#]/g, '') : encodeURIComponent(text)}`);
  if (answer.status === 400) return `refused: ${(await envelopeOf(answer)).slice(0, 24)}`;
  const page = await pageOf(answer);
  const skipped = rows.findIndex(({ id }) => id === page.ids[0]);
  const rest = page.ids.length === 0 ? [] : rows.slice(skipped);
  ok(skipped !== -1 || page.ids.length === 0, 'a row of somewhere else');
  const limit = /&limit=1/.test(text) ? page.ids.length : 50;
  deepStrictEqual(page, expected(rest, limit));
  return 'a page before something damaged';
}

/** All pages from the newest to the oldest are all rows, in order. */
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
