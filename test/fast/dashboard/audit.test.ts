import { afterAll, afterEach, beforeAll, describe, expect, mock, spyOn, test } from 'bun:test';
import { AUDIT_TEXTS } from '../../../src/dashboard/audit/texts.ts';
import {
  AUDIT_ACTIONS,
  AUDIT_RETENTION_DAYS,
  type AuditAction,
  type StoredAuditEntry,
} from '../../../src/domain/audit.ts';
import { pruneJob } from '../../../src/jobs/upkeep.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { recordAction, SYSTEM } from '../../../src/services/audit/audit.ts';
import { createEmailLink, createInvitation, createResetLink } from '../../../src/services/users/accounts.ts';
import { hashToken } from '../../../src/services/users/sessions.ts';
import { startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import { tamper } from '../api/support.ts';
import { codeAt } from './authenticator.ts';
import { DECLARED } from './declarations.ts';
import { freshForm, freshValues, searchPerson } from './fresh-values.ts';
import { makeDevice, readOptions } from './passkey-device.ts';
import { makePasskey, PASSWORD, type SignedIn, signIn } from './signed-in.ts';
import { visitor } from './visitor.ts';
import { startWorld, type World } from './world.ts';

const CANARY = 'kanarienvogel';

let world: World;
let mailTested: StoredAuditEntry[];
let previewSent: StoredAuditEntry[];
const PREVIEW = '/dashboard/forms/:formId/preview/:preview';
beforeAll(async () => {
  const fields = { name: CANARY, email: `${CANARY}@example.com`, [CANARY]: `a ${CANARY} sings` };
  world = await startWorld({ formName: CANARY, fields, fileName: `${CANARY}.txt`, keyName: CANARY });
  mailTested = await during(() => world.me.post('/dashboard/mail/test', { to: `${CANARY}@example.com` }));
  previewSent = await during(() => world.me.post(world.pathOf(PREVIEW)));
  // Mails of what comes from now on fail, and can be tried again.
  await world.smtp.stop();
});
afterAll(() => world.stop());
afterEach(() => {
  mock.restore();
});

const everything = () => world.instance.context.store.audit.listFrom(null, { since: 0, after: 0, limit: 1_000_000 });

/** What was recorded while something was done. */
async function during(work: () => Promise<Response>): Promise<StoredAuditEntry[]> {
  const before = (await everything()).length;
  const answer = await work();
  await answer.arrayBuffer();
  if (answer.status >= 400) throw new Error(`${answer.url}: ${answer.status}`);
  return (await everything()).slice(before);
}

test('every action has a text in every language', () => {
  for (const audit of Object.values(AUDIT_TEXTS)) {
    expect(Object.keys(audit.actions).sort()).toEqual([...AUDIT_ACTIONS].sort());
    expect(new Set(Object.values(audit.actions)).size).toBe(AUDIT_ACTIONS.length);
  }
});

const SETTINGS = { name: CANARY, isActive: 'on' };

/** What is sent to a route, where it needs something. Names, texts and addresses that nothing may record are canaries. */
const SENT: Readonly<Record<string, Record<string, string>>> = {
  'POST /dashboard/welcome/:token': { email: 'new-here@example.com', new_password: `${CANARY} in a coal mine` },
  'POST /dashboard/reset/:token': { new_password: `${CANARY} in a coal mine` },
  'POST /dashboard/account/preferences': { language: 'de', time_zone: 'Europe/Berlin' },
  'POST /dashboard/mail/:mailId/recipient': { address: `${CANARY}2@example.com` },
  'POST /dashboard/account/password': { password: PASSWORD, new_password: `${CANARY} in a coal mine` },
  'POST /dashboard/account/sessions/end': { password: PASSWORD },
  'POST /dashboard/account/delete': { password: PASSWORD },
  'POST /dashboard/account/passkeys/:passkeyId/remove': { password: PASSWORD },
  'POST /dashboard/workspaces': { name: CANARY },
  'POST /dashboard/workspaces/:workspaceId': { name: CANARY },
  'POST /dashboard/forms/:formId/settings/:section': SETTINGS,
  'POST /dashboard/submissions/:submissionId/notes': { text: CANARY },
  'POST /dashboard/submissions/:submissionId/reply': { subject: CANARY, text: CANARY },
  'POST /dashboard/erase': { address: `${CANARY}@example.com` },
  'POST /dashboard/keys': { name: CANARY, scope: 'read' },
  'POST /dashboard/team/members/:userId': { role: 'editor' },
  'POST /dashboard/team/name': { name: CANARY },
  'POST /dashboard/team/new': { name: CANARY },
  'POST /dashboard/team/invitations': { email: `${CANARY}@example.com`, role: 'viewer' },
};

type Person = Readonly<{ who: SignedIn; path: string }>;

/** Turns the second factor on; its secret and the codes that are left. */
async function secure(who: SignedIn): Promise<string> {
  const page = '/dashboard/account/second-factor';
  const markup = await who.page(page);
  const shown = /<code id="secret"[^>]*>(.*?)<\/code>/.exec(markup)?.[1]?.replace(/<[^>]+>/g, '') ?? '';
  const offer = /name="offer" value="([^"]+)"/.exec(markup)?.[1] ?? '';
  const code = codeAt(shown, world.instance.context.clock());
  const answer = await who.post(page, { offer, code, password: PASSWORD });
  const codes = /<pre id="codes">([^<]+)<\/pre>/.exec(await answer.text())?.[1]?.split('\n') ?? [];
  return codes[0] ?? '';
}

