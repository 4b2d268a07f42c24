import type { Source } from '../domain/submissions/submission.ts';
import { browserName } from '../http/browser-name.ts';
import { shortHeader } from '../http/short-header.ts';

const MAX_PAGE_LENGTH = 2_000;

/** Returns the source of a post: the page without query and fragment, and the browser; null if the client names neither. */
export function getSource(request: Request): Source | null {
  const page = getPage(request.headers.get('referer') ?? '');
  const browser = browserName(shortHeader(request, 'user-agent') ?? '') || null;
  return page === null && browser === null ? null : { page, browser };
}

function getPage(referrer: string): string | null {
  // Checked before parsing: `URL` takes seconds for a long host of combining marks.
  if (referrer.length > MAX_PAGE_LENGTH || !URL.canParse(referrer)) return null;
  const { protocol, origin, pathname } = new URL(referrer);
  return /^https?:$/.test(protocol) ? origin + pathname : null;
}
