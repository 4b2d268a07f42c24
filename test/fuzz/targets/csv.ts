import { deepStrictEqual, doesNotMatch, strictEqual } from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import type { Payload, PayloadValue } from '../../../src/domain/submission.ts';
import { newId } from '../../../src/lib/ids.ts';
import { Semaphore } from '../../../src/lib/semaphore.ts';
import { runExport } from '../../../src/services/export.ts';
import { csvExport } from '../../../src/services/export-csv.ts';
import { payloadAad } from '../../../src/vault/vault.ts';
import { startInstance } from '../../support/instance.ts';
import { damagedText } from '../accidents.ts';
import type { Choices, Dice } from '../dice.ts';
import { NAMES, VALUES } from '../hostile.ts';
import type { Target } from '../target.ts';

const WORDS: Choices<string> = [
  ...([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    "'=1",
    "=cmd|' /C calc'!A0",
  ] as const),
  ...([
    '"',
    '""',
    ',',
    ';',
    '\r\n',
    '\n',
    '\r',
    '";=1;"',
    '\n=1',
    '; =1',
    ';+a(1)',
    '\n-a|b',
    '\ufeff',
    '\0',
    '\u00a0=1',
  ] as const),
];

/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;
/** The same in the middle, where a semicolon or a line break ends a cell. */
const FORMULA_INSIDE = /[;\r\n][^\S\r\n]*[=@＝＠]/;

export const csv: Target = {
  name: 'csv',
  about: 'another parser finds the cells as they were sent, apart from apostrophes, and none that is a formula',
  inputs: 20_000,
  atOnce: 8,
  open: async () => {
    const instance = await startInstance();
    const { context, owner } = instance;
    const deps = { ...context, semaphore: new Semaphore(8) };
    return {
      check: async (dice) => {
        const form = await instance.makeForm(owner);
        const payloads = Array.from({ length: 1 + dice.below(4) }, () => hostilePayload(dice));
        await Promise.all(payloads.map((payload) => accept(instance, form.id, payload)));
        const span = { formId: form.id, state: 'all' as const, from: 0, until: Number.MAX_SAFE_INTEGER };
        const progress = { step: 'looking' as const, submissions: 0, atMost: 0 };
        const pieces = await Array.fromAsync(runExport(deps, csvExport(form), span, progress));
        const rows: string[][] = parse(pieces.join(''), { bom: true, relax_column_count: false });
        const [titles = [], ...found] = rows;
        strictEqual(found.length, payloads.length);
        strictEqual(new Set(titles).size, titles.length, 'two columns have one title');
        for (const cell of rows.flat()) {
          doesNotMatch(cell, FORMULA);
          doesNotMatch(cell, FORMULA_INSIDE);
        }
        const expected = payloads.map(cellsOf);
        const columns = [...new Set(payloads.flat().map(([name]) => name))];
        // They come in the order they were accepted in, which is that of no one in particular: each is one of them.
        const shown = found.map((row) =>
          row
            .slice(4, 4 + columns.length)
            .map(bare)
            .sort(),
        );
        const sent = expected.map((cells) =>
          [...cells, ...Array<string>(columns.length - cells.length).fill('')].map(bare).sort(),
        );
        deepStrictEqual(shown.map((row) => JSON.stringify(row)).sort(), sent.map((row) => JSON.stringify(row)).sort());
        return 'equal';
      },
      close: async () => {
        await instance.stop();
        return [];
      },
    };
  },
};

type Instance = Awaited<ReturnType<typeof startInstance>>;

async function accept({ context }: Instance, formId: string, sent: Payload): Promise<void> {
  const id = newId('sub');
  const payload = context.vault.sealPayload(sent, payloadAad(id, formId));
  const plain = { files: null, blobs: [], spamReasons: null, idempotency: null, challenge: null, mails: [] };
  await context.store.acceptSubmission({ id, formId, isSpam: false, payload, ...plain });
}

function hostilePayload(dice: Dice): Payload {
  const names = new Set(dice.list(5, () => (dice.once(2) ? dice.pick(NAMES) : hostileText(dice))));
  return [...names].map((name) => [name, dice.once(6) ? dice.list(3, () => hostileText(dice)) : hostileText(dice)]);
}

/** Of no text does masking change anything: it has too few digits. */
function hostileText(dice: Dice): string {
  const text = damagedText(dice.pick([...VALUES, ...WORDS] as unknown as Choices<string>), dice, dice.below(4), WORDS);
  return (text.match(/\p{Nd}/gu)?.length ?? 0) > 8 ? text.replace(/\p{Nd}/gu, 'x') : text;
}

function cellsOf(payload: Payload): string[] {
  return payload.map(([, value]: readonly [string, PayloadValue]) =>
    Array.isArray(value) ? value.join('; ') : String(value),
  );
}

/** Apostrophes are what is put before a formula. */
function bare(cell: string): string {
  return cell.replaceAll("'", '');
}
