import type { Context } from '../../context.ts';
import { type Actor, AUDIT_ACTIONS, type AuditAction, type StoredAuditEntry } from '../../domain/audit.ts';
import { type Html, html } from '../../lib/html.ts';
import { type PageContext, page } from '../page.ts';
import type { Viewer } from '../viewer.ts';

const PATH = '/dashboard/audit';
const PAGE = 50;
/** So many people and keys can be chosen from. */
const MOST_ACTORS = 200;

/** Who did what in the team, when and from where. */
export function auditRoutes({ store }: Context) {
  /** What there is now by the names that it goes by now; what was deleted has none. */
  const namesIn = async (teamId: string): Promise<Names> => {
    const [forms, workspaces, keys, members] = await Promise.all([
      store.listForms(teamId),
      store.listWorkspaces(teamId),
      store.listKeys(teamId),
      store.listMembers(teamId),
    ]);
    const named = [...forms, ...workspaces, ...keys].map(({ id, name }) => [id, name] as const);
    return new Map([...named, ...members.map(({ userId, email }) => [userId, email] as const)]);
  };

  return [
    page(PATH, { access: 'manage' }, async ({ viewer, team, query }: PageContext<'read'>) => {
      const actors = await store.listAuditActors(team.id, MOST_ACTORS);
      const chosen: Chosen = {
        actorId: actors.find(({ id }) => id === query.get('who'))?.id ?? null,
        action: AUDIT_ACTIONS.find((known) => known === query.get('action')) ?? null,
      };
      const before = beforeIn(query);
      const found = await store.listAudit(team.id, { ...chosen, before, limit: PAGE + 1 });
      const shown = { actors, chosen, before, entries: found.slice(0, PAGE), hasOlder: found.length > PAGE };
      const body = auditView(viewer, shown, await namesIn(team.id));
      return { title: viewer.texts.audit.title, section: 'team', body };
    }),
  ];
}

function beforeIn(query: URLSearchParams): number | null {
  const id = Number(query.get('before') ?? 0);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

type Names = ReadonlyMap<string, string>;

/** What the list is narrowed down to. */
type Chosen = Readonly<{ actorId: string | null; action: AuditAction | null }>;

type Shown = Readonly<{
  actors: readonly Actor[];
  chosen: Chosen;
  before: number | null;
  /** Newest first. */
  entries: readonly StoredAuditEntry[];
  hasOlder: boolean;
}>;

function auditView(viewer: Viewer, { actors, chosen, before, entries, hasOlder }: Shown, names: Names): Html {
  const { audit: words, common } = viewer.texts;
  const last = entries.at(-1);
  return html`<h1>${words.title}</h1>
<p class="soft">${words.intro} ${words.kept}</p>
${filterView(viewer, actors, chosen)}
<h2 class="visually-hidden">${words.entries}</h2>
${entries.length === 0 ? html`<p class="empty">${words.none}</p>` : html`<ul class="list">${entries.map((entry) => entryView(viewer, entry, names))}</ul>`}
${
  (before !== null || hasOlder) &&
  html`<nav class="pager" aria-label="${words.pages}"><span>${before !== null && html`<a href="${address(chosen)}">${common.newest}</a>`}</span><span>${hasOlder && last && html`<a href="${address(chosen, last.id)}" rel="next">${common.older}</a>`}</span></nav>`
}`;
}

function filterView(viewer: Viewer, actors: readonly Actor[], { actorId, action }: Chosen): Html {
  const { audit: words } = viewer.texts;
  const option = (value: string, text: string, isChosen: boolean) =>
    html`<option value="${value}"${isChosen && html` selected`}>${text}</option>`;
  const isNarrowed = actorId !== null || action !== null;
  return html`<form method="get" action="${PATH}" class="filter">
<div class="grid"><div class="field"><label for="who">${words.who}</label><select id="who" name="who">${option('', words.everybody, actorId === null)}${actors.map(
    (actor) => option(actor.id, actorText(viewer, actor), actor.id === actorId),
  )}</select></div>
<div class="field"><label for="action">${words.action}</label><select id="action" name="action">${option('', words.everything, action === null)}${AUDIT_ACTIONS.map(
    (one) => option(one, words.actions[one], one === action),
  )}</select></div></div>
<div class="row"><button class="quiet">${words.apply}</button>${isNarrowed && html`<a href="${PATH}">${words.clear}</a>`}</div></form>`;
}

function entryView(viewer: Viewer, { at, actor, action, details }: StoredAuditEntry, names: Names): Html {
  const { audit: words } = viewer.texts;
  const facts = Object.entries(details).map(([name, value], index) => {
    const text = name in words.details ? words.details[name as keyof typeof words.details] : name;
    return html`${index > 0 && html` · `}${text}: ${valueView(viewer, name, value, names)}`;
  });
  return html`<li><p class="flush"><strong>${words.actions[action]}</strong></p>
<p class="flush small"><bdi>${actorText(viewer, actor)}</bdi>${actor.address !== null && html` · ${actor.address}`} · ${viewer.time(at)}</p>
${facts.length > 0 && html`<p class="flush small soft">${facts}</p>`}</li>`;
}

function valueView(viewer: Viewer, name: string, value: string | number | boolean, names: Names): Html {
  const { common } = viewer.texts;
  if (typeof value === 'boolean') return html`${value ? common.yes : common.no}`;
  if (typeof value === 'number') return html`${viewer.number(value)}`;
  const known = names.get(value);
  if (name === 'form_id' && known !== undefined) {
    return html`<a href="/dashboard/forms/${value}"><bdi>${known}</bdi></a>`;
  }
  if (name === 'submission_id') return html`<a class="value" href="/dashboard/submissions/${value}">${value}</a>`;
  return known === undefined ? html`<span class="value">${value}</span>` : html`<bdi>${known}</bdi>`;
}

function actorText({ texts: { audit: words } }: Viewer, { kind, name }: Actor): string {
  if (kind === 'user') return name ?? words.somebody;
  if (kind === 'key') return words.key(name ?? '');
  if (kind === 'command') return words.command(name);
  return kind === 'system' ? words.system : words.anybody;
}

function address({ actorId, action }: Chosen, before?: number): string {
  const query = new URLSearchParams();
  if (actorId !== null) query.set('who', actorId);
  if (action !== null) query.set('action', action);
  if (before !== undefined) query.set('before', String(before));
  return query.size === 0 ? PATH : `${PATH}?${query}`;
}
