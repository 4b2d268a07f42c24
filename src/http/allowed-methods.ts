type Route = Readonly<{ method: string; path: string }>;

/** The path of a request's address, also of one whose Host makes it no valid URL. */
export function pathOf(address: string): string {
  const afterHost = address.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
  return afterHost.replace(/[?#].*$/s, '') || '/';
}

/** The methods that a path takes, in alphabetical order; none if there is no such path. GET brings HEAD along. */
export function allowedMethods(routes: readonly Route[], path: string): string[] {
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

function split(path: string): string[] {
  return path.replace(/\/$/, '').split('/');
}
