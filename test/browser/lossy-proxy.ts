import { connect, createServer } from 'node:net';

export type LossyProxy = Readonly<{
  url: string;
  /** The answers that are still to be lost. */
  lose: (answers: number) => void;
  /** How many answers to posts were lost so far. */
  lost: () => number;
  close: () => void;
}>;

/**
 * Stands before the server at `target` and passes on what it is sent. The answers that are to be lost it keeps to
 * itself: the post is kept, and the browser sees its connection break.
 */
export async function startLossyProxy(target: string): Promise<LossyProxy> {
  const { hostname, port } = new URL(target);
  let toLose = 0;
  let lost = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let isPost = false;
    client.on('data', (bytes) => {
      // A preflight comes before, on the same connection.
      if (/^[A-Z]+ \//.test(bytes.toString('latin1'))) isPost = bytes.toString('latin1').startsWith('POST ');
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (!isPost || toLose === 0) {
        client.write(bytes);
        return;
      }
      toLose--;
      lost++;
      client.resetAndDestroy();
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    lose: (answers) => {
      toLose = answers;
    },
    lost: () => lost,
    close: () => {
      server.close();
    },
  };
}
