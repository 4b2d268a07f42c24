/** Runs a server that only reads the body and answers, as the upper limit. */
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    await request.arrayBuffer();
    return new Response('{"success":true,"message":"Thank you, your submission was received."}', {
      headers: { 'Content-Type': 'application/json' },
    });
  },
});
process.stdout.write(`${server.url.href}\n`);