async function submissionId(text: string): Promise<string> {
  const { instance, owner } = world;
  await instance.post(owner.form.id, { email: `${CANARY}@example.com`, message: `${CANARY} ${text}` });
  const page = { before: null, limit: 1 };
  return (await instance.context.store.submissions.list(owner.teamId, owner.form.id, page))?.items[0]?.id ?? '';
}

/** A mail that could not be sent, with its submission. */
async function failedMail() {
  const submission = await submissionId('mailed');
  const mailId = await until(async () => {
    const [mail] = await world.instance.context.store.inbox.listMailsOf(submission);
    return mail?.state === 'retrying' ? mail.id : null;
  }, 'a mail that failed');
  return { submissionId: submission, mailId };
}

/** What stands in the path of a route, made for one request. */
async function valuesFor(path: string, who: SignedIn): Promise<Record<string, string>> {
  const { instance, owner } = world;
  const { context } = instance;
  if (path.includes(':mailId')) return failedMail();
  if (/submissionId\/(?:restore|notes\/)/.test(path)) return freshValues(world, path, who);
  if (path.includes('/email/:token')) {
    return { token: (await createEmailLink(context, who.user.id, `${crypto.randomUUID()}@x.example`)).token };
  }
  if (/:(?:viewId|passkeyId)/.test(path)) return freshValues(world, path, who);
  if (path.includes('/reset/:token')) return { token: (await createResetLink(context, who.user.id)).token };
  if (/:(?:token|invitationId)/.test(path)) {
    const { token } = await createInvitation(context, {
      teamId: owner.teamId,
      role: 'viewer',
      email: null,
      createdBy: null,
    });
    return { token, invitationId: hashToken(token) };
  }
  if (path.includes(':erasureId')) {
    await submissionId('erased');
    return { erasureId: await searchPerson(who, `${CANARY}@example.com`) };
  }
  return {
    ...(await freshForm(world, path)),
    ...(path.includes(':userId') && { userId: (await signIn(instance, owner, {}, 'viewer')).user.id }),
    ...(path.includes(':keyId') && { keyId: (await instance.makeKey(owner)).id }),
    ...(path.includes(':sessionId') && { sessionId: (await context.store.sessions.list(who.user.id, 1))[0]?.id ?? '' }),
    ...(path.includes(':submissionId') && { submissionId: await submissionId('once more') }),
  };
}

