/** Starts a server that responds to any first bytes with `answer` and closes the connection. */
export function startWire(answer: string): Disposable & Readonly<{ url: string }> {
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data: (socket) => {
        socket.end(answer);
      },
    },
  });
  return { url: `http://127.0.0.1:${server.port}/siteverify`, [Symbol.dispose]: () => server.stop(true) };
}
