import { afterAll, describe, expect, test } from 'bun:test';
import type { Form } from '../../../src/domain/form.ts';
import { sealAkismet } from '../../../src/intake/spam/akismet.ts';
import { duplicateForm } from '../../../src/services/forms.ts';
import { readSpamReasons } from '../../../src/services/read-submission.ts';
import { AKISMET_KEY, startAkismet } from '../../support/akismet.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import { keyOf, parseExposition } from '../operating/exposition.ts';

/** A timeout that no test reaches, even on a slow machine. */
const instance = await startInstance({ akismetMs: 3_600_000 });
const hurried = await startInstance({ akismetMs: 100 });
const service = startAkismet();
afterAll(async () => {
  await Promise.all([instance.stop(), hurried.stop(), service.stop()]);
});

const MESSAGE = 'Do you repair harps? My string broke yesterday, the one of the longest kind.';
const SPAM = { name: 'akismet-guaranteed-spam', email: 'ada@example.com', message: MESSAGE };
const SITE = 'https://forms.example.com';

/** Creates a form that asks a service. */
async function asking(url = service.url, key = AKISMET_KEY, by = instance): Promise<Form> {
  const form = await by.makeForm(by.owner);
  const akismetKey = sealAkismet(by.context.vault, form.id, { key, url, site: SITE });
  await by.context.store.forms.update(form.id, { akismetKey }, by.owner.teamId);
  return form;
}

/** Posts the fields and returns whether they were marked as spam, with the first reason. */
async function post(form: Form, fields: Record<string, unknown>, by: Instance = instance) {
  expect((await by.post(form.id, fields, { 'User-Agent': 'Firefox' })).status).toBe(200);
  const { store, vault, log } = by.context;
  const [stored] = (await store.submissions.listRecent(form.id, { onlySpam: false, limit: 1 })) ?? [];
  if (!stored) throw new Error('not stored');
  return { isSpam: stored.isSpam, reason: stored.isSpam ? readSpamReasons(vault, log, stored)[0] : undefined };
}

const callsAbout = (text: string) => service.calls.filter(({ fields }) => fields.comment_content?.includes(text));

describe('a form with Akismet', () => {
  test('marks as spam what the service calls spam, and nothing else', async () => {
    const form = await asking();
    expect(await post(form, SPAM)).toEqual({ isSpam: true, reason: 'the Akismet service of the form says spam' });
    expect(await post(form, { ...SPAM, name: 'Ada' })).toEqual({ isSpam: false, reason: undefined });
  });

  test('sends what the manual says, masked, and nothing else', async () => {
    const form = await asking();
    const message = 'Please charge 4111 1111 1111 1111 for the harp strings that I ordered.';
    await post(form, { name: 'Ada', email: 'ada@example.com', phone: '555 0100', color: 'red', message });
    const [call] = callsAbout('harp strings');
    expect(call).toEqual({
      path: '/1.1/comment-check',
      userAgent: 'Formstead/1.0',
      fields: {
        api_key: AKISMET_KEY,
        blog: SITE,
        user_ip: '127.0.0.1',
        user_agent: 'Firefox',
        comment_type: 'contact-form',
        comment_author: 'Ada',
        comment_author_email: 'ada@example.com',
        comment_content: 'Please charge ************1111 for the harp strings that I ordered.',
      },
    });
  });

  test('is not asked about spam, honeypots and other forms', async () => {
    const form = await asking();
    const words = { ...SPAM, message: 'zither '.repeat(20) };
    await instance.context.store.forms.update(form.id, { blockedWords: ['zither'] }, instance.owner.teamId);
    expect(await post(form, words)).toEqual({ isSpam: true, reason: 'the blocked word “zither”' });
    await instance.post(form.id, { ...words, _gotcha: 'yes' });
    await post(await instance.makeForm(instance.owner), words);
    expect(callsAbout('zither')).toEqual([]);
  });

  test('has its key in copies, sealed for them', async () => {
    const copy = await duplicateForm(
      { ...instance.context, plans: instance.context.config.plans },
      await found(await asking()),
      'Copy',
    );
    expect((await post(copy, SPAM)).isSpam).toBe(true);
  });

  const found = async ({ id }: Form): Promise<Form> => {
    const form = await instance.context.store.forms.find(id, instance.owner.teamId);
    if (!form) throw new Error('no form');
    return form;
  };
});

