/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context/context.ts';
import { AUDIT_ACTIONS } from '../../domain/audit.ts';
import { type DashboardRoute, type Page, type PageContext, page } from '../page.ts';
import { AuditView, PATH } from './audit-view.tsx';
import type { Names } from './entry-item.tsx';

const PAGE_SIZE = 50;
/** Options of the filter by actor. */
const MAX_ACTORS = 200;

/** The audit log of a team, filtered by actor and action. */
export function auditRoutes({ store }: Context): readonly DashboardRoute[] {
  /** Returns current names by id. Deleted objects have none. */
  const listNames = async (teamId: string): Promise<Names> => {
    const [forms, workspaces, keys, members] = await Promise.all([
      store.forms.list(teamId),
      store.workspaces.list(teamId),
      store.keys.list(teamId),
      store.members.list(teamId),
    ]);
    const named = [...forms, ...workspaces, ...keys].map(({ id, name }) => [id, name] as const);
    return new Map([...named, ...members.map(({ userId, email }) => [userId, email] as const)]);
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
      title: viewer.texts.audit.title,
      section: 'team',
      body: (
        <AuditView
          viewer={viewer}
          actors={actors}
          filter={filter}
          entries={entries.slice(0, PAGE_SIZE)}
          names={await listNames(team.id)}
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
