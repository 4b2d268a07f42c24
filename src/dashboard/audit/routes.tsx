/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context/context.ts';
import { type Actor, AUDIT_ACTIONS, type AuditAction, type StoredAuditEntry } from '../../domain/audit.ts';
import { readSettings, webhookTitle } from '../../services/webhooks/read-webhook.ts';
import { type DashboardRoute, type Page, type PageContext, page } from '../page.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { EntryList } from '../ui/entry-list.tsx';
import { SelectInput } from '../ui/form-inputs.tsx';
import { Pager } from '../ui/pager.tsx';
import type { Viewer } from '../viewer.ts';
import { actorText, EntryItem, type Names } from './entry-item.tsx';
import { AUDIT_TEXTS } from './texts.ts';

const PAGE_SIZE = 50;
/** Options of the filter by actor. */
const MAX_ACTORS = 200;

/** The audit log of a team, filtered by actor and action. */
export function auditRoutes({ store, vault, log }: Context): readonly DashboardRoute[] {
  /** Returns the current names by id of what entries are about. Deleted objects have none. */
  const listNames = async (viewer: Viewer, teamId: string, entries: readonly StoredAuditEntry[]): Promise<Names> => {
    const [forms, workspaces, keys, members] = await Promise.all([
      store.forms.list(teamId),
      store.workspaces.list(teamId),
      store.keys.list(teamId),
      store.members.list(teamId),
    ]);
    const named = [...forms, ...workspaces, ...keys].map(({ id, name }) => [id, name] as const);
    const ids = new Set(entries.map(({ details }) => String(details.webhook_id ?? '')).filter(Boolean));
    const webhooks = (await Promise.all([...ids].map((id) => store.webhooks.find(id, teamId)))).filter(
      (webhook) => webhook !== null,
    );
    return new Map([
      ...named,
      ...members.map(({ userId, name, email }) => [userId, name ?? email] as const),
      ...webhooks.map((webhook) => {
        const settings = readSettings(vault, log, webhook);
        return [webhook.id, webhookTitle(webhook.kind, settings, viewer.language)] as const;
      }),
    ]);
  };

  const auditPage = async ({ viewer, team, query }: PageContext<'manage'>): Promise<Page> => {
    const actors = await store.audit.listActors(team.id, MAX_ACTORS);
    const filter = {
      actorId: actors.find(({ id }) => id === query.get('who'))?.id ?? null,
      action: AUDIT_ACTIONS.find((action) => action === query.get('action')) ?? null,
    };
    const before = beforeIn(query);
    const entries = await store.audit.list(team.id, { ...filter, before, limit: PAGE_SIZE + 1 });
    return {
      title: viewer.texts.sections.audit,
      section: 'audit',
      body: (
        <AuditView
          {...{ viewer, actors, filter }}
          entries={entries.slice(0, PAGE_SIZE)}
          names={await listNames(viewer, team.id, entries)}
          isFirst={before === null}
          hasOlder={entries.length > PAGE_SIZE}
        />
      ),
    };
  };

  return [page(PATH, { access: 'manage' }, auditPage)];
}

function beforeIn(query: URLSearchParams): number | null {
  const id = Number(query.get('before') ?? 0);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

export const PATH = '/dashboard/audit';

/** Null shows entries of all actors or of all actions. */
type Filter = Readonly<{ actorId: string | null; action: AuditAction | null }>;

type Props = Readonly<{
  viewer: Viewer;
  actors: readonly Actor[];
  filter: Filter;
  /** Newest first. */
  entries: readonly StoredAuditEntry[];
  names: Names;
  isFirst: boolean;
  hasOlder: boolean;
}>;

/** The audit log of a team. */
function AuditView({ viewer, actors, filter, entries, names, isFirst, hasOlder }: Props) {
  const t = AUDIT_TEXTS[viewer.language];
  const last = entries.at(-1);
  return (
    <>
      <h1>{viewer.texts.sections.audit}</h1>
      <p class="soft">
        {t.intro} {t.kept}
      </p>
      <FilterForm viewer={viewer} actors={actors} filter={filter} />
      <h2 class="visually-hidden">{t.entries}</h2>
      <EntryList items={entries} empty={<EmptyState icon="search" title={t.none} text={t.noneText} />}>
        {(entry) => <EntryItem viewer={viewer} entry={entry} names={names} />}
      </EntryList>
      <Pager
        viewer={viewer}
        label={t.pages}
        newest={isFirst ? null : getAddress(filter)}
        older={hasOlder && last ? getAddress(filter, last.id) : null}
      />
    </>
  );
}

function FilterForm({ viewer, actors, filter: { actorId, action } }: Pick<Props, 'viewer' | 'actors' | 'filter'>) {
  const t = AUDIT_TEXTS[viewer.language];
  const isFiltered = actorId !== null || action !== null;
  return (
    <form method="get" action={PATH} class="filter inline" data-apply="">
      <SelectInput
        name="who"
        label={t.who}
        value={actorId ?? ''}
        options={[['', t.everybody], ...actors.map((actor) => [actor.id, actorText(viewer, actor)] as const)]}
      />
      <SelectInput
        name="action"
        label={t.action}
        value={action ?? ''}
        options={[['', t.everything], ...AUDIT_ACTIONS.map((action) => [action, t.actions[action]] as const)]}
      />
      <button class="quiet">{t.apply}</button>
      {isFiltered && (
        <a class="button bare" href={PATH}>
          {t.clear}
        </a>
      )}
    </form>
  );
}

function getAddress({ actorId, action }: Filter, before?: number): string {
  const query = new URLSearchParams();
  if (actorId !== null) query.set('who', actorId);
  if (action !== null) query.set('action', action);
  if (before !== undefined) query.set('before', String(before));
  return query.size === 0 ? PATH : `${PATH}?${query}`;
}