describe('a submission is stored without an answer if the service', () => {
  const LARGE = 'true'.repeat(1_000_000);
  test.each<[string, () => Response]>([
    ['answers something else', () => new Response('maybe')],
    ['is truncated', () => new Response('tru')],
    ['is too large', () => new Response(LARGE)],
    ['is broken', () => new Response('true', { status: 500 })],
    ['redirects', () => new Response(null, { status: 302, headers: { Location: `${service.url}/1.1/comment-check` } })],
    ['limits requests', () => new Response('true', { status: 429 })],
  ])('%s', async (_, answer) => {
    const stub = startAkismet(answer);
    try {
      expect(await post(await asking(stub.url), SPAM)).toEqual({ isSpam: false, reason: undefined });
      expect(stub.calls).toHaveLength(1);
    } finally {
      await stub.stop();
    }
  });

  test('refuses the key, which the log and the metrics tell without the key', async () => {
    const form = await asking(service.url, 'wrong-key-77');
    const failedBefore = instance.logs.length;
    expect((await post(form, SPAM)).isSpam).toBe(false);
    expect((await post(form, SPAM)).isSpam).toBe(false);
    const logged = instance.logs.slice(failedBefore).filter((line) => line.includes('Akismet'));
    expect(logged).toHaveLength(1);
    expect(JSON.parse(logged[0] ?? '')).toMatchObject({ level: 'warn', form: form.id });
    expect(instance.logs.join('')).not.toContain('wrong-key-77');
    const { values } = parseExposition(await (await fetch(`${instance.url}/metrics`)).text());
    expect(values.get(keyOf('formstead_akismet_requests_total', { result: 'failed' }))).toBeGreaterThan(0);
  });

  test('answers with the text of the submission, which the log does not repeat', async () => {
    const text = 'a text that only the service may read';
    const echoing = startAkismet(() => new Response(`Unknown comment: ${text}`));
    try {
      const form = await asking(echoing.url);
      expect((await post(form, { ...SPAM, message: text })).isSpam).toBe(false);
      expect(instance.logs.filter((line) => line.includes(form.id) && line.includes('Akismet'))).toHaveLength(1);
      expect(instance.logs.join('')).not.toContain(text);
    } finally {
      await echoing.stop();
    }
  });

  test('cannot be reached, or may not be', async () => {
    const gone = startAkismet();
    await gone.stop();
    expect((await post(await asking(gone.url), SPAM)).isSpam).toBe(false);
    expect((await post(await asking('http://169.254.169.254'), SPAM)).isSpam).toBe(false);
  });

  test('does not respond in time, and is then left alone for 30 seconds', async () => {
    const silent = startAkismet(() => new Promise<Response>(() => {}));
    try {
      const form = await asking(silent.url, AKISMET_KEY, hurried);
      expect((await post(form, SPAM, hurried)).isSpam).toBe(false);
      expect((await post(form, SPAM, hurried)).isSpam).toBe(false);
      expect(silent.calls).toHaveLength(1);
      expect(hurried.logs.filter((line) => line.includes('no_response'))).toHaveLength(1);
    } finally {
      await silent.stop();
    }
  });

  test('keeps six posts of a workspace waiting', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = startAkismet(async () => {
      await promise;
      return new Response('true');
    });
    try {
      const form = await asking(slow.url);
      const posts = Array.from({ length: 6 }, () => instance.post(form.id, SPAM));
      await until(() => slow.calls.length === 6, 'six requests');
      expect(await post(form, SPAM)).toEqual({ isSpam: false, reason: undefined });
      resolve();
      expect((await Promise.all(posts)).map(({ status }) => status)).toEqual(Array(6).fill(200));
      expect(slow.calls).toHaveLength(6);
    } finally {
      resolve();
      await slow.stop();
    }
  });
});