const WEBHOOK = { url: `http://127.0.0.1:1/${CANARY}`, headers: `X-Token: ${CANARY}`, event: 'submission.created' };

/** Adds a passkey, which takes the name of the host rather than its address. */
async function equip(who: SignedIn) {
  const { host, origin } = new URL(world.instance.url.replace('127.0.0.1', 'localhost'));
  const headers = { Host: host, Origin: origin };
  const device = makeDevice(origin);
  const credential = device.create(await readOptions(await who.get('/dashboard/passkey?new', headers)));
  const added = () => who.post('/dashboard/account/passkeys', { credential, password: PASSWORD }, headers);
  return { headers, device, added };
}

/** Those that one post with fixed fields does not do. */
const BY_HAND: Readonly<Record<string, (person: Person) => Promise<() => Promise<Response>>>> = {
  // Owners on a plan with a limit cannot create teams.
  'POST /dashboard/team/new': async ({ who, path }) => {
    const { teams } = world.instance.context.store;
    await teams.update(world.owner.teamId, { plan: 'roomy' });
    return async () => {
      const answer = await who.post(path, SENT['POST /dashboard/team/new']);
      await teams.update(world.owner.teamId, { plan: 'unlimited' });
      return answer;
    };
  },
  'POST /dashboard/sign-in': async ({ who, path }) => {
    const browser = visitor(world.instance);
    return () => browser.post(path, { email: who.user.email, password: PASSWORD });
  },
  'POST /dashboard/second-factor': async ({ who, path }) => {
    const code = await secure(who);
    const browser = visitor(world.instance);
    await browser.post('/dashboard/sign-in', { email: who.user.email, password: PASSWORD });
    return () => browser.post(path, { recovery_code: code });
  },
  'POST /dashboard/account/second-factor': async ({ who }) => {
    return async () => {
      await secure(who);
      return new Response();
    };
  },
  'POST /dashboard/account/second-factor/codes': async ({ who, path }) => {
    const code = await secure(who);
    return () => who.post(path, { password: PASSWORD, code });
  },
  'POST /dashboard/account/second-factor/off': async ({ who, path }) => {
    const code = await secure(who);
    return () => who.post(path, { password: PASSWORD, code });
  },
  'POST /dashboard/account/passkeys': async ({ who }) => (await equip(who)).added,
  'POST /dashboard/account/password/remove': async ({ who, path }) => {
    for (const _ of [1, 2]) await makePasskey(world.instance, who.user.id);
    return () => who.post(path, { password: PASSWORD });
  },
  'POST /dashboard/passkey': async ({ who, path }) => {
    const { headers, device, added } = await equip(who);
    await added();
    const browser = visitor(world.instance, headers);
    const passkey = device.sign(await readOptions(await browser.get(path)));
    return () => browser.post(path, { passkey }, headers);
  },
  'POST /dashboard/forms/new': async ({ who, path }) => {
    return () => who.post(path, { name: CANARY, workspace: world.owner.workspaceId, template: 'contact' });
  },
  'POST /dashboard/forms/:formId/webhooks/new': async ({ who, path }) => {
    return () => who.post(path, WEBHOOK);
  },
  'POST /dashboard/forms/:formId/webhooks/:webhookId/settings': async ({ who, path }) => {
    return () => who.post(path, WEBHOOK);
  },
  'POST /dashboard/forms/:formId/webhooks/:webhookId/send': async ({ who, path }) => {
    return () => who.post(path, { past: '1' });
  },
  'POST /dashboard/forms/:formId/move': async ({ who, path }) => {
    const [, second] = await world.instance.context.store.workspaces.list(world.owner.teamId);
    return () => who.post(path, { workspace: second?.id ?? '' });
  },
  'POST /dashboard/mail/:mailId/recipient': async ({ who, path }) => {
    return () => who.post(path, { address: 'new@example.com' });
  },
  'POST /dashboard/submissions': async ({ who, path }) => {
    const submission = [await submissionId('one'), await submissionId('two')];
    return () => who.post(path, { do: 'spam', submission });
  },
  'POST /dashboard/submissions/undo': async ({ who, path }) => {
    const marked = await who.post('/dashboard/submissions', { do: 'spam', submission: await submissionId('one') });
    const { searchParams } = new URL(marked.headers.get('location') ?? '', world.instance.url);
    return () => who.post(path, { undo: searchParams.get('undo') ?? '' });
  },
};

