/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { ApiKey } from '../../domain/api-key.ts';
import { AppError } from '../../domain/errors.ts';
import { planNamed } from '../../domain/teams/plan.ts';
import { parseName } from '../../domain/teams/team.ts';
import { DAY } from '../../lib/clock.ts';
import { createKey } from '../../services/keys/api-keys.ts';
import { action, type DashboardRoute, flash, type Page, type PageContext, page, redirectTo } from '../page.ts';
import { confirmPage } from '../ui/confirm-page.tsx';
import { errorText, parseInput } from '../ui/parse-input.ts';
import { KeysView, LIVES, SCOPES } from './keys-view.tsx';
import { KEYS_TEXTS } from './texts.ts';

const PATH = '/dashboard/keys';

type ManagePage = PageContext<'manage'>;

/** API keys: listed, created, revoked. */
export const keyRoutes: readonly DashboardRoute[] = [
  page(PATH, { access: 'manage' }, (page) => keysPage(page)),
  action(PATH, { access: 'manage', audit: 'key.created', needsPassword: () => true }, create),
  page(`${PATH}/:keyId/revoke`, { access: 'manage' }, askToRevoke),
  action(`${PATH}/:keyId/revoke`, { access: 'manage', audit: 'key.revoked' }, revoke),
];

async function keysPage({ context, viewer, team, query }: ManagePage, extra: Extra = {}): Promise<Page> {
  const { store, clock, config } = context;
  const [keys, forms] = await Promise.all([store.keys.list(team.id), store.forms.list(team.id)]);
  const plan = planNamed(config.plans, team.plan).api_access ? null : team.plan;
  return {
    title: viewer.texts.sections.keys,
    section: 'keys',
    status: extra.error === undefined ? 200 : 400,
    done: flash({ revoked: KEYS_TEXTS[viewer.language].revoked }, query),
    body: <KeysView viewer={viewer} keys={keys.toReversed()} forms={forms} now={clock()} plan={plan} {...extra} />,
  };
}

async function create(page: ManagePage, form: URLSearchParams): Promise<Page> {
  const { context, viewer, team, user, note } = page;
  const { clock, config } = context;
  const name = form.get('name') ?? '';
  const scope = SCOPES.find((scope) => scope === form.get('scope')) ?? 'read';
  const life = LIVES.find((days) => days === form.get('life')) ?? '';
  // Ticked forms limit the key even if the choice above them was not changed.
  const isLimited = form.get('access') === 'some' || form.has('form');
  const forms = isLimited ? form.getAll('form') : undefined;
  const refuse = (error: string) => keysPage(page, { error, input: { name, scope, life, forms } });
  const { texts } = viewer;
  const parsed = parseInput(texts, () => parseName(name));
  if ('error' in parsed) return refuse(parsed.error);
  if (forms?.length === 0) return refuse(KEYS_TEXTS[viewer.language].chooseForm);
  const expiresAt = life === '' ? null : clock() + Number(life) * DAY;
  const wanted = { teamId: team.id, name, scope, expiresAt, createdBy: user.id, forms };
  const created = await createKey({ ...context, plans: config.plans }, wanted).catch((error: unknown) => {
    if (error instanceof AppError && error.reason) return { error: errorText(texts, error) };
    throw error;
  });
  if ('error' in created) return refuse(created.error);
  const { key, secret } = created;
  note({ key_id: key.id, scope, ...(key.formIds && { forms: key.formIds.length }) });
  return keysPage(page, { secret });
}

async function findKey({ context, team, param }: ManagePage): Promise<ApiKey> {
  const key = (await context.store.keys.list(team.id)).find(({ id }) => id === param('keyId'));
  if (key) return key;
  throw new AppError('not_found', 'This team has no such API key.');
}

async function askToRevoke(page: ManagePage): Promise<Page> {
  const t = KEYS_TEXTS[page.viewer.language];
  const { id, name } = await findKey(page);
  const question = { title: t.revokeTitle(name), text: t.revokeText, button: t.revoke };
  return confirmPage(page.viewer, 'keys', { ...question, action: `${PATH}/${id}/revoke`, cancel: PATH });
}

async function revoke(page: ManagePage): Promise<Response> {
  const { store, clock } = page.context;
  const key = await findKey(page);
  await store.keys.revoke(key.id, clock());
  return redirectTo(`${PATH}?done=revoked`);
}

/** Shown on the page after an attempt to create a key. */
type Extra = Pick<Parameters<typeof KeysView>[0], 'secret' | 'error' | 'input'>;
