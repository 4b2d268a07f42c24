import { cpus, release, totalmem } from 'node:os';
import { formatTable } from '../../src/lib/table.ts';

/** The middle of some figures and how far they spread around it. */
export type Spread = Readonly<{ median: number; min: number; max: number }>;

export function spreadOf(figures: readonly number[]): Spread {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
  return { median, min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0 };
}

/** `47,012 (45,100 to 48,033)`. */
export function showSpread({ median, min, max }: Spread, digits = 0): string {
  const show = (figure: number) => figure.toLocaleString('en', { maximumFractionDigits: digits });
  return `${show(median)} (${show(min)} to ${show(max)})`;
}

/** Prints sections as they come and keeps them for `RESULTS.md`. */
export class Report {
  readonly #sections: string[] = [];

  /** `command` is what gives it, `intro` what a reader must know, `tools` what was used beside Bun. */
  constructor(
    private readonly command: string,
    private readonly intro: readonly string[],
    private readonly tools = '',
  ) {}

  section(title: string, rows: ReadonlyArray<readonly string[]>, notes: readonly string[] = []): void {
    process.stdout.write(`\n${title}\n\n${formatTable(rows)}\n\n${notes.join('\n')}\n`);
    const [head = [], ...rest] = rows;
    const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
    const table = [line(head), line(head.map(() => '---')), ...rest.map(line)];
    this.#sections.push([`## ${title}`, '', ...table, '', ...notes.map((note) => `- ${note}`)].join('\n'));
  }

  /** Adds sections that another one made; nothing if they are empty. */
  add(sections: string): void {
    if (sections) this.#sections.push(sections);
  }

  /** All sections so far. */
  get text(): string {
    return this.#sections.join('\n\n');
  }

  async write(path: string): Promise<void> {
    const [cpu] = cpus();
    const machine = `${cpus().length} cores of ${cpu?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}`;
    const head = [
      `# Results of \`${this.command}\``,
      '',
      `${machine}; Bun ${Bun.version}${this.tools}. ${new Date().toISOString().slice(0, 10)}.`,
      '',
      ...this.intro,
      '',
    ];
    await Bun.write(path, `${[...head, this.text].join('\n')}\n`);
  }
}
