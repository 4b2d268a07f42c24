import { cpus, loadavg, release, totalmem } from 'node:os';
import { formatTable } from '../../src/lib/table.ts';

/** Median, minimum and maximum of some figures. */
export type Spread = Readonly<{ median: number; min: number; max: number }>;

export function spreadOf(figures: readonly number[]): Spread {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
  return { median, min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0 };
}

/** Formats as `47,012 (45,100 to 48,033)`. */
export function showSpread({ median, min, max }: Spread, digits = 0): string {
  const show = (figure: number) => figure.toLocaleString('en', { maximumFractionDigits: digits });
  return `${show(median)} (${show(min)} to ${show(max)})`;
}

/** Prints sections at once and collects them for a page such as `RESULTS.md`. */
export class Report {
  readonly #sections: Array<readonly [title: string, text: string]> = [];

  /** `intro` explains the page, `tools` names programs used in addition to Bun. */
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
    this.#sections.push([title, [...table, '', ...notes.map((note) => `- ${note}`)].join('\n')]);
  }

  /** Writes the sections as one part of a page and keeps its other parts, in the order of `parts`. */
  async writePart(path: string, part: string, parts: readonly string[]): Promise<void> {
    const page = Bun.file(path);
    const text = (await page.exists()) ? await page.text() : '';
    const known = new Map(text.split(/^## /m).map((each) => [each.split('\n', 1)[0] ?? '', `## ${each.trim()}`]));
    const own = this.#sections.map(([title, body]) => `### ${title}\n\n${body}`);
    known.set(
      part,
      [
        `## ${part}`,
        `\`${this.command} ${part}\`: ${machine()}${this.tools}. ${today()}; load average ${loadAtTheEnd()}.`,
        ...own,
      ].join('\n\n'),
    );
    const ordered = parts.map((name) => known.get(name)).filter((each) => each !== undefined);
    await Bun.write(path, `${[`# Results of \`${this.command}\``, this.intro.join('\n'), ...ordered].join('\n\n')}\n`);
  }

  async write(path: string): Promise<void> {
    const head = [
      `# Results of \`${this.command}\``,
      '',
      `${machine()}${this.tools}. ${today()}.`,
      '',
      ...this.intro,
      '',
    ];
    const sections = this.#sections.map(([title, body]) => `## ${title}\n\n${body}`);
    await Bun.write(path, `${[...head, sections.join('\n\n')].join('\n')}\n`);
  }
}

function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores of ${cpu?.model}, ${memory} GiB, Linux ${release()}; Bun ${Bun.version}`;
}

function loadAtTheEnd(): string {
  return `${(loadavg()[0] ?? 0).toFixed(1)} at the end`;
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
