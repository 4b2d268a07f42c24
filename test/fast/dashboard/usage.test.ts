import { expect, test } from 'bun:test';
import { USAGE_TEXTS } from '../../../src/dashboard/usage/texts.ts';
import { startInstance } from '../../support/instance.ts';
import { makeAccount, signIn } from './signed-in.ts';

const MONTH = (month: number) => Date.UTC(2026, month, 15) * 1000;

test('the page compares this month with the plan and lists earlier months', async () => {
  let now = MONTH(3);
  const plans = JSON.stringify({ small: { api_access: false, submissions_limit: 5 } });
  const instance = await startInstance({ clock: () => now, env: { PLANS: plans } });
  try {
    const owner = await instance.makeOwner('small');
    await instance.post(owner.form.id, { message: 'in April' });
    now = MONTH(4);
    const me = await signIn(instance, owner);
    expect(await me.page('/dashboard/usage')).toContain('0 of 5');
    for (let n = 0; n < 4; n++) await instance.post(owner.form.id, { message: `in May ${n}` });
    const nearly = await me.page('/dashboard/usage');
    expect(nearly).toContain('4 of 5');
    expect(nearly).toContain(USAGE_TEXTS.en.nearlyFull);
    expect(nearly).toMatch(/May 2026[\s\S]*April 2026/);
    await instance.post(owner.form.id, { message: 'the last' });
    expect(await me.page('/dashboard/usage')).toContain(USAGE_TEXTS.en.full);
    expect(await me.page('/dashboard/usage', { 'Accept-Language': 'de' })).toContain('5 von 5');
  } finally {
    await instance.stop();
  }
});

test('a team sees its own usage only', async () => {
  const plans = JSON.stringify({ unlimited: { api_access: true, submissions_limit: 5 } });
  const instance = await startInstance({ env: { PLANS: plans } });
  try {
    await instance.post(instance.owner.form.id, { message: 'mine' });
    const other = await signIn(instance, await instance.makeOwner());
    expect(await other.page('/dashboard/usage')).toContain(USAGE_TEXTS.en.nothing);
  } finally {
    await instance.stop();
  }
});

test('all members of the whole team find it in the menu, and nobody who sees only some workspaces', async () => {
  const plans = JSON.stringify({ unlimited: { api_access: true, submissions_limit: 5 } });
  const instance = await startInstance({ env: { PLANS: plans } });
  try {
    const { owner, context } = instance;
    await makeAccount(instance, owner);
    const member = await signIn(instance, owner, {}, 'viewer');
    const link = 'href="/dashboard/usage"';
    expect(await member.page('/dashboard/forms')).toContain(link);
    await context.store.members.changeRole(owner.teamId, member.user.id, 'viewer', undefined, [owner.workspaceId]);
    expect(await member.page('/dashboard/forms')).not.toContain(link);
    expect((await member.get('/dashboard/usage')).status).toBe(403);
  } finally {
    await instance.stop();
  }
});

test('a team without a limit has no page of its usage, and no page says a word of plans', async () => {
  const instance = await startInstance();
  try {
    const { owner } = instance;
    const me = await signIn(instance, owner);
    expect((await me.get('/dashboard/usage')).status).toBe(404);
    const hook = `/dashboard/forms/${owner.form.id}/webhooks/new`;
    for (const path of ['/dashboard/team', '/dashboard/team/new', '/dashboard/status', '/dashboard/keys', hook]) {
      expect(await me.page(path)).not.toMatch(/\b(?:plan|quota|usage)\b/i);
      expect(await me.page(path, { 'Accept-Language': 'de' })).not.toMatch(/\b(?:Tarif|Kontingent|Verbrauch)/i);
    }
  } finally {
    await instance.stop();
  }
});
