import type { Context } from '../../context.ts';
import type { ApiKey, Scope } from '../../domain/api-key.ts';
import { isValidAt } from '../../domain/api-key.ts';
import { AppError } from '../../domain/errors.ts';
import { planNamed } from '../../domain/plan.ts';
import { DAY, type Micros } from '../../lib/clock.ts';
import { type Html, html } from '../../lib/html.ts';
import { createKey } from '../../services/keys.ts';
import { action, type PageContext, page, redirectTo } from '../page.ts';
import type { Page } from '../ui/layout.ts';
import type { Viewer } from '../viewer.ts';

/** After how many days a key may be set to expire; none for never. */
const LIVES = ['', '30', '90', '365'];
const SCOPES: readonly Scope[] = ['read', 'read_write'];

/** Keys of the management API: made, listed, revoked. */
export function keyRoutes(context: Context) {
  const { store, clock, config } = context;

  const keysPage = async ({ viewer, team, query }: PageContext<'read'>, extra: Partial<Shown> = {}): Promise<Page> => {
    const keys = await store.listKeys(team.id);
    const hasAccess = planNamed(config.plans, team.plan).api_access;
    const { texts } = viewer;
    return {
      title: texts.sections.keys,
      section: 'keys',
      status: extra.error === undefined ? 200 : 400,
      done: query.get('done') === 'revoked' ? texts.keys.revoked : null,
      body: keysView(viewer, { keys: keys.toReversed(), now: clock(), plan: hasAccess ? null : team.plan, ...extra }),
    };
  };

  return [
    page('/dashboard/keys', { access: 'manage' }, (page) => keysPage(page)),
    action('/dashboard/keys', { access: 'manage', audit: 'key.created' }, async (page, sent) => {
      const name = sent.get('name') ?? '';
      const scope = SCOPES.find((known) => known === sent.get('scope')) ?? 'read';
      const life = LIVES.find((days) => days === sent.get('life')) ?? '';
      const expiresAt = life === '' ? null : clock() + Number(life) * DAY;
      try {
        const made = await createKey(
          { ...context, plans: config.plans },
          { teamId: page.team.id, name, scope, expiresAt },
        );
        page.note({ key_id: made.key.id, scope });
        return await keysPage(page, { secret: made.secret });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
        return keysPage(page, { error: error.message, typed: { name, scope, life } });
      }
    }),
    page('/dashboard/keys/:keyId/revoke', { access: 'manage' }, async ({ viewer, team, param }) => {
      const key = await ownKey(team.id, param('keyId'));
      const { texts } = viewer;
      return { title: texts.keys.revokeTitle(key.name), section: 'keys', body: revokeView(viewer, key) };
    }),
    action('/dashboard/keys/:keyId/revoke', { access: 'manage', audit: 'key.revoked' }, async ({ team, param }) => {
      const key = await ownKey(team.id, param('keyId'));
      await store.revokeKey(key.id, clock());
      return redirectTo('/dashboard/keys?done=revoked');
    }),
  ];

  async function ownKey(teamId: string, id: string): Promise<ApiKey> {
    const key = (await store.listKeys(teamId)).find((one) => one.id === id);
    if (key) return key;
    throw new AppError('not_found', 'There is no such key in this team.');
  }
}

type Shown = Readonly<{
  /** Newest first. */
  keys: readonly ApiKey[];
  now: Micros;
  /** The plan of the team, if it has no API access. */
  plan: string | null;
  /** Of a key just made: it is not kept. */
  secret?: string;
  error?: string;
  typed?: Readonly<{ name: string; scope: Scope; life: string }>;
}>;

function keysView(viewer: Viewer, { keys, now, plan, secret, error, typed }: Shown): Html {
  const { keys: words, sections } = viewer.texts;
  return html`<h1>${sections.keys}</h1>
<p class="soft">${words.intro} <a href="/docs/api">${words.docs}</a></p>
${plan !== null && html`<p class="note">${words.noAccess(plan)}</p>`}
${
  secret !== undefined &&
  html`<section class="card" aria-labelledby="made"><h2 id="made">${words.made}</h2>
<p>${words.copyNow}</p>
<div class="row"><input id="secret" class="mono" aria-label="${words.secret}" readonly value="${secret}"><button type="button" class="quiet" data-copy="secret" data-copied="${words.copied}" hidden>${words.copy}</button></div>
</section>`
}
${keys.length === 0 ? html`<p class="empty">${words.none}</p>` : keyTable(viewer, keys, now)}
<section class="card" aria-labelledby="new"><h2 id="new">${words.create}</h2>
${error !== undefined && html`<p class="error" role="alert">${error}</p>`}
<form method="post" action="/dashboard/keys">
<div class="field"><label for="name">${words.name}</label><input id="name" name="name" required maxlength="200" autocomplete="off" value="${typed?.name ?? ''}"><span class="hint">${words.nameHint}</span></div>
<fieldset><legend>${words.scope}</legend>
${SCOPES.map((scope) => html`<label class="choice"><input type="radio" name="scope" value="${scope}"${scope === (typed?.scope ?? 'read') ? html` checked` : ''}> ${words.scopes[scope]}</label>`)}
</fieldset>
<div class="field"><label for="life">${words.life}</label><select id="life" name="life">${LIVES.map((days) => html`<option value="${days}"${days === (typed?.life ?? '') ? html` selected` : ''}>${days === '' ? words.forever : words.days(days)}</option>`)}</select></div>
<button>${words.create}</button>
</form></section>`;
}

function keyTable(viewer: Viewer, keys: readonly ApiKey[], now: Micros): Html {
  const { keys: words } = viewer.texts;
  const rows = keys.map(
    (
      key,
    ) => html`<tr><th scope="row">${key.name}</th><td>${words.scopes[key.scope]}</td><td>${viewer.day(key.createdAt)}</td>
<td>${key.lastUsedAt === null ? words.never : viewer.time(key.lastUsedAt)}</td><td>${stateOf(viewer, key, now)}</td>
<td>${isValidAt(key, now) && html`<a href="/dashboard/keys/${key.id}/revoke" aria-label="${words.revokeTitle(key.name)}">${words.revoke}</a>`}</td></tr>`,
  );
  return html`<div class="scroll card" tabindex="0" role="region" aria-label="${viewer.texts.sections.keys}"><table>
<thead><tr><th scope="col">${words.name}</th><th scope="col">${words.scope}</th><th scope="col">${words.createdAt}</th><th scope="col">${words.lastUsed}</th><th scope="col">${words.state}</th><th scope="col"><span class="visually-hidden">${words.actions}</span></th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function stateOf(viewer: Viewer, key: ApiKey, now: Micros): Html {
  const { keys: words } = viewer.texts;
  if (key.revokedAt !== null) return html`<span class="badge">${words.revokedAt}</span> ${viewer.day(key.revokedAt)}`;
  if (!isValidAt(key, now)) return html`<span class="badge">${words.expired}</span>`;
  const until = key.expiresAt === null ? null : html` ${words.until} ${viewer.day(key.expiresAt)}`;
  return html`<span class="badge good">${words.valid}</span>${until}`;
}

function revokeView({ texts }: Viewer, { id, name }: ApiKey): Html {
  return html`<h1>${texts.keys.revokeTitle(name)}</h1><p>${texts.keys.revokeText}</p>
<form method="post" action="/dashboard/keys/${id}/revoke" class="row"><button class="danger">${texts.keys.revoke}</button><a class="button quiet" href="/dashboard/keys">${texts.common.cancel}</a></form>`;
}
