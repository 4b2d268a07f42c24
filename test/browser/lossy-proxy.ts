import { connect, createServer } from 'node:net';

export type LossyProxy = Readonly<{
  url: string;
  /** Sets the number of responses to drop. */
  lose: (answers: number) => void;
  /** Returns the number of dropped responses to posts. */
  lost: () => number;
  close: () => void;
}>;

/**
 * Starts a proxy to the server at `target` that can drop responses to posts: the submission is stored, but the browser sees a
 * broken connection.
 */
export async function startLossyProxy(target: string): Promise<LossyProxy> {
  const { hostname, port } = new URL(target);
  let toLose = 0;
  let lost = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let isPost = false;
    client.on('data', (bytes) => {
      // A preflight may precede the post on the same connection.
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
