const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? ([^ ]+)$/;
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\[\\"n])*)"(?:,|$)/;

/** A parsed scrape: the type of each metric family, and each value by name and sorted labels. */
export type Scrape = Readonly<{ types: ReadonlyMap<string, string>; values: ReadonlyMap<string, number> }>;

/**
 * Parses the Prometheus text format 0.0.4 independently of the code that writes it. Throws on violations: a sample
 * outside its family or repeated, a histogram that decreases or whose count differs from its +Inf bucket. Removes the
 * label `instance`, which all samples have with PostgreSQL.
 */
export function parseExposition(text: string): Scrape {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const types = new Map<string, string>();
  const values = new Map<string, number>();
  let [family, type, hasHelp] = ['', '', false];
  for (const line of text.slice(0, -1).split('\n')) {
    const [, comment, name = '', rest = ''] = /^# (HELP|TYPE) ([^ ]+) (.*)$/.exec(line) ?? [];
    if (comment === 'HELP') {
      if (!NAME.test(name) || rest === '' || types.has(name)) throw new Error(`bad or second HELP: ${line}`);
      [family, type, hasHelp] = [name, '', true];
    } else if (comment === 'TYPE') {
      if (name !== family || !hasHelp || types.has(name)) throw new Error(`TYPE away from its HELP: ${line}`);
      if (!['counter', 'gauge', 'histogram'].includes(rest)) throw new Error(`unknown type: ${line}`);
      types.set(name, rest);
      type = rest;
    } else {
      const [, sample = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
      const own = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => family + end) : [family];
      if (type === '' || !own.includes(sample)) throw new Error(`a sample outside of its family: ${line}`);
      if (type === 'counter' && !sample.endsWith('_total')) throw new Error(`a counter without _total: ${line}`);
      const key = keyOf(sample, parseLabels(labels, line));
      if (values.has(key)) throw new Error(`twice: ${line}`);
      values.set(key, parseValue(value, line));
    }
  }
  for (const [name, kind] of types) if (kind === 'histogram') checkHistogram(name, values);
  return { types, values };
}

/** Returns the key of a value: `name{a="b",c="d"}`, with labels sorted by name. */
export function keyOf(name: string, labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return pairs.length > 0 ? `${name}{${pairs.map(([label, text]) => `${label}="${text}"`).join(',')}}` : name;
}

function parseLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (let rest = text; rest !== ''; ) {
    const [whole = '', name = '', value = ''] = LABEL.exec(rest) ?? [];
    if (whole === '' || name in labels) throw new Error(`bad labels: ${line}`);
    labels[name] = value.replace(/\\(.)/g, (_, mark) => (mark === 'n' ? '\n' : mark));
    rest = rest.slice(whole.length);
  }
  delete labels.instance;
  return labels;
}

function parseValue(text: string, line: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  const value = Number(text);
  if (!/^[-+0-9.e]+$/.test(text) || Number.isNaN(value)) throw new Error(`no number: ${line}`);
  return value;
}

function checkHistogram(name: string, values: ReadonlyMap<string, number>): void {
  const buckets = [...values].filter(([key]) => key.startsWith(`${name}_bucket{`));
  const bounds = buckets.map(([key]) => parseValue(/le="([^"]+)"/.exec(key)?.[1] ?? '', key));
  const counts = buckets.map(([, count]) => count);
  const goesUp = (numbers: number[], strictly: boolean) =>
    numbers.every((number, at) => at === 0 || number - (numbers[at - 1] ?? 0) >= (strictly ? Number.MIN_VALUE : 0));
  if (!goesUp(bounds, true) || !goesUp(counts, false)) throw new Error(`${name} does not go up`);
  if (bounds.at(-1) !== Number.POSITIVE_INFINITY) throw new Error(`${name} has no bucket for +Inf`);
  if (counts.at(-1) !== values.get(`${name}_count`)) throw new Error(`${name} counts otherwise than +Inf`);
  if (!values.has(`${name}_sum`)) throw new Error(`${name} has no sum`);
}