const done = Object.entries(DECLARED)
  .map(([name, { audit }]) => [name, audit] as const)
  .filter(([name, audit]) => audit !== null || name.startsWith('POST '));
/** They need the mail server, which the others do without; email-change.test.ts has the last. */
/** Tested before, or where `SMTP_URL` is not set. */
const BEFORE = [
  'POST /dashboard/mail/server',
  'POST /dashboard/mail/test',
  `POST ${PREVIEW}`,
  'POST /dashboard/account/email',
];

test('a test mail writes one entry', () => {
  for (const entries of [mailTested, previewSent]) {
    expect(entries).toMatchObject([{ action: 'mail.tested', actor: { id: world.me.user.id }, details: {} }]);
  }
});

test.each(done.filter(([name, action]) => action !== null && !BEFORE.includes(name)))(
  '%s writes one entry: %s',
  async (name, action) => {
    const [method = '', route = ''] = name.split(' ');
    const { instance, owner } = world;
    const isOpen = /welcome/.test(route);
    const who = await signIn(instance, owner, {}, 'owner');
    const values = await valuesFor(route, who);
    const path = world.pathOf(route, values);
    const byHand = await BY_HAND[name]?.({ who, path });
    const act =
      byHand ??
      (isOpen
        ? () => visitor(instance).post(path, SENT[name])
        : () => (method === 'GET' ? who.get(path) : who.post(path, SENT[name])));
    const [entry, ...others] = await during(act);
    expect(others).toEqual([]);
    if (!entry) throw new Error('nothing was recorded');
    const teamId = route === '/dashboard/team/new' ? await who.team() : owner.teamId;
    expect(entry).toMatchObject({ teamId, action: action as AuditAction });
    const email = isOpen ? 'new-here@example.com' : who.user.email;
    expect(entry.actor).toMatchObject({ kind: 'user', name: email, address: '127.0.0.x' });
    if (!isOpen) expect(entry.actor.id).toBe(who.user.id);
    // The entry of a duplicate names the new form.
    if (route.endsWith('/duplicate')) return;
    for (const [parameter, id] of Object.entries(values)) {
      if (parameter === 'token' || !route.includes(`:${parameter}`)) continue;
      expect(entry.details).toMatchObject({ [parameter.replace('Id', '_id')]: id });
    }
    if (route.includes(':formId')) expect(entry.details.form_id).toBe(values.formId ?? owner.form.id);
  },
);

test('actions without an audit action write no entry', async () => {
  const { instance, owner } = world;
  const who = await signIn(instance, owner);
  for (const [name] of done.filter(([, action]) => action === null)) {
    const [method = '', route = ''] = name.split(' ');
    if (/progress|switch/.test(route)) continue;
    const path = world.pathOf(route, await valuesFor(route, who));
    const sent = { email: who.user.email };
    expect([name, await during(() => (method === 'GET' ? who.get(path) : who.post(path, sent)))]).toEqual([name, []]);
  }
  const submission = await submissionId('bulk');
  for (const what of ['read', 'unread', 'star', 'unstar', 'genuine']) {
    expect(await during(() => who.post('/dashboard/submissions', { do: what, submission }))).toEqual([]);
  }
});

