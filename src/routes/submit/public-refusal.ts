import type { AppError } from '../../domain/errors.ts';
import { corsHeaders } from '../../http/cross-origin.ts';
import { requestId } from '../../http/request-id.ts';
import { refusalMessage } from './messages.ts';
import { refusalPage, wantsPage } from './page.tsx';

/** Returns the refusal for a visitor: a page if the browser will display the response, else JSON. */
export function publicRefusal(request: Request, allowedOrigins: readonly string[], refusal: AppError): Response {
  const { code, status } = refusal;
  const headers = {
    ...corsHeaders(request, allowedOrigins),
    'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
    'X-Request-Id': requestId(request),
    ...refusal.headers,
  };
  if (wantsPage(request)) return refusalPage(request, refusal, headers);
  const { message, errors } = refusalMessage(request, refusal);
  const body = { success: false, message, code, ...(errors.length > 0 && { errors }) };
  return new Response(JSON.stringify(body), { status, headers: { ...headers, 'Content-Type': 'application/json' } });
}
