/** The body of an answer of the endpoint. */
export type Answer = Readonly<{
  success: boolean;
  message: string;
  code?: string;
  errors?: Array<{ field: string; message: string }>;
  redirect_url?: string;
}>;

/** An HTTP response. `answer` is null if it is not from Formstead. */
export type Reply = Readonly<{ status: number; retryAfter: number | null; answer: Answer | null }>;

/** Returns the milliseconds until the next attempt; null to give up. `reply` is null after a network error. */
export type Retry = (reply: Reply | null, attempt: number, waited: number) => number | null;

export type Post = Readonly<{
  url: string;
  body: FormData | string;
  headers: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
  onProgress?: ((sent: number, total: number) => void) | undefined;
}>;

/** Returns whether the same post may be answered later, for which its key must be kept. */
export const isInProgress = (reply: Reply): boolean => reply.answer?.code === 'idempotency_key_in_use';

/** Posts, again as `retry` says. Returns the last reply; null after a network error or an abort. */
export async function post(request: Post, retry: Retry): Promise<Reply | null> {
  const { signal, onProgress } = request;
  const send = onProgress && typeof XMLHttpRequest === 'function' ? sendWithProgress : sendByFetch;
  let waited = 0;
  for (let attempt = 1; !signal?.aborted; attempt++) {
    const reply = await send(request).catch(() => null);
    const wait = signal?.aborted ? null : retry(reply, attempt, waited);
    if (wait === null) return reply;
    waited += wait;
    await sleep(wait, signal);
  }
  return null;
}

async function sendByFetch({ url, body, headers, signal }: Post): Promise<Reply> {
  const response = await fetch(url, { method: 'POST', body, headers, signal: signal ?? null });
  return toReply(response.status, response.headers.get('Retry-After'), await response.text());
}

/** Posts by XMLHttpRequest, since `fetch` doesn't report progress. */
function sendWithProgress({ url, body, headers, signal, onProgress }: Post): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    for (const name in headers) request.setRequestHeader(name, headers[name] ?? '');
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(loaded, total);
    request.onload = () =>
      resolve(toReply(request.status, request.getResponseHeader('Retry-After'), request.responseText));
    request.onerror = reject;
    request.onabort = reject;
    signal?.addEventListener('abort', () => request.abort());
    request.send(body);
  });
}

function toReply(status: number, retryAfter: string | null, text: string): Reply {
  return { status, retryAfter: Number(retryAfter) || null, answer: parse(text) };
}

function parse(text: string): Answer | null {
  try {
    const answer = JSON.parse(text);
    return typeof answer?.success === 'boolean' ? answer : null;
  } catch {
    return null;
  }
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