describe('an action on several submissions', () => {
  test('records count, ids and the change', async () => {
    const { instance, owner, me } = world;
    const ids = [await submissionId('a'), await submissionId('b'), await submissionId('c')];
    const act = (what: string) => during(() => me.post('/dashboard/submissions', { do: what, submission: ids }));
    const details = { count: 3, submission_ids: ids.join(' ') };
    expect(await act('spam')).toMatchObject([{ action: 'submission.marked', details: { ...details, is_spam: true } }]);
    expect(await act('genuine')).toMatchObject([
      { action: 'submission.marked', details: { ...details, is_spam: false } },
    ]);
    expect(await act('trash')).toMatchObject([{ action: 'submission.trashed', details }]);
    expect(await act('restore')).toMatchObject([{ action: 'submission.restored', details }]);
    await act('trash');
    expect(await act('deleted')).toMatchObject([{ action: 'submission.deleted', details }]);
    expect(await instance.context.store.submissions.findStored(ids[0] ?? '', owner.teamId)).toBeNull();
  });
});

test('an entry names the changed settings and no others', async () => {
  const { me, owner } = world;
  const save = (part: string, sent: Record<string, string>) =>
    during(() => me.post(`/dashboard/forms/${owner.form.id}/settings/${part}`, sent));
  const settingsOf = (entries: StoredAuditEntry[]) => entries.map(({ details }) => details.settings);
  await save('general', { name: CANARY, isActive: 'on' });
  expect(settingsOf(await save('general', { name: `${CANARY} 2`, isActive: 'on' }))).toEqual(['name']);
  expect(settingsOf(await save('general', { name: `${CANARY} 2` }))).toEqual(['isActive']);
  expect(await me.page('/dashboard/audit')).toContain('Settings: accepting submissions');
  expect(settingsOf(await save('general', { name: `${CANARY} 2`, isActive: 'on' }))).toEqual(['isActive']);
});

describe('a refused request', () => {
  test('writes no entry, whether refused by role, origin, team or input', async () => {
    const { instance, owner, me, stranger } = world;
    const viewer = await signIn(instance, owner, {}, 'viewer');
    const before = await everything();
    const refused = [
      await viewer.post('/dashboard/keys', { name: 'x', scope: 'read' }),
      await me.post('/dashboard/keys', { name: 'x', scope: 'read' }, { Origin: 'https://evil.example' }),
      await stranger.post(world.pathOf('/dashboard/submissions/:submissionId/delete')),
      await stranger.get(world.pathOf('/dashboard/forms/:formId/export.csv')),
      await me.post('/dashboard/keys', { name: '', scope: 'read' }),
      await me.post('/dashboard/account/password', { password: 'wrong', new_password: PASSWORD }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 404, 404, 400, 400]);
    expect(await everything()).toEqual(before);
  });

  test('writes an entry for a failed sign-in, under the account if there is one, up to a limit', async () => {
    const own = await startInstance({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
    const who = await signIn(own, own.owner);
    const { store } = own.context;
    const failures = async (teamId: string | null) =>
      (await store.audit.listFrom(null, { since: 0, after: 0, limit: 1000 })).filter(
        (entry) => entry.action === 'sign_in_failed' && entry.teamId === teamId,
      );
    // No password is right here, and hashing them would take long.
    const verify = spyOn(Bun.password, 'verify').mockResolvedValue(false);
    let client = 0;
    const fail = (email: string) =>
      visitor(own, { 'X-Forwarded-For': `198.51.100.${++client}` }).post('/dashboard/sign-in', {
        email,
        password: CANARY,
      });
    await fail(who.user.email);
    for (let count = 0; count < 22; count++) await fail(`${CANARY}${count}@example.com`);
    // Failures are recorded after the answer. That of another account is recorded after them all.
    const last = await signIn(own, await own.makeOwner());
    await fail(last.user.email);
    await until(
      async () =>
        (await store.audit.listFrom(null, { since: 0, after: 0, limit: 1000 })).some(
          ({ details }) => details.user_id === last.user.id,
        ),
      'the last failure to be recorded',
    );
    verify.mockRestore();
    const [entry, ...others] = await failures(own.owner.teamId);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      actor: { kind: 'anybody', name: null, address: '198.51.100.x' },
      details: { user_id: who.user.id },
    });
    expect(await failures(null)).toHaveLength(20);
    expect(JSON.stringify(await failures(null))).not.toContain(CANARY);
    await own.stop();
  });
});

