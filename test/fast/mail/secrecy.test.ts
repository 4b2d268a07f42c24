import { afterAll, describe, expect, test } from 'bun:test';
import type { Verdict } from '../../support/smtp.ts';
import { newCanary, placesOf } from '../visitor/canary.ts';
import { formData } from '../visitor/files.ts';
import { type Mailing, OWNER, startMailing } from './mailing.ts';

const started: Mailing[] = [];
afterAll(() => Promise.all(started.map(({ stop }) => stop())));

/** Posts a canary in every part of a submission to a new instance whose mail server responds with the verdict. */
async function mailedTo(judge: (canary: string) => Verdict | Promise<Verdict>) {
  const mailing = await startMailing({ LOG_LEVEL: 'debug' });
  started.push(mailing);
  const canary = newCanary();
  mailing.smtp.onMoment(({ stage }) => (stage === 'RCPT' ? judge(canary) : undefined));
  const form = await mailing.form({
    attachFiles: true,
    autoReplySubject: `{{${canary.slice(0, 5)}}}{{name}}`,
    autoReplyText: 'Dear {{name}}',
  });
  const body = formData([
    [canary, 'x'],
    ['name', canary],
    ['email', `${canary}@home.example`],
    ['_subject', canary],
    [canary, new File([canary], canary, { type: `text/${canary}` })],
  ]);
  const answer = await mailing.instance.post(form.id, body);
  expect(answer.status).toBe(200);
  const states = async () => {
    const mails = await mailing.instance.context.store.mails.list({ state: null, limit: 10 });
    return mails.map(({ state }) => state);
  };
  return { mailing, canary, states, places: () => placesOf(canary, mailing.instance) };
}

describe('submitted data and server responses are not in the data directory or the log', () => {
  test('while mails are being sent', async () => {
    const held = Promise.withResolvers<undefined>();
    const { mailing, states, places } = await mailedTo(() => held.promise);
    await mailing.smtp.reached('RCPT', 2);
    expect([await states(), places()]).toEqual([['queued', 'queued'], []]);
    held.resolve(undefined);
    await mailing.smtp.arrived(2);
  });

  test('while mails wait for a retry', async () => {
    const { mailing, states, places } = await mailedTo((canary) => ({ code: 451, text: `4.2.0 ${canary}` }));
    await mailing.drained();
    expect([await states(), places()]).toEqual([['retrying', 'retrying'], []]);
  });

  test('after mails are dead', async () => {
    const { mailing, states, places } = await mailedTo((canary) => ({ code: 550, text: `5.1.1 ${canary}` }));
    await mailing.drained();
    expect([await states(), places()]).toEqual([['dead', 'dead'], []]);
  });

  test('after mails are sent, which contain the data', async () => {
    const { mailing, canary, states, places } = await mailedTo(() => undefined);
    await mailing.smtp.arrived(2);
    await mailing.drained();
    expect([await states(), places()]).toEqual([['sent', 'sent'], []]);
    const ofOwner = mailing.smtp.mails.find(({ to }) => to.includes(OWNER));
    expect(ofOwner?.raw.toString()).toContain(canary);
  });
});
