import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Instance, startInstance } from '../../support/instance.ts';
import { keep, refused, rows } from './support.ts';

let instance: Instance;
let ids: string[];
let times: string[];

beforeAll(async () => {
  instance = await startInstance({ env: { READS_PER_MINUTE: '120' }, monotonic: () => 0 });
  const { owner, api } = instance;
  ids = [
    await keep(instance, owner, { email: 'ada@example.com', card: '4242424242424242' }),
    await keep(instance, owner, { note: '=cmd()' }, { isSpam: true }),
    await keep(instance, owner, { note: '=1+1' }),
  ];
  const page = await api('GET', `/v1/forms/${owner.form.id}/submissions`, { key: owner.readKey });
  const { data } = (await page.json()) as { data: { items: Array<{ created_at: string }> } };
  times = data.items.map(({ created_at }) => encodeURIComponent(created_at)).toReversed();
});
afterAll(() => instance.stop());

/** Exports with a new key, because a key has six exports a minute. */
async function run(query: string, formId = instance.owner.form.id): Promise<Response> {
  const { secret } = await instance.makeKey(instance.owner);
  return instance.api('GET', `/v1/forms/${formId}/export?${query}`, { key: secret });
}

async function idsOf(query: string): Promise<string[]> {
  const lines = (await (await run(`format=jsonl&${query}`)).text()).split('\n').filter(Boolean);
  return lines.map((line) => (JSON.parse(line) as { id: string }).id);
}

test('JSON lines are in the format of the API: masked, oldest first, without spam', async () => {
  const { form, readKey } = instance.owner;
  const answer = await run('format=jsonl', form.shortId);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/jsonl; charset=utf-8']);
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename=${form.id}.jsonl`);
  expect(answer.headers.get('etag')).toBeNull();
  const [first = '', second, ...rest] = (await answer.text()).split('\n');
  const single = await instance.api('GET', `/v1/submissions/${ids[0]}`, { key: readKey });
  expect(JSON.parse(first)).toEqual(((await single.json()) as { data: unknown }).data);
  expect(first).toContain('************4242');
  expect([JSON.parse(second ?? '').id, ...rest]).toEqual([ids[2], '']);
});

test('CSV has a column for each field, with formulas disarmed', async () => {
  const answer = await run('format=csv');
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  const [head, ...lines] = (await answer.text()).split('\r\n');
  expect(head).toBe('id,created_at,is_spam,is_damaged,maybe_spam,email,card,note');
  expect(lines[1]).toContain("'=1+1");
});

test('since is inclusive, until exclusive, and spam=true includes spam', async () => {
  expect(await idsOf('spam=true')).toEqual(ids);
  expect(await idsOf('spam=false')).toEqual([ids[0] ?? '', ids[2] ?? '']);
  expect(await idsOf(`spam=true&since=${times[1]}`)).toEqual(ids.slice(1));
  expect(await idsOf(`spam=true&until=${times[1]}`)).toEqual(ids.slice(0, 1));
  expect(await idsOf(`spam=true&since=${times[1]}&until=${times[2]}`)).toEqual(ids.slice(1, 2));
});

test.each(['', 'format=xlsx', 'format=csv&spam=all', 'format=csv&since=x', 'format=csv&until=x'])(
  'with "%s" returns 400, for an unknown form too',
  async (query) => {
    await refused(run(query), 400);
    await refused(run(query, 'frm_unknown'), 400);
  },
);

test('the seventh export of a key in a minute is refused, while other reads are not', async () => {
  const { form, readKey } = instance.owner;
  const path = `/v1/forms/${form.id}/export?format=jsonl`;
  for (let used = 0; used < 6; used++) {
    const answer = await instance.api('GET', path, { key: readKey });
    await answer.text();
    expect(answer.headers.get('RateLimit')).toBe(`"export";r=${5 - used};t=60`);
  }
  await refused(instance.api('GET', path, { key: readKey }), 429);
  // The rate is checked before the input.
  await refused(instance.api('GET', `/v1/forms/${form.id}/export`, { key: readKey }), 429);
  const other = await instance.api('GET', '/v1/usage', { key: readKey });
  expect([other.status, other.headers.get('RateLimit-Policy')]).toEqual([200, '"read";q=120;w=60']);
});

test('an export is recorded with the key as actor', async () => {
  await (await run('format=csv', instance.owner.form.shortId)).text();
  const [entry] = rows<{ action: string; actor: string; details: string }>(
    instance,
    'SELECT * FROM audit ORDER BY id DESC LIMIT 1',
  );
  expect([entry?.action, entry?.actor]).toEqual(['export.csv', 'key']);
  expect(JSON.parse(entry?.details ?? '')).toEqual({ form_id: instance.owner.form.id });
});
