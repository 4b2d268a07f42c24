import { readFile } from 'node:fs/promises';
import type { Context } from '../context/context.ts';
import { toServerContext } from '../context/server-context.ts';
import type { Role } from '../domain/teams/roles.ts';
import type { User } from '../domain/users/user.ts';
import { DAY, HOUR, MINUTE, type Micros } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { recordAction } from '../services/audit/audit.ts';
import { createKey } from '../services/keys/api-keys.ts';
import { SetupDocument } from '../services/setup/document.ts';
import { planSetup } from '../services/setup/plan.ts';
import { addNote, addReply } from '../services/submissions/messages.ts';
import { createTeam } from '../services/teams/teams.ts';
import { createWelcomeLink } from '../services/users/accounts.ts';
import { hashToken, newSession } from '../services/users/sessions.ts';
import { newReceiver } from '../visitor/receiver.ts';
import forms from './forms.yaml' with { type: 'text' };
import logo from './logo.bin' with { type: 'file' };
import submissions from './submissions.json';

/** A post, sent some minutes before the demo starts. Dates in `data` such as `+12` are days after it. */
type Sample = Readonly<{
  form: string;
  minutesAgo: number;
  data: Readonly<Record<string, unknown>>;
  /** The owner's reply, and a note for the team. */
  reply?: string;
  note?: string;
  assigned?: boolean;
  starred?: boolean;
  trashed?: boolean;
}>;

const SAMPLES = submissions as readonly Sample[];

/** Older submissions are read. */
const READ_AFTER = 26 * HOUR;

/** Older submissions have no mails, so that a demo starts soon. */
const MAILED_WITHIN = 7 * DAY;

/** The clock of a demo: a set time while it is filled, the machine's afterwards. */
export type DemoClock = { at: Micros | null };

type Account = Readonly<{ email: string; password: string; session: string }>;

/**
 * Fills a new instance with two months of a team's work, by the services that visitors and members use. `url` is where
 * its webhook leads. Returns the number of submissions.
 */
export async function seedDemo(context: Context, clock: DemoClock, url: string, account: Account): Promise<number> {
  const { store, vault, blobs: _, mail, network } = context;
  const now = context.clock();
  clock.at = now - 61 * DAY;
  const deps = { ...context, plans: context.config.plans };
  const team = await createTeam(deps, 'Harbor Lane Pottery', 'unlimited');
  const password = await Bun.password.hash(account.password, {
    algorithm: 'argon2id',
    memoryCost: 19_456,
    timeCost: 2,
  });
  const join = async (email: string, name: string, role: Role): Promise<User> => {
    const { token } = await createWelcomeLink(context, team.id, role);
    const createdAt = context.clock();
    const user = { id: newId('usr'), email, name, theme: null, language: null, timeZone: null, createdAt };
    await store.users.createByLink(hashToken(token), user, password);
    return user;
  };
  const owner = await join(account.email, 'Robin Hale', 'owner');
  const editor = await join('mina@harborlane.example', 'Mina Okafor', 'editor');
  await join('jonas@harborlane.example', 'Jonas Brandt', 'viewer');

  const document = new SetupDocument('forms.yaml', Buffer.from(forms.replace('HOOK_URL', url)));
  const before = await store.setup.read(team.id);
  const references = { variable: () => undefined, readFile: () => readFile(logo) };
  const options = { teamId: team.id, prune: false, store };
  const plan = await planSetup({ vault, clock: context.clock, network, references }, document, before, options);
  await store.setup.apply(team.id, before, plan.store, context.clock());
  await createKey(deps, {
    ...{ teamId: team.id, name: 'Website', scope: 'read', expiresAt: null, createdBy: owner.id },
  });
  const byName = new Map(plan.store.newForms.map((form) => [form.name, form]));
  const actor = { kind: 'user', id: owner.id, name: owner.email, address: '203.0.113.7' } as const;
  for (const { id } of byName.values()) {
    await recordAction(context, { teamIds: [team.id], actor, action: 'form.created', details: { form_id: id } });
  }

  const server = toServerContext(context);
  // Leaves deliveries to the jobs, so that nothing waits for them.
  const later = { wake: () => {} };
  const receiverOf = (sender: string | null) =>
    newReceiver({ ...server, intake: { ...server.intake, mail: { sender, outbox: later }, webhooks: later } });
  const receivers = { old: receiverOf(null), new: receiverOf(mail.sender) };
  // A form's webhooks and recipients are read with it.
  const found = [...byName].map(async ([name, { id }]) => [name, await receivers.new.findForm(id)] as const);
  const filled = new Map(await Promise.all(found));
  for (const sample of SAMPLES) {
    const form = filled.get(sample.form);
    if (!form) throw new Error(`There is no form "${sample.form}".`);
    clock.at = now - sample.minutesAgo * MINUTE;
    const isMailed = now - clock.at <= MAILED_WITHIN;
    await receivers[isMailed ? 'new' : 'old'].receive(toRequest(sample, clock.at), form, { client: '', server: null });
    if (isMailed) await mail.outbox.drain();
    await treat(context, team.id, form.id, sample, [owner, editor]);
  }
  clock.at = now;
  for (const { id: formId } of byName.values()) {
    const old = await store.exports.listPage({ formId, state: 'all', from: 0, until: now - READ_AFTER }, 0);
    const ids = old.map(({ id }) => id);
    await store.inbox.markRead(ids, team.id, now);
  }
  await store.milestones.reach('key_copied', now);
  await store.milestones.reach('mail_tested', now);
  await store.teams.update(team.id, { setUpAt: now });
  const from = { address: '', browser: 'Demo' };
  await store.sessions.create(hashToken(account.session), newSession(context.clock, owner, from).session);
  clock.at = null;
  return SAMPLES.length;
}

function toRequest({ data }: Sample, at: Micros): Request {
  const body = Object.entries(data).map(([name, value]) => {
    const days = typeof value === 'string' && /^\+\d+$/.test(value) ? Number(value) : null;
    return [name, days === null ? value : new Date((at + days * DAY) / 1_000).toISOString().slice(0, 10)];
  });
  return new Request('http://localhost/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Referer: 'https://harborlane.example/contact' },
    body: JSON.stringify(Object.fromEntries(body)),
  });
}

/** Does what the team did with the newest submission of a form. */
async function treat(
  context: Context,
  teamId: string,
  formId: string,
  { data, reply, note, assigned, starred, trashed }: Sample,
  [owner, editor]: readonly [User, User],
): Promise<void> {
  if (!reply && !note && !assigned && !starred && !trashed) return;
  const { store, mail, clock } = context;
  const [newest] = (await store.submissions.listRecent(formId, { onlySpam: false, limit: 1 })) ?? [];
  if (!newest) return;
  const ids = [newest.id];
  if (starred) await store.inbox.setStarred(ids, teamId, true);
  if (assigned) await store.messages.assignSubmission(ids, teamId, editor.id);
  const message = { id: newId('msg'), subject: `Re: Your message, ${String(data.name).split(' ')[0]}` };
  if (note) await addNote(context, newest, { user: editor, teamId }, { ...message, text: note });
  if (reply && mail.sender !== null) {
    await addReply({ ...context, sender: mail.sender }, newest, { user: owner, teamId }, { ...message, text: reply });
  }
  if (trashed) await store.trash.moveSubmissions(ids, teamId, clock());
}
