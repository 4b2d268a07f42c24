/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context/context.ts';
import { AppError, invalidInput } from '../../domain/errors.ts';
import { hasPermission, type Reach, ROLES, type Role } from '../../domain/teams/roles.ts';
import type { ChosenAccess, Member, RevokedAccess } from '../../domain/users/user.ts';
import { accessMadeBy, requireWorkspaces } from '../../services/teams/teams.ts';
import { readSettings } from '../../services/webhooks/read-webhook.ts';
import type { Store } from '../../storage/store.ts';
import { type Page, type PageContext, redirectTo, requireMembership, requireSameTeam } from '../page.ts';
import { confirmPage } from '../ui/confirm-page.tsx';
import { DemoteView, RemoveView, type ShownAccess } from './revoke-access.tsx';
import type { ShowTeam } from './team-view.tsx';
import { TEAM_TEXTS } from './texts.ts';

const PATH = '/dashboard/team';

/** Returns the handlers that change a member's role, or remove a member or the viewer. */
export function memberActions({ store, vault, clock, log }: Context, showTeam: ShowTeam) {
  /** Runs a change of the members. Shows an error if it would leave the team without an owner. */
  const keepingAnOwner = async (page: PageContext<'read'>, act: () => Promise<Response>): Promise<Page | Response> => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      return showTeam(page, { error: TEAM_TEXTS[page.viewer.language].lastOwner, status: error.status });
    }
  };

  const findMember = async ({ team, param }: PageContext<'manage'>): Promise<Member> => {
    const member = (await store.members.list(team.id)).find(({ userId }) => userId === param('userId'));
    return member ?? noSuchMember();
  };

  const getAccess = async (teamId: string, member: Member): Promise<ShownAccess> => {
    const access = await accessMadeBy({ store, clock }, teamId, member);
    const webhooks = access.webhooks.map(({ webhook, form }) => {
      return { webhook, form, label: readSettings(vault, log, webhook)?.label ?? '' };
    });
    return { ...access, webhooks };
  };

  const changeRole = async (page: PageContext<'manage'>, form: URLSearchParams): Promise<Page | Response> => {
    const { viewer, team, note } = page;
    const member = await findMember(page);
    const role = roleIn(form);
    if (!role) throw invalidInput('There is no such role.');
    const workspaceIds = await reachIn(store, team.id, form);
    if (workspaceIds === undefined && form.get('workspaces') === 'some') {
      return showTeam(page, { error: TEAM_TEXTS[viewer.language].noWorkspace, status: 400 });
    }
    // Who stays in the team may go on reading its submissions by mail.
    const access = { ...(await getAccess(team.id, member)), notifying: [] };
    const { invitations, keys, webhooks } = access;
    const isAsked = form.get('confirmed') !== 'yes' && invitations.length + keys.length + webhooks.length > 0;
    if (isAsked && !hasPermission(role, 'manage')) {
      note({}, { action: null });
      const title = TEAM_TEXTS[viewer.language].demoteTitle(member.email, viewer.texts.roles[role]);
      return { title, section: 'team', body: <DemoteView {...{ viewer, member, access, role, workspaceIds }} /> };
    }
    return keepingAnOwner(page, async () => {
      const revoked = await store.members.changeRole(team.id, member.userId, role, chosenIn(form), workspaceIds);
      const seen = workspaceIds === undefined ? {} : { workspaces: workspaceIds?.join(', ') ?? 'all' };
      note({ role, ...seen, ...getDetails(revoked ?? noSuchMember()) });
      return redirectTo('/dashboard/team?done=role');
    });
  };

  const askToRemove = async (page: PageContext<'manage'>): Promise<Page> => {
    const { viewer } = page;
    const member = await findMember(page);
    const title = TEAM_TEXTS[viewer.language].removeTitle(member.email);
    const access = await getAccess(page.team.id, member);
    return { title, section: 'team', body: <RemoveView viewer={viewer} member={member} access={access} /> };
  };

  const remove = (page: PageContext<'manage'>, form: URLSearchParams): Promise<Page | Response> =>
    keepingAnOwner(page, async () => {
      const revoked = await store.members.remove(page.team.id, page.param('userId'), chosenIn(form));
      page.note(getDetails(revoked ?? noSuchMember()));
      return redirectTo('/dashboard/team?done=removed');
    });

  const askToLeave = (page: PageContext<'self'>): Page => {
    const t = TEAM_TEXTS[page.viewer.language];
    const question = { title: t.leaveTitle(requireMembership(page).team.name), text: t.leaveText, button: t.leave };
    return confirmPage(page.viewer, 'team', { ...question, action: `${PATH}/leave`, cancel: PATH });
  };

  const leave = (own: PageContext<'self'>, form: URLSearchParams): Promise<Page | Response> => {
    const page = { ...own, ...requireMembership(own) };
    requireSameTeam(page, form);
    return keepingAnOwner(page, async () => {
      const revoked = await store.members.remove(page.team.id, page.user.id);
      page.note(revoked ? getDetails(revoked) : {}, { teamId: page.team.id });
      return redirectTo('/dashboard/team?done=left');
    });
  };

  return { changeRole, askToRemove, remove, askToLeave, leave };
}

function noSuchMember(): never {
  throw new AppError('not_found', 'This team has no such member.');
}

/** Returns the counts for the audit log, without zeros. */
function getDetails({ invitations, keys, webhooks, notifications }: RevokedAccess) {
  return {
    ...(invitations > 0 && { invitations_revoked: invitations }),
    ...(keys > 0 && { keys_revoked: keys }),
    ...(webhooks > 0 && { webhooks_paused: webhooks }),
    ...(notifications > 0 && { notifications_ended: notifications }),
  };
}

function chosenIn(form: URLSearchParams): ChosenAccess {
  return { keyIds: form.getAll('key'), webhookIds: form.getAll('webhook'), notifyingFormIds: form.getAll('notifying') };
}

/** Returns the workspaces that a form posts, null for all, or undefined for none. Throws for one of another team. */
export async function reachIn(store: Store, teamId: string, form: URLSearchParams): Promise<Reach | undefined> {
  if (form.get('workspaces') === 'all') return null;
  const ids = form.getAll('workspace');
  return ids.length === 0 ? undefined : requireWorkspaces(store, teamId, ids);
}

/** Returns the role that a form posts. */
export const roleIn = (form: URLSearchParams): Role | undefined => ROLES.find((role) => role === form.get('role'));
