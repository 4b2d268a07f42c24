import { deepStrictEqual, doesNotMatch, strictEqual } from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import type { Payload, PayloadValue } from '../../../src/domain/submissions/submission.ts';
import { newId } from '../../../src/lib/ids.ts';
import { Semaphore } from '../../../src/lib/semaphore.ts';
import { runExport } from '../../../src/services/exports/export.ts';
import { csvExport } from '../../../src/services/exports/export-csv.ts';
import { payloadAad } from '../../../src/vault/vault.ts';
import { startInstance } from '../../../test/support/instance.ts';
import { NAMES, VALUES } from '../hostile.ts';
import { mutatedText } from '../mutations.ts';
import type { Choices, Prng } from '../prng.ts';
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
    '\u200b=1',
  ] as const),
];

/** Characters that begin a formula in spreadsheets. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;
/** The same behind invisible characters, and inside a text, where a semicolon or line break may end a cell. */
const FORMULA_INSIDE = /(?:^|[;\r\n])[\s\p{C}\p{DI}]*[=@＝＠]/u;

export const csv: Target = {
  name: 'csv',
  about: 'another parser reads the cells unchanged, apart from apostrophes, and none is a formula',
  inputs: 20_000,
  concurrency: 8,
  open: async () => {
    const instance = await startInstance();
    const { context, owner } = instance;
    const deps = { ...context, semaphore: new Semaphore(8) };
    return {
      check: async (prng) => {
        const form = await instance.makeForm(owner);
        const payloads = Array.from({ length: 1 + prng.below(4) }, () => hostilePayload(prng));
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
        // Rows are in the order of acceptance, which is arbitrary here, so each row must equal one of the posts.
        const shown = found.map((row) =>
          row
            .slice(5, 5 + columns.length)
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
  const plain = {
    files: null,
    blobs: [],
    spamReasons: null,
    idempotency: null,
    challenge: null,
    mails: [],
    deliveries: [],
  };
  await context.store.queue.accept({ id, formId, isSpam: false, payload, ...plain });
}

function hostilePayload(prng: Prng): Payload {
  const names = new Set(prng.list(5, () => (prng.oneIn(2) ? prng.pick(NAMES) : hostileText(prng))));
  return [...names].map((name) => [name, prng.oneIn(6) ? prng.list(3, () => hostileText(prng)) : hostileText(prng)]);
}

/** Generates a text with too few digits for masking. */
function hostileText(prng: Prng): string {
  const text = mutatedText(prng.pick([...VALUES, ...WORDS] as unknown as Choices<string>), prng, prng.below(4), WORDS);
  return (text.match(/\p{Nd}/gu)?.length ?? 0) > 8 ? text.replace(/\p{Nd}/gu, 'x') : text;
}

function cellsOf(payload: Payload): string[] {
  return payload.map(([, value]: readonly [string, PayloadValue]) =>
    Array.isArray(value) ? value.join('; ') : String(value),
  );
}

/** Removes apostrophes, which escape formulas. */
function bare(cell: string): string {
  return cell.replaceAll("'", '');
}
