import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { signIn } from '../../fast/dashboard/signed-in.ts';
import { startInstance, temporaryDir } from '../../support/instance.ts';
import { json } from '../command-line.ts';
import type { BackupResult } from './backup-server.ts';

const folder = temporaryDir();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a restored backup has notes, replies that wait, and source pages', async () => {
  const env = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'forms@mail.example' };
  const instance = await startInstance({ env, dataDir: join(folder, 'data') });
  const me = await signIn(instance, instance.owner);
  const form = await instance.makeForm(instance.owner, { keepsSource: true });
  await instance.post(form.id, { email: 'ada@home.example' }, { Referer: 'https://shop.example/contact' });
  const [submission] =
    (await instance.context.store.submissions.listRecent(form.id, { onlySpam: false, limit: 1 })) ?? [];
  const path = `/dashboard/submissions/${submission?.id}`;
  await me.post(`${path}/notes`, { text: 'Call back tomorrow.' });
  await me.post(`${path}/reply`, { subject: 'Re: harps', text: 'See you soon.' });
  const backup = ['backup', join(folder, 'backups'), '--with-key'];
  const made = await json<BackupResult>(instance.dataDir, backup);
  await instance.stop();

  const restored = join(folder, 'restored');
  await json(restored, ['restore', made.path]);
  const again = await startInstance({ env, dataDir: restored });
  const page = await (await signIn(again, instance.owner)).page(path);
  for (const text of ['Call back tomorrow.', 'See you soon.', 'https://shop.example/contact']) {
    expect(page).toContain(text);
  }
  const mails = await again.context.store.inbox.listMailsOf(submission?.id ?? '');
  expect(mails.map(({ kind }) => kind)).toEqual(['reply']);
  await again.stop();
});
