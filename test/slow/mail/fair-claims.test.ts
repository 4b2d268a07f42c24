import { afterAll, expect, test } from 'bun:test';
import { newId } from '../../../src/lib/ids.ts';
import { startMailing } from '../../fast/mail/mailing.ts';

/** The number of mails sent concurrently. */
const LANES = 8;

const mailing = await startMailing();
afterAll(mailing.stop);
const { instance, smtp } = mailing;
const recipients = Array.from({ length: 20 }, (_, n) => `r${n}@flooded.example`);

/** Suspends all sending, and returns the function that lets it continue. */
function suspend() {
  const held = Promise.withResolvers<undefined>();
  smtp.onMoment(({ stage }) => (stage === 'MAIL' ? held.promise : undefined));
  return () => {
    smtp.onMoment(() => undefined);
    held.resolve(undefined);
  };
}

test('the mails of one form do not delay those of other teams', async () => {
  const resume = suspend();
  const before = smtp.mails.length;
  const reached = smtp.seen.get('MAIL') ?? 0;
  const flooded = [
    await mailing.form({ notify: recipients }),
    await mailing.form({ notify: recipients }),
    await mailing.form({ notify: recipients }),
  ];
  for (let n = 0; n < 10; n++) for (const { id } of flooded) await instance.post(id, { message: `Flood ${n}` });
  await smtp.reached('MAIL', reached + LANES);
  for (const name of ['b', 'c']) {
    const other = await instance.makeForm(await instance.makeOwner(), { notify: [`${name}@other.example`] });
    await instance.post(other.id, { message: 'Hello' });
  }
  resume();
  await mailing.drained();
  const order = smtp.mails.slice(before).map(({ to }) => to[0] ?? '');
  expect(order).toHaveLength(602);
  for (const name of ['b', 'c']) expect(order.indexOf(`${name}@other.example`)).toBeLessThan(2 * LANES + 2);
});

test('within a team, mails are sent oldest first', async () => {
  const resume = suspend();
  const reached = smtp.seen.get('MAIL') ?? 0;
  const form = await mailing.form({ notify: ['one@shop.example'] });
  const other = await mailing.form({ notify: ['two@shop.example'] });
  const before = smtp.mails.length;
  for (let n = 0; n < LANES; n++) await instance.post(form.id, { message: 'First' });
  await smtp.reached('MAIL', reached + LANES);
  const names = Array.from({ length: 20 }, () => newId('m'));
  for (const [n, _subject] of names.entries()) {
    await instance.post(n % 3 === 0 ? other.id : form.id, { message: 'Later', _subject });
  }
  resume();
  await mailing.drained();
  const subjects = smtp.mails.slice(before).map(({ raw }) => /^subject: (\S+)/im.exec(raw.toString())?.[1] ?? '');
  const order = subjects.filter((subject) => names.includes(subject)).map((subject) => names.indexOf(subject));
  expect(order.toSorted((a, b) => a - b)).toEqual([...names.keys()]);
  for (const [at, n] of order.entries()) expect(Math.abs(at - n)).toBeLessThan(LANES);
});
