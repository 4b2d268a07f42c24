import type { Content } from './content.ts';
import { isInProgress, type Reply, type Send } from './post.ts';

/** Returns the wait before the next attempt; false to give up. `reply` is null after a network error. */
export type Retry = (reply: Reply | null, attempt: number) => Promise<void> | false;

/** Sends content to a form. Returns the last reply; null after a network error. */
export type Sender = (
  url: string,
  content: Content,
  language: string,
  send: Send,
  retry: Retry,
) => Promise<Reply | null>;

/**
 * Returns the sender of a form. Attempts with the same content share an Idempotency-Key until the server gives its final
 * answer, so that the submission is stored once.
 */
export const newSender = (): Sender => {
  let pending = '';
  let key: string;
  return async (url, { body, fingerprint }, language, send, retry) => {
    const content = url + fingerprint;
    if (pending !== content) key = newKey();
    pending = content;
    const headers = { Accept: 'application/json', 'Accept-Language': language, 'Idempotency-Key': key };
    for (let attempt = 1; ; attempt++) {
      const reply = await send(url, { method: 'POST', body, headers }).catch(() => null);
      const wait = retry(reply, attempt);
      if (wait) await wait;
      else {
        // After any other response the submission may be stored, so the next attempt must use the same key.
        if (reply?.answer && reply.status < 500 && !isInProgress(reply)) pending = '';
        return reply;
      }
    }
  };
};

/** Returns 128 random bits. `randomUUID` is missing in pages without a secure context. */
const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');
