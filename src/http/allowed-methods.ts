/** Returns the path of a request URL, even if an invalid Host header makes the URL unparsable. */
export function getPath(address: string): string {
  const afterHost = address.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
  return afterHost.replace(/[?#].*$/s, '') || '/';
}

/** Returns the methods that a path supports, sorted; empty for an unknown path. GET implies HEAD. */
export function allowedMethods(
  routes: ReadonlyArray<Readonly<{ method: string; path: string }>>,
  path: string,
): string[] {
  const segments = split(path);
  const methods = routes
    .filter((route) => {
      const pattern = split(route.path);
      return (
        pattern.length === segments.length &&
        pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
      );
    })
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set(methods)].sort();
}

const split = (path: string): string[] => path.replace(/\/$/, '').split('/');
