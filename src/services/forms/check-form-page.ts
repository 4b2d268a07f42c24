import { CHALLENGES, type ChallengeKind } from '../../domain/forms/challenge.ts';
import type { Form } from '../../domain/forms/form.ts';
import type { PageProblem } from '../../domain/forms/form-check.ts';
import { type GuardedNetwork, guardedFetch, readStart } from '../../lib/guarded-fetch.ts';
import { parseHttpUrl } from '../../lib/http-url.ts';

/** Result for one page: `ready` with form and widget, or what is missing. */
export type PageCheck = Readonly<{ page: string; finding: 'ready' | 'no_widget' | 'no_form' | 'unreachable' }>;

const MAX_PAGES = 3;
const MAX_REDIRECTS = 3;
const MAX_PAGE_BYTES = 512 * 1024;
const TIMEOUT_MS = 5_000;

/**
 * Fetches the page at `address`, or without one the start pages of the first allowed origins, and looks for the form and
 * the widget of `kind`. Pages whose form is added by a script count as `no_form`.
 */
export async function checkFormPages(
  network: GuardedNetwork,
  teamId: string,
  form: Pick<Form, 'id' | 'shortId' | 'allowedOrigins'>,
  kind: ChallengeKind,
  address: string,
): Promise<readonly PageCheck[]> {
  const pages = address === '' ? form.allowedOrigins.slice(0, MAX_PAGES) : [address];
  const check = (page: string) => async () => {
    const html = await fetchPage(network, page).catch(() => null);
    return { page, finding: html === null ? 'unreachable' : findingIn(html, form, kind) } as const;
  };
  const results: PageCheck[] = [];
  for (const page of pages) results.push(await network.shares.run('page', teamId, check(page)));
  return results;
}

function findingIn(html: string, { id, shortId }: Pick<Form, 'id' | 'shortId'>, kind: ChallengeKind) {
  const hasForm = [id, shortId].some((formId) => html.includes(`/v1/forms/${formId}/submissions`));
  if (!hasForm) return 'no_form';
  return CHALLENGES[kind].mark.test(html) ? 'ready' : 'no_widget';
}

const MAX_WATCHED_BYTES = 1024 * 1024;
const WATCH_TIMEOUT_MS = 10_000;

/** Fetches the watched page of a form and looks for its address or the drop-in script. Returns null if it has one. */
export function checkWatchedPage(network: GuardedNetwork, teamId: string, form: Form): Promise<PageProblem | null> {
  const { id, shortId, watchPage } = form;
  return network.shares.run('page', teamId, async () => {
    const html = await fetchPage(network, watchPage ?? '', MAX_WATCHED_BYTES, WATCH_TIMEOUT_MS).catch(() => null);
    if (html === null) return 'unreachable';
    const marks = [`/v1/forms/${id}/`, `/v1/forms/${shortId}/`, `/f/${shortId}`, '/formstead.js'];
    return marks.some((mark) => html.includes(mark)) ? null : 'no_form';
  });
}

/** Fetches a page and follows redirects, each guarded. Throws if it cannot be reached or is no success. */
async function fetchPage(network: GuardedNetwork, address: string, maxBytes = MAX_PAGE_BYTES, timeoutMs = TIMEOUT_MS) {
  let url = pageUrl(address);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const headers = { Accept: 'text/html' };
    const response = await guardedFetch(network, url, { method: 'GET', body: '', headers }, timeoutMs);
    const location = response.headers.get('location');
    if (response.ok) return (await readStart(response, maxBytes)).toString();
    await response.body?.cancel();
    if (location === null) throw new Error(`status ${response.status}`);
    url = pageUrl(location, url);
  }
  throw new Error('too many redirects');
}

function pageUrl(address: string, base?: URL): URL {
  const url = parseHttpUrl(address, base);
  if (url) return url;
  throw new Error('not the address of a page');
}
