import { type AppError, isClosed } from '../domain/errors.ts';
import type { Form } from '../domain/forms/form.ts';
import type { Payload } from '../domain/submissions/submission.ts';
import { FIXED_HEADERS } from '../http/base-headers.ts';
import { ANY_ORIGIN, corsHeaders } from '../http/cross-origin.ts';
import { requestId } from '../http/request-id.ts';
import { shortHeader } from '../http/short-header.ts';
import { nextPage } from '../intake/control-fields.ts';
import type { Store } from '../storage/store.ts';
import { challengePath, isProofMissing } from './altcha-widget.tsx';
import { fieldErrorText, getLanguage, refusalText, textsIn } from './i18n/index.ts';
import { getLook, PLAIN } from './look.ts';
import { type RefusalOptions, refusalPage, thanksPage, wantsPage } from './page.tsx';
import { isResendable, proofPage } from './proof-page.tsx';

/** The headers of a success that any page may read, prepared because they never change. */
const OPEN_HEADERS = new Headers({ ...FIXED_HEADERS, ...ANY_ORIGIN, 'Content-Type': 'application/json' });

/**
 * Responds with a redirect, a page or JSON. Clients that accept only JSON get the redirect URL in the body. The page that
 * `sent` names comes before that of the form.
 */
export function successResponse(
  request: Request,
  form: Form,
  store: Store,
  sent: Payload,
  { isHosted = false, asksToConfirm = false }: Readonly<{ isHosted?: boolean; asksToConfirm?: boolean }>,
): Response | Promise<Response> {
  const redirectUrl = nextPage(form, sent) ?? form.redirectUrl;
  const cors = corsHeaders(request, form.allowedOrigins);
  if (redirectUrl === null && wantsPage(request)) {
    return getLook(store, form, isHosted).then((look) => thanksPage(request, form, cors, { look, asksToConfirm }));
  }
  if (redirectUrl !== null && !wantsJsonOnly(shortHeader(request, 'accept') ?? '')) {
    return new Response(null, { status: 303, headers: { ...cors, Location: redirectUrl } });
  }
  const message = thanksMessage(request, form, asksToConfirm);
  const body = {
    success: true,
    message,
    ...(asksToConfirm && { confirmation_required: true }),
    ...(redirectUrl !== null && { redirect_url: redirectUrl }),
  };
  const headers = cors === ANY_ORIGIN ? OPEN_HEADERS : { ...cors, 'Content-Type': 'application/json' };
  return new Response(JSON.stringify(body), { headers });
}

/** Responds to a post that was refused after `sent` was read: with a page that asks for a missing proof of work, or as any refusal. */
export async function refusedPostResponse(
  request: Request,
  refusal: AppError,
  form: Form | null,
  store: Store,
  sent: Payload | null,
): Promise<Response> {
  const needsProof = form !== null && isProofMissing(form, refusal);
  if (!needsProof || sent === null || !wantsPage(request) || !isResendable(sent)) {
    return refusalResponse(request, refusal, form, store);
  }
  const headers = refusalHeaders(request, refusal, form);
  return proofPage(request, { form, look: await getLook(store, form, false), sent, refusal, headers });
}

/** Responds to a refused visitor. `form` is null if unknown. */
export async function refusalResponse(
  request: Request,
  refusal: AppError,
  form: Form | null,
  store: Store,
  isHosted = false,
): Promise<Response> {
  if (form === null || !wantsPage(request)) return publicRefusal(request, refusal, form);
  const look = await getLook(store, form, isHosted);
  return publicRefusal(request, refusal, form, { look, form });
}

/** Returns the refusal for a visitor: a page if the browser will display the response, else JSON. */
export function publicRefusal(request: Request, refusal: AppError, form: Form | null, options?: RefusalOptions) {
  const { code, status } = refusal;
  const headers = refusalHeaders(request, refusal, form);
  if (wantsPage(request)) return refusalPage(request, refusal, headers, options ?? { look: PLAIN, form });
  const { message, errors } = refusalMessage(request, refusal, form);
  const proof = form && isProofMissing(form, refusal) ? { challenge_url: challengePath(form) } : {};
  const body = { success: false, message, code, ...(errors.length > 0 && { errors }), ...proof };
  return new Response(JSON.stringify(body), { status, headers: { ...headers, 'Content-Type': 'application/json' } });
}

function refusalHeaders(request: Request, refusal: AppError, form: Form | null): Record<string, string> {
  return {
    ...corsHeaders(request, form?.allowedOrigins ?? []),
    'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
    'X-Request-Id': requestId(request),
    ...refusal.headers,
  };
}

function wantsJsonOnly(accept: string): boolean {
  const types = accept.split(',').map((range) => range.split(';', 1)[0]?.trim().toLowerCase());
  return types.includes('application/json') && !types.includes('text/html') && !types.includes('*/*');
}

type RefusalMessage = Readonly<{
  message: string;
  /** Invalid fields; empty if the refusal is not about a field. */
  errors: ReadonlyArray<Readonly<{ field: string; message: string }>>;
}>;

/** Returns the success message for scripts: the form's own text, or the default in its language; and what is left to do. */
export function thanksMessage(
  request: Request,
  form: Pick<Form, 'successMessage' | 'language'>,
  asksToConfirm = false,
): string {
  const { thanks, confirm } = textsIn(getLanguage(request, form));
  if (!asksToConfirm) return form.successMessage ?? thanks.message;
  return [form.successMessage, confirm.sent].filter(Boolean).join(' ');
}

/**
 * Returns the refusal message for scripts: the form's own text if it accepts nothing, else in English the detailed
 * message of the error and in other languages the general text of the page.
 */
export function refusalMessage(
  request: Request,
  refusal: AppError,
  form: Pick<Form, 'closedMessage' | 'language'> | null = null,
): RefusalMessage {
  const language = getLanguage(request, form);
  const message = language === 'en' ? refusal.message : refusalText(language, refusal);
  return {
    message: isClosed(refusal) ? (form?.closedMessage ?? message) : message,
    errors: refusal.errors.map((error) => ({ field: error.field, message: fieldErrorText(language, error) })),
  };
}
