import { DEFAULT_SETTINGS, newShortId } from '../../../../src/domain/forms/form.ts';
import { getPeriod } from '../../../../src/domain/usage.ts';
import type { Webhook } from '../../../../src/domain/webhooks/webhook.ts';
import { type Clock, HOUR, type Micros } from '../../../../src/lib/clock.ts';
import { getRandomPart, newId } from '../../../../src/lib/ids.ts';
import type { NewSubmission } from '../../../../src/storage/records.ts';
import type { Store } from '../../../../src/storage/store.ts';

/** Opens a store with a mail domain. All calls open the same database. */
export type OpenStore = (clock: Clock, limitOf: (plan: string) => number | null) => Promise<Store>;

/** A database system under test. */
export type Engine = Readonly<{
  name: string;
  /** Creates an empty database. */
  createDatabase: () => Promise<OpenStore>;
}>;

export const JULY = Date.UTC(2026, 6, 1) * 1000;

/** A form and its team. */
export type Place = Awaited<ReturnType<Fixture['makeForm']>>;

type Fixture = Awaited<ReturnType<typeof openFixture>>;

/**
 * Opens a store on an empty database, with a settable clock and builders of test data. The plan `hundred` has a limit.
 */
export async function openFixture({ createDatabase }: Engine) {
  const open = await createDatabase();
  const clock = { now: JULY as Micros };
  const opened = await open(
    () => clock.now,
    (plan) => (plan === 'hundred' ? 100 : null),
  );
  const store = {
    ...opened,
    queue: { ...opened.queue, accept: withId(opened) },
    imports: { ...opened.imports, add: withIds(opened) },
  };

  const makeForm = async () => {
    const teamId = newId('team');
    const workspaceId = newId('wsp');
    const createdAt = clock.now;
    await store.teams.create({
      id: teamId,
      name: 'Team',
      plan: 'pro',
      requiresSecondFactor: false,
      learnsSpam: true,
      setUpAt: null,
      createdAt,
    });
    await store.workspaces.create({ id: workspaceId, teamId, name: 'Workspace', position: 0, createdAt });
    const form = {
      ...DEFAULT_SETTINGS,
      id: newId('frm'),
      shortId: newShortId(),
      workspaceId,
      name: 'Form',
      isActive: true,
      webhookRoutes: [],
      archivedAt: null,
      trashedAt: null,
      fields: [{ name: 'a', label: 'A', type: 'text', required: true }],
      createdAt,
    };
    await store.forms.create(form);
    return { teamId, form };
  };
  type OfForm = Awaited<ReturnType<typeof makeForm>>;

  /** Creates a user and adds them to a team. */
  const makeMember = async (teamId: string, role: 'owner' | 'editor' | 'viewer') => {
    const id = newId('usr');
    const link = newId('link');
    const times = { createdAt: clock.now, expiresAt: clock.now + HOUR };
    await store.users.createLink(link, {
      teamId,
      userId: null,
      role,
      email: null,
      newEmail: null,
      createdBy: null,
      ...times,
    });
    const user = {
      id,
      email: `${id}@x.example`,
      name: null,
      theme: null,
      language: null,
      timeZone: null,
      createdAt: clock.now,
    };
    await store.users.createByLink(link, user, 'hash');
    return user;
  };

  const submission = ({ form }: OfForm): NewSubmission => ({
    id: newId('sub'),
    formId: form.id,
    isSpam: false,
    payload: Buffer.from([0, 255, 1]),
    files: null,
    blobs: [],
    spamReasons: null,
    idempotency: null,
    challenge: null,
    mails: [],
    deliveries: [],
  });
  const used = ({ teamId }: OfForm) => store.usage.count(teamId, getPeriod(clock.now).start);
  const page = ({ teamId, form }: OfForm, before: Micros | null = null, limit = 1000) =>
    store.submissions.list(teamId, form.id, { before, limit }).then((found) => found?.items);

  return { store, clock, open, makeForm, makeMember, submission, used, page };
}

/** Returns the method that accepts a submission, and gives it its id with the time at which it was stored. */
export function withId({ queue }: Pick<Store, 'queue'>): Store['queue']['accept'] {
  return async (submission) => {
    const result = await queue.accept(submission);
    if (result.outcome === 'stored') Object.assign(submission, { id: result.id });
    return result;
  };
}

/** Returns the method that adds imported rows, and gives the stored ones their ids. */
function withIds({ imports }: Pick<Store, 'imports'>): Store['imports']['add'] {
  return async (importId, rows) => {
    const ids = await imports.add(importId, rows);
    for (const row of rows) {
      const id = ids?.find((one) => getRandomPart(one) === getRandomPart(row.id));
      if (id) Object.assign(row, { id });
    }
    return ids;
  };
}

/** Returns an active webhook that gets all submissions of a form. */
export function newWebhook({ form }: Pick<Place, 'form'>, parts: Partial<Webhook> = {}): Webhook {
  return {
    id: newId('whk'),
    formId: form.id,
    kind: 'standard',
    events: ['submission.created'],
    body: 'full',
    includeSpam: false,
    when: [],
    isActive: true,
    disabledReason: null,
    settings: Buffer.from('sealed'),
    failures: 0,
    failingSince: null,
    createdBy: null,
    restUntil: null,
    createdAt: JULY,
    ...parts,
  };
}
