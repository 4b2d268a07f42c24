/** The first that fits names the group. What is not here is `none`: no route. */
const GROUPS: ReadonlyArray<readonly [name: string, routes: RegExp]> = [
  ['submit', /(POST|OPTIONS) \/v1\/forms\/:formId\/submissions$/],
  ['challenge', / \/v1\/forms\/:formId\/(challenge|stamp)$/],
  ['api', / \/v1\//],
  ['dashboard', / \/(dashboard\b|$)/],
  ['page', / \/(docs|openapi\.json|[a-z]+\.js)$/],
  ['operating', / \/(healthz|readyz|metrics)$/],
];

const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Answers since the start, by group of routes, method and class of status: as many as there are, whatever is asked for. */
export class RequestCounts {
  readonly #counts = new Map<string, number>();

  /** `route` is the pattern that fitted; empty for none. */
  count(method: string, route: string, status: number): void {
    const known = route !== '' || KNOWN_METHODS.includes(method) ? method : 'other';
    const key = `${Math.floor(status / 100)}xx ${known} ${route}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  read(): ReadonlyArray<readonly [labels: Readonly<{ group: string; method: string; status: string }>, count: number]> {
    const sums = new Map<string, number>();
    for (const [key, count] of this.#counts) {
      const [status = '', method = ''] = key.split(' ');
      const [group] = GROUPS.find(([, routes]) => routes.test(key)) ?? ['none'];
      const slot = `${group} ${method} ${status}`;
      sums.set(slot, (sums.get(slot) ?? 0) + count);
    }
    return Array.from(sums, ([slot, count]) => {
      const [group = '', method = '', status = ''] = slot.split(' ');
      return [{ group, method, status }, count] as const;
    });
  }
}
