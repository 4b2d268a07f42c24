import type { Histogram } from './histogram.ts';

export type Labels = Readonly<Record<string, string>>;

/** A metric with its labeled samples, or a histogram. */
export type Metric = Readonly<{ name: string; help: string }> &
  (
    | Readonly<{ type: 'counter' | 'gauge'; samples: ReadonlyArray<readonly [labels: Labels, value: number]> }>
    | Readonly<{ type: 'histogram'; histogram: Histogram }>
  );

/** Content type of the text that `formatMetrics` returns. */
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Formats metrics in the Prometheus text exposition format, with `common` labels in all samples. */
export function formatMetrics(metrics: readonly Metric[], common: Labels = {}): string {
  return metrics
    .map((metric) => {
      const { name, help, type } = metric;
      const head = `# HELP ${name} ${escapeText(help)}\n# TYPE ${name} ${type}\n`;
      if (metric.type !== 'histogram')
        return (
          head + metric.samples.map(([labels, value]) => formatSample(name, { ...common, ...labels }, value)).join('')
        );
      const { cumulative, sum } = metric.histogram.read();
      const buckets = cumulative.map(([bound, count]) =>
        formatSample(`${name}_bucket`, { ...common, le: formatNumber(bound) }, count),
      );
      const count = cumulative.at(-1)?.[1] ?? 0;
      return (
        head +
        buckets.join('') +
        formatSample(`${name}_sum`, common, sum) +
        formatSample(`${name}_count`, common, count)
      );
    })
    .join('');
}

function formatSample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeText(text).replaceAll('"', '\\"')}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${formatNumber(value)}\n`;
}

const escapeText = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

const formatNumber = (value: number): string => (value === Number.POSITIVE_INFINITY ? '+Inf' : String(value));
