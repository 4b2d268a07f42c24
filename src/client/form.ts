import { encode, isForm, newKey } from './content.ts';
import { isInProgress, post, type Reply, type Retry } from './post.ts';
import { languageOf, TEXTS } from './texts.ts';
import type { FormContent, FormOptions, FormsteadForm, SubmitOptions, SubmitResult } from './types.ts';
import { resetWidgets } from './widgets.ts';

/**
 * Returns a form. Attempts with the same content share an Idempotency-Key until the server gives its final answer, so
 * that the submission is stored once.
 */
export function newForm(url: string, { language }: FormOptions, retry: Retry): FormsteadForm {
  let busy = false;
  let pending: string | null = null;
  let key = '';

  const send = async (data: FormContent, { submitter, ...options }: SubmitOptions): Promise<SubmitResult> => {
    const spoken = languageOf(language, data);
    const { body, fingerprint } = encode(data, submitter);
    if (pending !== fingerprint) key = newKey();
    pending = fingerprint;
    const headers = {
      ...(typeof body === 'string' && { 'Content-Type': 'application/json' }),
      Accept: 'application/json',
      'Accept-Language': spoken,
      'Idempotency-Key': key,
    };
    const reply = await post({ url, body, headers, ...options }, retry);
    // After any other response the submission may be stored, so the next attempt must use the same key.
    if (reply?.answer && reply.status < 500 && !isInProgress(reply)) pending = null;
    const result = toResult(reply, options.signal?.aborted ? 'aborted' : 'network_error', TEXTS[spoken]?.[1] ?? '');
    if (isForm(data) && (result.ok || result.code === 'challenge_failed')) tryReset(data);
    return result;
  };

  return {
    url,
    get busy() {
      return busy;
    },
    submit: async (data, options = {}) => {
      if (busy) return failed('busy', TEXTS[languageOf(language, data)]?.[0] ?? '');
      busy = true;
      try {
        return await send(data, options);
      } catch (error) {
        return failed('invalid_data', String(error));
      } finally {
        busy = false;
      }
    },
  };
}

function toResult(reply: Reply | null, code: string, text: string): SubmitResult {
  if (!reply) return failed(code, text);
  const { answer, status, retryAfter } = reply;
  if (!answer) return { ...failed('unexpected_response', text), status, retryAfter };
  const { message } = answer;
  if (answer.success) return { ok: true, message, redirectUrl: answer.redirect_url ?? null };
  return { ok: false, code: answer.code ?? '', message, errors: answer.errors ?? [], retryAfter, status };
}

const failed = (code: string, message: string) =>
  ({ ok: false, code, message, errors: [], retryAfter: null, status: null }) satisfies SubmitResult;

/** Resets the challenge widgets. An error of a widget must not turn a stored submission into a failure. */
function tryReset(form: HTMLFormElement): void {
  try {
    resetWidgets(form);
  } catch {}
}
