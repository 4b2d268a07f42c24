import { afterAll, describe, expect, test } from 'bun:test';
import { databaseOf, type Instance, startInstance } from '../../support/instance.ts';
import { dataOf, keep, type Page, refused, rows, type Submission, tamper } from './support.ts';

const instance = await startInstance();
afterAll(instance.stop);
const { api, owner } = instance;
const { form, readKey } = owner;

/** Changes one byte of a stored record, counted from its end if negative. */
function flipByte(id: string, position: number): void {
  const [row] = rows<{ payload: Uint8Array }>(instance, 'SELECT payload FROM submissions WHERE id = ?', id);
  const payload = Buffer.from(row?.payload ?? []);
  const at = position < 0 ? payload.length + position : position;
  payload.writeUInt8(payload.readUInt8(at) ^ 1, at);
  tamper(instance, 'UPDATE submissions SET payload = ? WHERE id = ?', payload, id);
}

describe('a damaged record', () => {
  test.each([
    ['version', 0],
    ['key id', 4],
    ['salt', 5],
    ['nonce', 21],
    ['first byte of the text', 33],
    ['tag', -1],
  ])('at its %s is listed with data null, and other rows are not affected', async (_part, position) => {
    const before = await keep(instance, owner, { note: 'before' });
    const id = await keep(instance, owner, { note: 'Sekret' });
    const after = await keep(instance, owner, { note: 'after' });
    flipByte(id, position);
    const { items } = await dataOf<Page>(api('GET', `/v1/forms/${form.id}/submissions?limit=3`, { key: readKey }));
    expect(items.map((item) => [item.id, item.data])).toEqual([
      [after, { note: 'after' }],
      [id, null],
      [before, { note: 'before' }],
    ]);
    const single = await dataOf<Submission>(api('GET', `/v1/submissions/${id}`, { key: readKey }));
    expect(items[1]).toEqual(single);
  });

  test('is logged by id without its content', async () => {
    const id = await keep(instance, owner, { note: 'Sekret' });
    flipByte(id, -1);
    await dataOf(api('GET', `/v1/submissions/${id}`, { key: readKey }));
    const lines = instance.logs.filter((line) => line.includes(id));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ level: 'error', submission: id });
    expect(instance.logs.join('')).not.toContain('Sekret');
  });

  test('that was moved to another row cannot be opened there', async () => {
    const [mine, theirs] = [await keep(instance, owner, { note: 'A' }), await keep(instance, owner, { note: 'B' })];
    tamper(
      instance,
      `UPDATE submissions SET payload = (SELECT payload FROM submissions WHERE id = ?) WHERE id = ?`,
      theirs,
      mine,
    );
    expect(await dataOf(api('GET', `/v1/submissions/${mine}`, { key: readKey }))).toMatchObject({ data: null });
    expect(await dataOf(api('GET', `/v1/submissions/${theirs}`, { key: readKey }))).toMatchObject({
      data: { note: 'B' },
    });
  });

  test('can be deleted', async () => {
    const id = await keep(instance, owner);
    flipByte(id, -1);
    await dataOf(api('DELETE', `/v1/submissions/${id}`, { key: owner.writeKey }));
    await refused(api('GET', `/v1/submissions/${id}`, { key: readKey }), 404);
  });
});

/** Triggers that refuse changes of forms with an error message that has the new name. */
const SQLITE_FAULT = 'CREATE TRIGGER fails BEFORE UPDATE ON forms BEGIN SELECT RAISE(ABORT, NEW.name); END';
const POSTGRES_FAULT = `DO $do$ BEGIN
  CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%', NEW.name; END $$;
  CREATE TRIGGER fails BEFORE UPDATE ON forms FOR EACH ROW EXECUTE FUNCTION fail();
END $do$`;

describe('an internal error', () => {
  const whileBroken = async (work: (broken: Instance) => Promise<void>) => {
    const broken = await startInstance();
    await work(broken);
    await broken.stop();
  };

  test('returns 500 in the envelope with the request id of the log line', () =>
    whileBroken(async (broken) => {
      await broken.context.store.close();
      const { error, headers } = await refused(broken.api('GET', '/v1/forms', { key: broken.owner.readKey }), 500);
      const id = headers.get('X-Request-Id') ?? 'none';
      expect(error).not.toMatch(/sqlite|database|SELECT/i);
      const line = JSON.parse(broken.logs.find((text) => text.includes(id)) ?? '{}');
      expect(line).toMatchObject({ level: 'error', status: 500, route: '/v1/forms' });
    }));

  test('does not reveal submitted data or the key in the log or response, even if the error message has it', () =>
    whileBroken(async (broken) => {
      const { form: lost, writeKey } = broken.owner;
      tamper(broken, databaseOf(broken.dataDir) ? POSTGRES_FAULT : SQLITE_FAULT);
      const change = { key: writeKey, body: { name: 'Sekret' } };
      const { error } = await refused(broken.api('PATCH', `/v1/forms/${lost.id}`, change), 500);
      const written = broken.logs.join('') + error;
      expect(written).toMatch(/SQLITE_CONSTRAINT|P0001/);
      for (const secret of ['Sekret', writeKey, writeKey.slice(8, 30)]) expect(written).not.toContain(secret);
      expect(rows(broken, 'SELECT name FROM forms WHERE id = ?', lost.id)).toEqual([{ name: 'Contact' }]);
    }));

  test('ends with its cause', () =>
    whileBroken(async (broken) => {
      tamper(broken, 'ALTER TABLE forms RENAME TO gone');
      await refused(broken.api('GET', '/v1/forms', { key: broken.owner.readKey }), 500);
      tamper(broken, 'ALTER TABLE gone RENAME TO forms');
      await dataOf(broken.api('GET', '/v1/forms', { key: broken.owner.readKey }));
    }));
});

test('refusals log neither keys nor bodies', async () => {
  await refused(api('GET', '/v1/forms', { key: `${readKey}x` }), 401);
  await refused(api('PATCH', `/v1/forms/${form.id}`, { key: owner.writeKey, body: { Sekret: 'Sekret' } }), 400);
  await refused(api('GET', `/v1/forms?access_token=${readKey}`), 401);
  const written = instance.logs.join('');
  for (const secret of ['Sekret', readKey, owner.writeKey]) expect(written).not.toContain(secret);
});
