/** A server that answers the first bytes it gets with these, whatever they are, and closes the connection. */
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
  return {
    url: `http://127.0.0.1:${server.port}/siteverify`,
    [Symbol.dispose]: () => server.stop(true),
  };
}
