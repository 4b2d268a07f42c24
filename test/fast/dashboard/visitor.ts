import type { Instance } from '../../support/instance.ts';
import { makeAccount, PASSWORD } from './signed-in.ts';

/** A browser profile on which nobody is signed in to begin with. It keeps cookies and follows no redirects. */
export type Visitor = Readonly<{
  /** By name, as the instance set them; without those it took away. */
  cookies: ReadonlyMap<string, string>;
  get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  post: (path: string, fields?: Record<string, string>, headers?: Record<string, string>) => Promise<Response>;
}>;

/** `headers` go with everything that it asks for. */
export function visitor({ url }: Pick<Instance, 'url'>, headers: Record<string, string> = {}): Visitor {
  const cookies = new Map<string, string>();
  const ask = async (path: string, init: RequestInit & { headers: Record<string, string> }) => {
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url + path, {
      redirect: 'manual',
      ...init,
      headers: { Accept: 'text/html', ...(cookie && { Cookie: cookie }), ...headers, ...init.headers },
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  return {
    cookies,
    get: (path, more = {}) => ask(path, { headers: more }),
    post: (path, fields = {}, more = {}) =>
      ask(path, {
        method: 'POST',
        headers: { Origin: new URL(url).origin, ...more },
        body: new URLSearchParams(fields),
      }),
  };
}

let count = 0;

/** Someone who has an account in a team, and is signed in to it on its page. */
export async function settle(instance: Instance, { teamId }: Readonly<{ teamId: string }> = instance.owner) {
  const user = await makeAccount(instance, { teamId }, { email: `person${++count}@example.com` });
  const browser = visitor(instance);
  const { email } = user;
  const answer = await browser.post('/dashboard/sign-in', { email, password: PASSWORD });
  if (answer.status !== 303) throw new Error(`not signed in: ${answer.status} ${await answer.text()}`);
  return { email, browser, user };
}

/** Removes the nonce of the page's script, which differs between responses. */
export const withoutNonce = (markup: string) => markup.replace(/ nonce="[^"]+"/, '');

/** What the page says is wrong; empty if it says nothing. */
export async function errorOn(answer: Response): Promise<string> {
  return /<p class="error" role="alert">([^<]*)</.exec(await answer.text())?.[1] ?? '';
}
