/** The first that fits names the group. What is not here is `none`: no route. */
const GROUPS: ReadonlyArray<readonly [name: string, routes: RegExp]> = [
  ['submit', /^(POST|OPTIONS) \/v1\/forms\/:formId\/submissions$/],
  ['challenge', / \/v1\/forms\/:formId\/(challenge|stamp)$/],
  ['api', / \/v1\//],
  ['dashboard', / \/(dashboard\b|$)/],
  ['page', / \/(docs(\/.*)?|openapi\.json|[a-z]+\.js)$/],
  ['operating', / \/(healthz|readyz|metrics)$/],
];

const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Answers since the start, by group of routes, method and class of status: as many as there are, whatever is asked for. */
export class RequestCounts {
  /** By route and method, each with one number for a class of status. */
  readonly #counts = new Map<string, Map<string, number[]>>();

  /** `route` is the pattern that fitted; empty for none. */
  count(method: string, route: string, status: number): void {
    const known = route !== '' || KNOWN_METHODS.includes(method) ? method : 'other';
    const classes = this.#counts.get(route)?.get(known) ?? this.#begin(route, known);
    const at = Math.floor(status / 100);
    classes[at] = (classes[at] ?? 0) + 1;
  }

  read(): ReadonlyArray<readonly [labels: Readonly<{ group: string; method: string; status: string }>, count: number]> {
    const sums = new Map<string, number>();
    for (const [route, methods] of this.#counts) {
      for (const [method, classes] of methods) {
        const [group] = GROUPS.find(([, routes]) => routes.test(`${method} ${route}`)) ?? ['none'];
        classes.forEach((count, at) => {
          const slot = `${group} ${method} ${at}xx`;
          if (count > 0) sums.set(slot, (sums.get(slot) ?? 0) + count);
        });
      }
    }
    return Array.from(sums, ([slot, count]) => {
      const [group = '', method = '', status = ''] = slot.split(' ');
      return [{ group, method, status }, count] as const;
    });
  }

  #begin(route: string, method: string): number[] {
    const classes = [0, 0, 0, 0, 0, 0];
    this.#counts.set(route, (this.#counts.get(route) ?? new Map<string, number[]>()).set(method, classes));
    return classes;
  }
}
