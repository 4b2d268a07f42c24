import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAIL_SERVER_ID } from '../../../src/domain/mail/mail-server.ts';
import { rotationJob } from '../../../src/jobs/rotation.ts';
import { newId } from '../../../src/lib/ids.ts';
import { createLogger } from '../../../src/lib/log.ts';
import { addNote } from '../../../src/services/submissions/messages.ts';
import { createWebhook } from '../../../src/services/webhooks/webhooks.ts';
import type { SealedCursor, SealedRecord } from '../../../src/storage/records.ts';
import { SEALED_TABLES } from '../../../src/storage/sealed-tables.ts';
import { readKeyFile } from '../../../src/vault/master-key-file.ts';
import {
  getKeyId,
  mailServerAad,
  payloadAad,
  spamLessonAad,
  spamModelAad,
  spamReasonsAad,
  totpSecretAad,
  Vault,
} from '../../../src/vault/vault.ts';
import { run } from '../../cli/command-line.ts';
import { signIn } from '../../fast/dashboard/signed-in.ts';
import { guardedBy, postToken, type Service, startService, yes } from '../../fast/visitor/challenge/service.ts';
import { formData } from '../../fast/visitor/files.ts';
import { expectAccepted } from '../../fast/visitor/helpers.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { sqliteOnly } from '../../support/sqlite-only.ts';
import { tracesOf } from '../../support/traces.ts';
import { until } from '../../support/until.ts';

let instance: Instance;
let service: Service;
beforeAll(async () => {
  service = startService();
  // Nothing listens there, so mails fail and store a reason.
  instance = await startInstance({ env: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'forms@mail.example' } });
});
afterAll(async () => {
  await instance.stop();
  await service.stop();
});

async function allSealed(): Promise<SealedRecord[]> {
  const records: SealedRecord[] = [];
  for (let from: SealedCursor | null | undefined; from !== null; ) {
    const page = await instance.context.store.sealedRecords.list(from ?? null, null);
    records.push(...page.records);
    from = page.next;
  }
  return records;
}

/** Creates a sealed record of every kind. */
async function sealOneOfEach() {
  const { store, vault, mail } = instance.context;
  const { owner } = instance;
  const fields = [
    { name: 'cv', label: 'CV', type: 'file', required: false },
    { name: 'terms', label: 'Terms', type: 'consent', required: false },
  ];
  const settings = { notify: ['o@x.example'], keepsSource: true, fields, consentText: 'I agree.' };
  const form = await instance.makeForm(owner, settings);
  const sent = formData([
    ['name', 'Ada'],
    ['terms', 'yes'],
    ['cv', new File(['her papers'], 'cv.txt')],
  ]);
  await expectAccepted(await instance.post(form.id, sent, { Referer: 'https://shop.example/contact' }));
  await mail?.outbox.drain();
  const id = newId('sub');
  const nothing = { files: null, blobs: [], idempotency: null, challenge: null, mails: [], deliveries: [] };
  await store.queue.accept({
    ...nothing,
    id,
    formId: form.id,
    isSpam: true,
    payload: vault.sealPayload([['name', 'Eve']], payloadAad(id, form.id)),
    spamReasons: vault.seal('["links"]', spamReasonsAad(id, form.id)),
  });
  await createWebhook(instance.context, form.id, 'standard', { url: 'http://127.0.0.1:1/' });
  const { user, post } = await signIn(instance, owner);
  await post('/dashboard/inbox/views', { name: 'Spam', list: 'part=spam' });
  const headers = { 'Idempotency-Key': 'rotation' };
  await instance.api('POST', '/v1/workspaces', { key: owner.writeKey, body: { name: 'New' }, headers });
  const found = await store.submissions.list(owner.teamId, form.id, { before: null, limit: 10 });
  for (const submission of found?.items ?? []) {
    const author = { user, teamId: owner.teamId };
    await addNote(instance.context, submission, author, { id: '', subject: '', text: 'Call back.' });
  }
  const database = new Database(join(instance.dataDir, 'formstead.db'));
  const aad = { table: 'api_requests', row: 'request', form: '', column: 'response' };
  const response = vault.seal('{}', aad);
  database.run("INSERT INTO api_requests VALUES ('request', 'content', 201, ?, 1)", [response]);
  const view = vault.seal('{}', { table: 'inbox_views', row: 'view', form: '', column: 'view' });
  database.run("INSERT INTO inbox_views VALUES ('view', ?, ?, ?, 1)", [user.id, owner.teamId, view]);
  const model = vault.seal('weights', spamModelAad(owner.teamId));
  database.run('INSERT INTO spam_models VALUES (?, ?, 0, 1, 1)', [owner.teamId, model]);
  const lesson = vault.seal('changes', spamLessonAad('lesson'));
  const values = [owner.teamId, id, lesson];
  database.run("INSERT INTO spam_lessons VALUES ('lesson', ?, ?, 1, NULL, ?, 0, 1)", values);
  database.close();
  await store.mailServer.write(vault.seal('{}', mailServerAad(MAIL_SERVER_ID)));
  const secret = vault.seal('SECRET', totpSecretAad(user.id));
  await store.secondFactors.add(user.id, { secret, step: 1, codeHashes: [] }, 'none');
}

