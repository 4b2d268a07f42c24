import { afterAll, expect, test } from 'bun:test';
import { databaseOf, type Instance, startInstance } from '../../support/instance.ts';
import { newCanary, placesOf } from './canary.ts';
import { ENCODINGS, multipart, pause, send, textPart, URLENCODED } from './helpers.ts';
import { breakOff, head } from './wire.ts';

const started: Instance[] = [];
afterAll(() => Promise.all(started.map(({ stop }) => stop())));

async function startTalkative(): Promise<Instance> {
  const plans = '{"closed":{"api_access":true,"submissions_limit":0}}';
  const instance = await startInstance({ env: { LOG_LEVEL: 'debug', PLANS: plans, MAX_BODY_BYTES: '300000' } });
  started.push(instance);
  return instance;
}

test('the search works: it finds an id in the database and an encoded text in the log', async () => {
  const instance = await startTalkative();
  const database = databaseOf(instance.dataDir) ? 'forms' : 'formstead.db';
  expect(placesOf(instance.owner.form.id, instance).join()).toContain(database);
  const canary = newCanary();
  for (const disguise of [canary, Buffer.from(`..${canary}`).toString('base64'), Buffer.from(canary).toString('hex')]) {
    expect(placesOf(canary, { ...instance, logs: [disguise] })).toEqual(['the log']);
  }
});

test.each(ENCODINGS)(
  'what a visitor sends is nowhere in the data directory or the log, as %s',
  async (_name, encode) => {
    const instance = await startTalkative();
    const canary = newCanary();
    const sent = [
      encode(Object.entries({ [canary]: 'x' })),
      encode(Object.entries({ a: canary, email: `${canary}@example.com`, _subject: canary })),
      encode(Object.entries({ a: 'x', _honey: canary, [`${canary}[]`]: '' })),
      encode(Object.entries({ a: 'x', 'captcha-response': canary })),
    ];
    for (const form of sent) expect((await send(instance, instance.owner, form)).status).toBe(200);
    expect(await instance.stored(instance.owner)).toHaveLength(3);
    expect(placesOf(canary, instance)).toEqual([]);
  },
);

test('a refused post is unreadable in the data directory and the log', async () => {
  const instance = await startTalkative();
  const canary = newCanary();
  const json = (body: string) => ({ type: 'application/json', body });
  const file = `Content-Disposition: form-data; name="${canary}"; filename="${canary}"\r\n\r\n${canary}`;
  const refused = [
    json(`{"a":"${canary}"`),
    json(`"${canary}"`),
    json(canary),
    json(`{"${canary}":${'['.repeat(40)}`),
    json(`{"${canary}":"${'x'.repeat(270_000)}"}`),
    json(`{"${canary.repeat(10)}":"x"}`),
    json(`{"${canary}":" "}`),
    { type: 'text/xml', body: `<a>${canary}</a>` },
    { type: `text/${canary}`, body: canary },
    { type: URLENCODED, body: `${canary}=${'x'.repeat(400_000)}` },
    multipart([textPart('a', 'x'.repeat(300_000)), file]),
    multipart([file, textPart('a', 'x'.repeat(300_000))]),
    { type: `multipart/form-data; boundary=${canary}`, body: `--${canary}\r\n\r\n${canary}` },
  ];
  for (const form of refused) {
    expect((await send(instance, instance.owner, form)).status).toBeWithin(400, 416);
  }
  expect(await instance.stored(instance.owner)).toEqual([]);
  expect(placesOf(canary, instance)).toEqual([]);
});

test('so is a post to an unknown, paused or capped form, or from a client that disconnects', async () => {
  const instance = await startTalkative();
  const canary = newCanary();
  const [paused, full] = [await instance.makeOwner(), await instance.makeOwner('closed')];
  await pause(instance, paused);
  const posts = [canary, paused.form.id, full.form.id].map((id) => instance.post(id, { [canary]: canary }));
  expect((await Promise.all(posts)).map(({ status }) => status)).toEqual([404, 403, 429]);
  const start = head(instance.owner.form.id, 'Content-Type: application/json', 'Content-Length: 200');
  await breakOff(instance, `${start}{"${canary}":"${canary}`);
  expect(placesOf(canary, instance)).toEqual([]);
});

test('the headers and the query of a post are not logged', async () => {
  const instance = await startTalkative();
  const canary = newCanary();
  const headers = { 'User-Agent': canary, Referer: `https://${canary}.example`, Cookie: canary, Authorization: canary };
  const url = `${instance.url}/v1/forms/${instance.owner.form.id}/submissions?${canary}=${canary}`;
  for (const body of ['{"a":"1"}', '{']) {
    await fetch(url, { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body });
  }
  expect(await instance.stored(instance.owner)).toHaveLength(1);
  expect(placesOf(canary, instance)).toEqual([]);
});
