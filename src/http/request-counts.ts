/** Route groups by pattern; the first match counts, and `none` means no route. */
const GROUPS: ReadonlyArray<readonly [name: string, routes: RegExp]> = [
  ['submit', /^(POST|OPTIONS) \/v1\/forms\/:formId\/submissions$/],
  ['challenge', / \/v1\/forms\/:formId\/(challenge|stamp)$/],
  ['api', / \/v1\//],
  ['dashboard', / \/(dashboard\b|$)/],
  ['page', / \/(docs(\/.*)?|openapi\.json|[a-z]+\.js)$/],
  ['operating', / \/(healthz|readyz|metrics)$/],
];

const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Counts responses since the start by route group, method and status class. The number of series is bounded. */
export class RequestCounts {
  /** Counts by route, method and status class. */
  readonly #counts = new Map<string, Map<string, number[]>>();

  /** Counts a response. `route` is the matched pattern; empty if none matched. */
  count(method: string, route: string, status: number): void {
    const knownMethod = KNOWN_METHODS.includes(method) ? method : 'other';
    const methods = this.#counts.getOrInsertComputed(route, () => new Map<string, number[]>());
    const classes = methods.getOrInsertComputed(knownMethod, () => [0, 0, 0, 0, 0, 0]);
    const index = Math.floor(status / 100);
    classes[index] = (classes[index] ?? 0) + 1;
  }

  /** Returns the counts as labeled samples. */
  read(): ReadonlyArray<readonly [labels: Readonly<{ group: string; method: string; status: string }>, count: number]> {
    const sums = new Map<string, number>();
    for (const [route, methods] of this.#counts) {
      for (const [method, classes] of methods) {
        const [group] = GROUPS.find(([, routes]) => routes.test(`${method} ${route}`)) ?? ['none'];
        classes.forEach((count, index) => {
          const series = `${group} ${method} ${index}xx`;
          if (count > 0) sums.set(series, (sums.get(series) ?? 0) + count);
        });
      }
    }
    return Array.from(sums, ([series, count]) => {
      const [group = '', method = '', status = ''] = series.split(' ');
      return [{ group, method, status }, count] as const;
    });
  }
}
