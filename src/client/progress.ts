import { type Post, type Reply, toReply } from './post.ts';

/** Sends a post by XMLHttpRequest, since `fetch` doesn't report the progress of uploads. */
export const sendWithProgress = (
  url: string,
  { method, body, headers }: Post,
  onProgress: (sent: number, total: number) => void,
  signal: AbortSignal | undefined,
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    // An abort while waiting for this attempt fires no event any more.
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const name in headers) request.setRequestHeader(name, headers[name] as string);
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    request.onload = () =>
      resolve(toReply(request.responseText, request.status, request.getResponseHeader('Retry-After')));
    request.onerror = reject;
    request.onabort = reject;
    signal?.addEventListener('abort', () => request.abort());
    request.send(body);
  });