test('entries contain no submitted values', async () => {
  const all = await everything();
  expect(all.length).toBeGreaterThan(30);
  expect(JSON.stringify(all)).not.toContain(CANARY);
  for (const { details } of all) expect(JSON.stringify(details)).not.toMatch(/[@?]/);
});

describe('an action on the user’s own account', () => {
  test('is recorded in each of their teams', async () => {
    const { instance, owner } = world;
    const { store } = instance.context;
    const who = await signIn(instance, owner);
    const other = await instance.makeOwner();
    const { token } = await createInvitation(instance.context, {
      teamId: other.teamId,
      role: 'viewer',
      email: null,
      createdBy: null,
    });
    await store.members.joinByLink(hashToken(token), who.user.id);
    const entries = await during(() => who.post('/dashboard/account/preferences', { language: 'en' }));
    expect(entries.map(({ teamId }) => teamId)).toEqual([owner.teamId, other.teamId]);
  });
});

describe('the audit page', () => {
  const PATH = '/dashboard/audit';

  test('shows actor, address and local time, newest first', async () => {
    const { instance } = world;
    const owner = await instance.makeOwner();
    const who = await signIn(instance, owner, { timeZone: 'Asia/Tokyo', language: 'de' });
    await who.post(`/dashboard/forms/${owner.form.id}/settings/general`, { name: '<b>Form</b>', isActive: 'on' });
    await who.post('/dashboard/workspaces', { name: 'Second' });
    const markup = await who.page(PATH);
    const list = markup.slice(markup.indexOf('<ul class="list">'));
    const { actions } = AUDIT_TEXTS.de;
    expect(list.indexOf(actions['workspace.created'])).toBeGreaterThan(0);
    expect(list.indexOf(actions['form.changed'])).toBeGreaterThan(list.indexOf(actions['workspace.created']));
    expect(list).toContain(who.user.email);
    expect(list).toContain('127.0.0.x');
    expect(list).toContain('&lt;b&gt;Form&lt;/b&gt;');
    expect(list).not.toContain('<b>');
    const [entry] = await instance.context.store.audit.list(owner.teamId, {
      before: null,
      limit: 1,
      actorId: null,
      action: null,
    });
    const hour = new Intl.DateTimeFormat('de', { timeZone: 'Asia/Tokyo', hour: '2-digit', minute: '2-digit' });
    expect(list).toContain(hour.format((entry?.at ?? 0) / 1000));
  });

  test('filters by actor and action, and has pages', async () => {
    const { instance } = world;
    const owner = await instance.makeOwner();
    const one = await signIn(instance, owner);
    const other = await signIn(instance, owner);
    const record = (who: SignedIn, action: AuditAction, count: number) =>
      recordAction(instance.context, {
        teamIds: [owner.teamId],
        actor: { kind: 'user', id: who.user.id, name: who.user.email, address: null },
        action,
        details: { count },
      });
    for (let count = 0; count < 60; count++) await record(one, 'form.changed', 1000 + count);
    for (let count = 0; count < 3; count++) await record(one, 'key.created', 2000 + count);
    for (let count = 0; count < 4; count++) await record(other, 'form.changed', 3000 + count);
    const countsOn = (markup: string) =>
      Array.from(markup.matchAll(/Count: (\d),(\d+)/g), ([, thousands, rest]) => Number(`${thousands}${rest}`));
    const read = async (query: string) => countsOn(await one.page(`${PATH}${query}`));
    expect(await read(`?who=${other.user.id}`)).toEqual([3003, 3002, 3001, 3000]);
    expect(await read('?action=key.created')).toEqual([2002, 2001, 2000]);
    expect(await read(`?who=${one.user.id}&action=key.created`)).toEqual([2002, 2001, 2000]);
    expect(await read(`?who=${other.user.id}&action=key.created`)).toEqual([]);
    const found: number[] = [];
    let next: string | undefined = `${PATH}?who=${one.user.id}`;
    while (next !== undefined) {
      const markup: string = await one.page(next);
      found.push(...countsOn(markup));
      next = /<a href="([^"]+)" rel="next"/.exec(markup)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(found).toEqual([2002, 2001, 2000, ...Array.from({ length: 60 }, (_, index) => 1059 - index)]);
  });

  test('shows nothing of another team, and requires access to manage the team', async () => {
    const { instance, owner, stranger } = world;
    const markup = await stranger.page(PATH);
    for (const id of [owner.form.id, world.me.user.email]) expect(markup).not.toContain(id);
    expect(await stranger.page(`${PATH}?who=${world.me.user.id}`)).not.toContain(world.me.user.email);
    for (const role of ['editor', 'viewer'] as const) {
      expect((await (await signIn(instance, owner, {}, role)).get(PATH)).status).toBe(403);
    }
  });
});

