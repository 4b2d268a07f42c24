import { afterAll, describe, expect, test } from 'bun:test';
import { run } from '../../../cli/command-line.ts';
import { databaseSettings, startInstance } from '../../../support/instance.ts';
import { newCanary, placesOf } from '../canary.ts';
import { expectAccepted, expectRefused } from '../helpers.ts';
import { no, postToken, saying, startService, yes } from './service.ts';

const ours = await startInstance();
/** An instance with full logging, whose files and log are searched. */
const searched = await startInstance({ env: { LOG_LEVEL: 'debug' } });
const service = startService();
afterAll(async () => {
  await Promise.all([ours.stop(), searched.stop()]);
  await service.stop();
});

/** Creates an owner whose form calls a service with this secret. */
async function guardedWith(secret: string, verifyUrl: string, instance = ours) {
  const owner = await instance.makeOwner();
  return { ...owner, form: await instance.makeForm(owner, {}, { kind: 'custom', secret, verifyUrl }) };
}

/** Returns the secrets that an endpoint has received. */
function secretsOf({ asked }: ReturnType<typeof service.desk>): Array<string | null> {
  return asked.map(({ body }) => new URLSearchParams(body).get('secret'));
}

const command = (args: readonly string[]) => run(ours.dataDir, args, databaseSettings(ours.dataDir));
const update = (id: string, ...options: string[]) => command(['form', 'update', id, ...options, '--json']);

describe('the secret of a challenge', () => {
  test('is unreadable in the data directory, the log and responses, for any reply of the service', async () => {
    const canary = newCanary();
    const answers: string[] = [];
    for (const answer of [yes, no, saying('down', 503), saying(`{"success":false,"error-codes":["${canary}"]}`)]) {
      const owner = await guardedWith(canary, service.desk(answer).url, searched);
      const { id } = owner.form;
      const posted = await postToken(searched, owner);
      const read = await searched.api('GET', `/v1/forms/${id}`, { key: owner.readKey });
      const listed = await searched.api('GET', '/v1/forms', { key: owner.readKey });
      const body = { name: 'New' };
      const patched = await searched.api('PATCH', `/v1/forms/${id}`, { key: owner.writeKey, body });
      for (const one of [posted, read, listed, patched])
        answers.push(JSON.stringify([...one.headers]), await one.text());
    }
    expect(answers.filter((text) => text.includes(canary))).toEqual([]);
    expect(placesOf(canary, searched)).toEqual([]);
  });

  test('is not shown by any command, successful or refused', async () => {
    const canary = newCanary();
    const owner = await guardedWith(canary, service.desk(yes).url);
    const commands = [
      ['form', 'list', '--team', owner.teamId, '--json'],
      ['form', 'list', '--team', owner.teamId],
      ['form', 'update', owner.form.id, '--name', 'New', '--json'],
      ['form', 'update', owner.form.id, '--challenge', 'turnstile', '--challenge-secret', canary],
      ['form', 'update', owner.form.id, '--challenge', 'altcha', '--challenge-secret', canary],
      ['form', 'update', owner.form.id, '--challenge', 'cap', '--challenge-secret', canary],
      ['form', 'update', owner.form.id, '--challenge', 'none', '--challenge-secret', canary],
      ['form', 'update', 'frm_1', '--challenge', 'hcaptcha', '--challenge-secret', canary],
      ['form', 'update', owner.form.id, '--challenge', 'unknown', '--challenge-secret', canary],
    ];
    const outcomes = await Promise.all(commands.map(command));
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2]);
    expect(JSON.stringify(outcomes)).not.toContain(canary);
  });

  test('applies to the next post when it is changed', async () => {
    const desk = service.desk(yes);
    const owner = await guardedWith('old', desk.url);
    await expectAccepted(await postToken(ours, owner));
    const again = ['--challenge', 'custom', '--challenge-secret', 'new', '--challenge-verify-url', desk.url];
    expect(await update(owner.form.id, ...again)).toMatchObject({ code: 0, stderr: '' });
    await expectAccepted(await postToken(ours, owner));
    expect(secretsOf(desk)).toEqual(['old', 'new']);
  });

  test('stays when other settings of the form are changed', async () => {
    const desk = service.desk(yes);
    const owner = await guardedWith('mine', desk.url);
    expect(await update(owner.form.id, '--name', 'New')).toMatchObject({ code: 0, stderr: '' });
    await expectAccepted(await postToken(ours, owner));
    expect(secretsOf(desk)).toEqual(['mine']);
  });

  test('is deleted with the challenge, and the service is not called any more', async () => {
    const desk = service.desk(no);
    const owner = await guardedWith('mine', desk.url);
    expect(await update(owner.form.id, '--challenge', 'none')).toMatchObject({ code: 0, stderr: '' });
    await expectAccepted(await ours.post(owner.form.id, { name: 'Ada' }));
    expect(await ours.context.store.forms.findPublic(owner.form.id)).toMatchObject({
      challenge: null,
      challengeVerifyUrl: null,
      challengeSecret: null,
    });
    expect(desk.asked).toEqual([]);
  });

  test('does not open after it was moved to another form', async () => {
    const desk = service.desk(yes);
    const [mine, other] = [await guardedWith('mine', desk.url), await guardedWith('other', desk.url)];
    const { challengeSecret } = mine.form;
    await ours.context.store.forms.update(other.form.id, { challengeSecret });
    await expectRefused(await postToken(ours, other), 500, 'challenge_unavailable');
    expect(desk.asked).toEqual([]);
  });
});
