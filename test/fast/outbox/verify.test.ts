import { expect, test } from 'bun:test';
import { createWebhook, rotateSecret } from '../../../src/services/webhooks/webhooks.ts';
import { namedBlock } from '../../support/documents.ts';
import { startOnFreePort } from '../../support/free-port.ts';
import { startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;

/** Runs the manual's example on a port. */
async function startReceiver(port: number, secret: string) {
  const receiver = Bun.spawn([process.execPath, '-e', namedBlock('verify')], {
    cwd: ROOT,
    env: { PATH: Bun.env.PATH, PORT: String(port), WEBHOOK_SECRET: secret },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const answers = () =>
    fetch(`http://127.0.0.1:${port}`, { method: 'POST' }).then(
      () => true,
      () => false,
    );
  await until(async () => receiver.exitCode !== null || (await answers()), 'the receiver to listen');
  if (receiver.exitCode !== null) throw new Error(await receiver.stderr.text());
  return receiver;
}

test('the receiver of the manual accepts a delivery with the right secret, and no other', async () => {
  const instance = await startInstance();
  const { context, owner, post } = instance;
  await startOnFreePort(async (port) => {
    const url = `http://127.0.0.1:${port}/`;
    const { webhook, secret } = await createWebhook(context, owner.form.id, 'standard', { url });
    const receiver = await startReceiver(port, secret ?? '');
    await post(owner.form.id, { name: 'Åsa 🌞' });
    await context.webhooks.drain();
    await rotateSecret(context, webhook.id);
    await rotateSecret(context, webhook.id);
    await post(owner.form.id, { name: 'Ada' });
    await context.webhooks.drain();
    const deliveries = await context.store.deliveries.list(webhook.id, { before: null, limit: 10 });
    expect(deliveries.map(({ lastStatus }) => lastStatus)).toEqual([400, 204]);
    receiver.kill();
    expect(await receiver.stdout.text()).toBe(`${deliveries[1]?.id} submission.created\n`);
  });
  await instance.stop();
});
