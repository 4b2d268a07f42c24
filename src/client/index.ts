import { type Content, formContent, isForm, valuesContent } from './content.ts';
import { call } from './elements.ts';
import { isInProgress, type Reply, type Send, sendByFetch } from './post.ts';
import { sendWithProgress } from './progress.ts';
import { newSender, type Retry } from './sender.ts';
import { languageOf, TEXTS } from './texts.ts';
import type { FormContent, FormOptions, FormsteadForm, SubmitResult } from './types.ts';
import { resetWidgets } from './widgets.ts';

export type { FieldError, FormContent, FormOptions, FormsteadForm, SubmitOptions, SubmitResult } from './types.ts';

const MAX_ATTEMPTS = 5;
/** Longest time that waits take in total, in milliseconds. A longer `Retry-After` is left to the caller. */
const MAX_WAIT_MS = 30_000;

/** Returns a form that is submitted to `url`, the address of a form of your instance. */
export function createForm(url: string, { language, headers }: FormOptions = {}): FormsteadForm {
  const sender = newSender();
  let busy = false;

  const submit: FormsteadForm['submit'] = async (data, { onProgress, signal, submitter } = {}) => {
    const form = isForm(data) ? data : null;
    const spoken = languageOf(form, language);
    const [sending, failure] = TEXTS[spoken];
    if (busy) return failed('busy', sending);
    let content: Content;
    try {
      content = contentOf(data, submitter);
    } catch (error) {
      return failed('invalid_data', String(error));
    }
    if (signal?.aborted) return failed('aborted', failure);
    busy = true;
    const send: Send = (target, post) => {
      const request = { ...post, headers: { ...post.headers, ...headers } };
      return onProgress && globalThis.XMLHttpRequest
        ? sendWithProgress(target, request, onProgress, signal)
        : sendByFetch(target, { ...request, ...(signal && { signal }) });
    };
    const reply = await sender(url, content, spoken, send, backOff(signal));
    busy = false;
    // A wait that was aborted follows a failure that another attempt might have mended.
    if (signal?.aborted && !reply?.answer?.success) return failed('aborted', failure);
    if (!reply) return failed('network_error', failure);
    if (form && reply.answer) resetWidgets(form, reply.answer);
    if (form && reply.answer?.challenge_url) submitAsPage(form, url);
    return toResult(reply, failure);
  };

  return {
    url,
    get busy() {
      return busy;
    },
    submit,
  };
}

/** Retries after network errors and temporary failures, after `Retry-After` or with exponential backoff and jitter. */
function backOff(signal: AbortSignal | undefined): Retry {
  let waited = 0;
  return (reply, attempt) => {
    const isFinal = reply && reply.status < 500 && reply.status !== 429 && !isInProgress(reply);
    const wait = 1000 * (reply?.retryAfter || 2 ** (attempt - 2)) * (1 + Math.random());
    waited += wait;
    return !(isFinal || signal?.aborted || attempt === MAX_ATTEMPTS || waited > MAX_WAIT_MS) && sleep(wait, signal);
  };
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resume) => {
    const timer = setTimeout(resume, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resume();
    });
  });
}

function toResult({ answer, status, retryAfter }: Reply, failure: string): SubmitResult {
  if (!answer) return { ...failed('unexpected_response', failure), status, retryAfter: retryAfter || null };
  const { success, message, code = '', errors = [], redirect_url: redirectUrl = null } = answer;
  const isAsked = answer.confirmation_required && { confirmationRequired: true };
  return success
    ? { ok: true, message, redirectUrl, ...isAsked }
    : { ok: false, code, message, errors, retryAfter: retryAfter || null, status };
}

const failed = (code: string, message: string) =>
  ({ ok: false, code, message, errors: [], retryAfter: null, status: null }) satisfies SubmitResult;

/** Submits a form as the browser does. The instance answers with a page that has the spam check and the entries. */
function submitAsPage(form: HTMLFormElement, url: string): void {
  call(form, 'setAttribute', 'action', url);
  call(form, 'setAttribute', 'method', 'post');
  call(form, 'submit');
}

/** Throws if values can't be encoded, or if the submitter is not a button of the form. */
function contentOf(data: FormContent, submitter: HTMLElement | null | undefined): Content {
  if (isForm(data)) return formContent(new FormData(data, submitter));
  return data instanceof FormData ? formContent(data) : valuesContent(data);
}