const nameOf = ({ aad: { table, column } }: SealedRecord) => `${table}.${column}`;
const placeOf = ({ aad }: SealedRecord) => Object.values(aad).join(' ');
const opened = (vault: Vault, records: readonly SealedRecord[]) =>
  Object.fromEntries(records.map((one) => [placeOf(one), vault.open(one.record, one.aad).toString()]));

describe('a new key', () => {
  sqliteOnly.concurrent(
    'becomes active in a running server, which reseals every record so that the old key is unused',
    async () => {
      const { store, vault } = instance.context;
      const desk = service.desk(yes);
      const guarded = await guardedBy(instance, desk);
      await sealOneOfEach();
      const before = await allSealed();
      const kinds = SEALED_TABLES.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`));
      expect([...new Set(before.map(nameOf))].sort()).toEqual(kinds.sort());
      const texts = opened(vault, before);
      const hash = vault.fingerprint('address', 'ada@example.com');
      const oldKey = vault.keyId;

      expect(await run(instance.dataDir, ['vault', 'rotate'])).toMatchObject({ code: 0 });
      expect(vault.keyId).not.toBe(oldKey);
      const isDone = () => instance.logs.some((line) => line.includes('key rotation complete'));
      await until(isDone, 'everything to be sealed under the new key');
      expect((await store.vaultKeys.list()).map(({ state }) => state)).toEqual(['unused', 'current']);
      const old = before.map(({ record }) => record);
      expect(await tracesOf(instance.dataDir, old)).toEqual([]);
      const after = await allSealed();
      expect(after.filter(({ record }) => getKeyId(record) !== vault.keyId)).toEqual([]);
      const [key] = readKeyFile(join(instance.dataDir, 'encryption.key')) ?? [];
      if (!key) throw new Error('there is no key');
      expect(opened(new Vault(key), after)).toEqual(texts);
      expect(vault.fingerprint('address', 'ada@example.com')).toBe(hash);
      await expectAccepted(await postToken(instance, guarded));
      expect(desk.asked).toHaveLength(1);
    },
  );

  sqliteOnly.concurrent('is ignored if the key file lacks the active key, and that is logged once', async () => {
    const own = await startInstance();
    const { vault, store } = own.context;
    expect(await run(own.dataDir, ['vault', 'rotate'])).toMatchObject({ code: 0 });
    const isDone = async () => (await store.vaultKeys.list()).every(({ state }) => state !== 'retiring');
    await until(isDone, 'everything to be sealed under the new key');
    const path = join(own.dataDir, 'encryption.key');
    const whole = readFileSync(path, 'utf8');
    const inUse = vault.keyId;
    const lines: string[] = [];
    const log = createLogger({ level: 'info', isPretty: false, write: (line) => lines.push(line) });
    const job = rotationJob({ ...own.context, log });
    for (const text of [whole.trim().split('\n').at(-1) ?? '', 'damaged']) {
      writeFileSync(path, text);
      for (let look = 0; look < 3; look++) await job.step(new AbortController().signal);
    }
    expect(lines).toEqual([expect.stringContaining('lacks the key'), expect.stringContaining('is damaged')]);
    expect(vault.keyId).toBe(inUse);
    await expectAccepted(await own.post(own.owner.form.id, { name: 'meanwhile' }));
    writeFileSync(path, whole);
    expect((await run(own.dataDir, ['vault', 'check', '--json'])).stdout).toBe('[]\n');
    await own.stop();
  });

  sqliteOnly.concurrent('that another process made active is noticed by the next post', async () => {
    const own = await startInstance();
    const { store, vault, keyFile } = own.context;
    const form = own.owner.form.id;
    const [oldKey] = readKeyFile(keyFile?.path ?? '') ?? [];
    if (!oldKey) throw new Error('no key');
    await run(own.dataDir, ['vault', 'rotate', '--json']);
    const newKey = await until(() => (vault.keyId === oldKey.id ? null : vault.keyId), 'the new key to be active');
    // As in a process that still seals under the old one.
    vault.setActiveKey(oldKey);
    await expectAccepted(await own.post(form, { name: 'late' }));
    expect(vault.keyId).toBe(newKey);
    const span = { formId: form, state: 'all', from: 0, until: Number.MAX_SAFE_INTEGER } as const;
    expect((await store.exports.listPage(span, 0)).map(({ payload }) => getKeyId(payload))).toEqual([newKey]);
    await own.stop();
  });

  test.concurrent('that is missing here lets no post be stored under another key', async () => {
    const own = await startInstance();
    const { store, vault } = own.context;
    const form = own.owner.form.id;
    const [known] = await store.vaultKeys.list();
    const fingerprintKey = Buffer.from('sealed');
    await store.vaultKeys.activate({ id: 1, check: 'of another process', fingerprintKey }, 1);
    const refused = await own.post(form, { name: 'Ada' });
    expect(refused.status).toBe(500);
    expect(await refused.json()).toMatchObject({ code: 'storage_unavailable' });
    await until(() => own.logs.some((line) => line.includes('lack')), 'the log to name the key');
    await store.vaultKeys.activate({ id: vault.keyId, check: known?.check ?? '', fingerprintKey }, 1);
    await expectAccepted(await own.post(form, { name: 'Ada' }));
    expect(await own.stored(own.owner)).toHaveLength(1);
    await own.stop();
  });
});
