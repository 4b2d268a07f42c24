import { startSmtp } from '../../test/support/smtp.ts';

/** Number of received messages, number of distinct ones, and seconds from the first to the last. */
type Count = Readonly<{ total: number; ids: number; seconds: number }>;

if (import.meta.main) await sink();

/** Runs a mail server that sends its URL to the parent process, and answers each message with the current count. */
async function sink(): Promise<void> {
  const { url, mails } = await startSmtp();
  let first = 0;
  let last = 0;
  let known = 0;
  setInterval(() => {
    if (mails.length === known) return;
    last = performance.now();
    if (known === 0) first = last;
    known = mails.length;
  }, 5);
  process.on('message', () => {
    const ids = new Set(mails.map(({ messageId }) => messageId)).size;
    process.send?.({ total: mails.length, ids, seconds: (last - first) / 1000 } satisfies Count);
  });
  process.send?.(url);
}

/** Starts the mail server in a process of its own. */
export async function startSink() {
  let next = Promise.withResolvers<unknown>();
  const child = Bun.spawn(['bun', import.meta.path], {
    stdout: 'inherit',
    stderr: 'inherit',
    ipc: (message) => next.resolve(message),
  });
  const url = String(await next.promise);
  return {
    url,
    count: async (): Promise<Count> => {
      next = Promise.withResolvers();
      child.send('count');
      return (await next.promise) as Count;
    },
    stop: () => child.kill(),
  };
}
