import type { Histogram } from './histogram.ts';

export type Labels = Readonly<Record<string, string>>;

/** One metric: `samples` are its values, each with its labels. */
export type Metric = Readonly<{ name: string; help: string }> &
  (
    | Readonly<{ type: 'counter' | 'gauge'; samples: ReadonlyArray<readonly [labels: Labels, value: number]> }>
    | Readonly<{ type: 'histogram'; histogram: Histogram }>
  );

/** The content type of `exposition`. */
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Metrics in the text format that Prometheus reads. */
export function formatMetrics(metrics: readonly Metric[]): string {
  return metrics
    .map((metric) => {
      const { name, help, type } = metric;
      const head = `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n`;
      if (metric.type !== 'histogram') return head + metric.samples.map((sample) => line(name, ...sample)).join('');
      const { upTo, sum } = metric.histogram.read();
      const buckets = upTo.map(([bound, count]) => line(`${name}_bucket`, { le: numeral(bound) }, count));
      const count = upTo.at(-1)?.[1] ?? 0;
      return head + buckets.join('') + line(`${name}_sum`, {}, sum) + line(`${name}_count`, {}, count);
    })
    .join('');
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text).replaceAll('"', '\\"')}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${numeral(value)}\n`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function numeral(value: number): string {
  return value === Number.POSITIVE_INFINITY ? '+Inf' : String(value);
}