describe('entries', () => {
  test('are deleted in batches after a year, and no sooner', async () => {
    const { context, stop } = await startInstance();
    const { store, clock } = context;
    const row = { teamId: null, actor: SYSTEM, action: 'team.changed' as const, details: {} };
    // Less than a year ago: the job of the instance deletes older ones.
    const old = clock() - 300 * DAY;
    await store.audit.record([old - 1, old - 1, old - 1, old + DAY].map((at) => ({ ...row, at })));
    const left = async () => (await store.audit.listFrom(null, { since: 0, after: 0, limit: 100 })).map(({ at }) => at);
    const before = await left();
    expect(await store.audit.prune(old, before.length - 2)).toBe(2);
    expect(await store.audit.prune(old, 100)).toBe(1);
    expect(await left()).toEqual(before.filter((at) => at >= old));
    const year = AUDIT_RETENTION_DAYS * DAY;
    await store.audit.record([
      { ...row, at: clock() - year + DAY },
      { ...row, at: clock() - year - 1 },
    ]);
    await pruneJob(context).step(new AbortController().signal);
    expect((await left()).filter((at) => at < old).map((at) => at > clock() - year)).toEqual([true]);
    await stop();
  });

  test('are logged if the audit table cannot be written, and the action succeeds', async () => {
    const own = await startInstance();
    const who = await signIn(own, own.owner);
    tamper(own, 'ALTER TABLE audit RENAME TO elsewhere');
    const answer = await who.post('/dashboard/workspaces', { name: CANARY });
    expect(answer.status).toBe(303);
    const line = own.logs.find((log) => log.includes('could not be recorded')) ?? '';
    expect(JSON.parse(line)).toMatchObject({ level: 'error', action: 'workspace.created', actor_id: who.user.id });
    expect(own.logs.join('')).not.toContain(CANARY);
    await own.stop();
  });
});

test('the log names members by name and account, and keys once', async () => {
  const { instance } = world;
  const owner = await instance.makeOwner();
  const me = await signIn(instance, owner);
  await instance.context.store.users.update(me.user.id, { name: 'Ada Byron' });
  const key = await instance.makeKey(owner, 'read_write');
  const record = (actor: StoredAuditEntry['actor']) =>
    recordAction(instance.context, { teamIds: [owner.teamId], actor, action: 'form.created', details: {} });
  await record({ kind: 'user', id: me.user.id, name: me.user.email, address: null });
  await record({ kind: 'key', id: key.id, name: 'read_write', address: null });
  const page = await me.page('/dashboard/audit');
  const actors = Array.from(page.matchAll(/<p class="flush small soft">(.*?)<\/p>/g), ([, text = '']) =>
    text.replace(/<[^>]+>/g, ''),
  );
  expect(actors).toContain(`Ada Byron · ${me.user.email}`);
  expect(actors).toContain('Key “read_write”');
});
