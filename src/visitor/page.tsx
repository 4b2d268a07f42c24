/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import Negotiator from 'negotiator';
import { type AppError, isClosed } from '../domain/errors.ts';
import type { Form } from '../domain/forms/form.ts';
import { shortHeader } from '../http/short-header.ts';
import { Brand, respond, STATES } from './frame.tsx';
import { fieldErrorText, getLanguage, refusalText, textsIn } from './i18n/index.ts';
import { type Look, PLAIN } from './look.ts';

type HeaderFields = Readonly<Record<string, string>>;

/** Attributes of the owner's own text, which is plain text in an unknown language. */
const OWN = { lang: '', dir: 'auto' } as const;

/** Returns whether the client prefers HTML to JSON, as a browser does for a form posted without script. */
export function wantsPage(request: Request): boolean {
  const accept = shortHeader(request, 'accept');
  // Most scripts do not accept HTML; this skips the parser.
  if (!accept?.includes('text/html')) return false;
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', 'text/html']) === 'text/html';
}

/**
 * Renders the success page in the visitor's language. The form's own title and text replace the default ones; they are
 * plain text in an unknown language.
 */
export function thanksPage(
  request: Request,
  form: Pick<Form, 'thanksTitle' | 'successMessage' | 'language'>,
  headers: HeaderFields,
  { look = PLAIN, asksToConfirm = false }: Readonly<{ look?: Look; asksToConfirm?: boolean }> = {},
): Response {
  const { thanksTitle, successMessage } = form;
  const language = getLanguage(request, form);
  const { thanks, back, confirm } = textsIn(language);
  const content = (
    <main>
      <Brand look={look} />
      {STATES.done}
      <h1 {...(thanksTitle !== null && OWN)}>{thanksTitle ?? thanks.title}</h1>
      {!(asksToConfirm && successMessage === null) && (
        <p {...(successMessage !== null && OWN)}>{successMessage ?? thanks.text}</p>
      )}
      {asksToConfirm && <p>{confirm.sent}</p>}
      <LinkBack url={formPageUrl(request)} text={back} />
    </main>
  );
  return respond({ status: 200, language, title: thanksTitle ?? thanks.title, content, headers, look });
}

export type RefusalOptions = Readonly<{
  look: Look;
  /** The form, for its language and its own text while it accepts nothing. */
  form: Pick<Form, 'closedMessage' | 'language'> | null;
}>;

const NO_OPTIONS: RefusalOptions = { look: PLAIN, form: null };

/** Renders the refusal page in the visitor's language, with one item per invalid field. */
export function refusalPage(
  request: Request,
  refusal: AppError,
  headers: HeaderFields,
  { look, form }: RefusalOptions = NO_OPTIONS,
): Response {
  const closedMessage = form?.closedMessage ?? null;
  const language = getLanguage(request, form);
  const texts = textsIn(language);
  const isPost = request.method === 'POST';
  const hasEnded = isClosed(refusal);
  const own = hasEnded ? closedMessage : null;
  const shown = hasEnded ? texts.closed : refusal.code === 'form_not_found' ? texts.notFound : texts.failed;
  const title = isPost ? texts.refused : shown;
  const text = refusalText(language, refusal);
  const content = (
    <main>
      <Brand look={look} />
      {STATES[hasEnded ? 'closed' : 'failed']}
      <h1>{title}</h1>
      <p {...(own !== null && OWN)}>{own ?? text}</p>
      {refusal.errors.length > 0 && (
        <ul>
          {refusal.errors.map((error) => (
            <li>
              <b>
                <bdi>{error.label ?? error.field}</bdi>
              </b>{' '}
              {fieldErrorText(language, error)}
            </li>
          ))}
        </ul>
      )}
      {refusal.code === 'challenge_missing' && <p class="soft">{texts.hosted.needsScript}</p>}
      {refusal.code === 'form_paused' && closedMessage === null && <p>{texts.later}</p>}
      {isPost && refusal.code !== 'form_not_found' && <p class="soft">{texts.keep}</p>}
      <LinkBack url={formPageUrl(request)} text={texts.back} />
    </main>
  );
  return respond({ status: refusal.status, language, title, content, headers, look });
}

function LinkBack({ url, text }: Readonly<{ url: string | null; text: string }>) {
  if (url === null) return null;
  return (
    <p class="back">
      <a href={url}>{text}</a>
    </p>
  );
}

/** Returns the page with the form from the Referer header, or null if that has another origin than the request. */
function formPageUrl(request: Request): string | null {
  const referer = request.headers.get('referer') ?? '';
  const origin = request.headers.get('origin');
  const url = URL.canParse(referer) ? new URL(referer) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  return origin === null || origin === url.origin ? url.href : null;
}
