/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { hasPermission, ROLES, type Role } from '../../domain/roles.ts';
import { parseName } from '../../domain/team.ts';
import type { ChosenAccess, Member, RevokedAccess } from '../../domain/user.ts';
import { HOUR } from '../../lib/clock.ts';
import { SlidingWindow } from '../../lib/sliding-window.ts';
import { createInvitation, parseAccountEmail } from '../../services/accounts.ts';
import { sendLink } from '../../services/link-mail.ts';
import { readSettings } from '../../services/read-webhook.ts';
import { accessMadeBy, createOwnedTeam, mayCreateTeams } from '../../services/teams.ts';
import {
  action,
  type DashboardRoute,
  type PageContext,
  page,
  redirectTo,
  requireMembership,
  requireSameTeam,
} from '../page.ts';
import { flash } from '../ui/flash.ts';
import type { Page } from '../ui/layout.tsx';
import { parseInput } from '../ui/parse-input.ts';
import { LeaveView } from './members.tsx';
import { DemoteView, RemoveView, type ShownAccess } from './revoke-access.tsx';
import { teamSecondFactorRoutes } from './second-factor.tsx';
import { NewTeamView, type Outcome, TeamView } from './team-view.tsx';

const PATH = '/dashboard/team';
/** Limit of mails per user. It keeps an instance from sending mails to many strangers. */
const MAILS_PER_HOUR = 30;

/** Members and invitations of a team, and the switch between teams. */
export function teamRoutes({ store, vault, clock, monotonic, log, mail, config }: Context): readonly DashboardRoute[] {
  const mailed = new SlidingWindow(MAILS_PER_HOUR, HOUR);
  // Never takes the host of the request, because an attacker may have set it.
  const isMailing = mail !== null && config.baseUrl !== null;

  const teamPage = async (page: PageContext<'read'>, { status, ...outcome }: Extra = {}): Promise<Page> => {
    const { viewer, team, user, query } = page;
    const members = await store.members.list(team.id);
    const invitations = viewer.can('manage') ? await store.members.listInvitations(team.id) : [];
    const data = { userId: user.id, team, members, invitations, isMailing, ...outcome };
    return {
      title: viewer.texts.sections.team,
      section: 'team',
      status: status ?? 200,
      done: flash(viewer.texts.team.done, query),
      body: <TeamView viewer={viewer} {...data} />,
    };
  };

  /** Runs a change of the members. Shows an error if it would leave the team without an owner. */
  const keepingAnOwner = async (page: PageContext<'read'>, act: () => Promise<Response>): Promise<Page | Response> => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      return teamPage(page, { error: page.viewer.texts.team.lastOwner, status: error.status });
    }
  };

  const findMember = async ({ team, param }: PageContext<'manage'>): Promise<Member> => {
    const member = (await store.members.list(team.id)).find(({ userId }) => userId === param('userId'));
    return member ?? noSuchMember();
  };

  const accessOf = async (teamId: string, member: Member): Promise<ShownAccess> => {
    const access = await accessMadeBy({ store, clock }, teamId, member);
    const webhooks = access.webhooks.map(({ webhook, form }) => {
      return { webhook, form, host: readSettings(vault, log, webhook)?.host ?? '' };
    });
    return { ...access, webhooks };
  };

  const changeRole = async (page: PageContext<'manage'>, form: URLSearchParams): Promise<Page | Response> => {
    const { viewer, team, note } = page;
    const member = await findMember(page);
    const role = roleIn(form);
    if (!role) throw new AppError('invalid_input', 'There is no such role.');
    // Who stays in the team may go on reading its submissions by mail.
    const access = { ...(await accessOf(team.id, member)), notifying: [] };
    const { invitations, keys, webhooks } = access;
    const isAsked = form.get('confirmed') !== 'yes' && invitations.length + keys.length + webhooks.length > 0;
    if (isAsked && !hasPermission(role, 'manage')) {
      note({}, { action: null });
      const title = viewer.texts.team.demoteTitle(member.email, viewer.texts.roles[role]);
      return { title, section: 'team', body: <DemoteView {...{ viewer, member, access, role }} /> };
    }
    return keepingAnOwner(page, async () => {
      const revoked = await store.members.changeRole(team.id, member.userId, role, chosenIn(form));
      note({ role, ...detailsOf(revoked ?? noSuchMember()) });
      return redirectTo(`${PATH}?done=role`);
    });
  };

  const askToRemove = async (page: PageContext<'manage'>): Promise<Page> => {
    const { viewer } = page;
    const member = await findMember(page);
    const title = viewer.texts.team.removeTitle(member.email);
    const access = await accessOf(page.team.id, member);
    return { title, section: 'team', body: <RemoveView viewer={viewer} member={member} access={access} /> };
  };

  const remove = (page: PageContext<'manage'>, form: URLSearchParams): Promise<Page | Response> =>
    keepingAnOwner(page, async () => {
      const revoked = await store.members.remove(page.team.id, page.param('userId'), chosenIn(form));
      page.note(detailsOf(revoked ?? noSuchMember()));
      return redirectTo(`${PATH}?done=removed`);
    });

  const askToLeave = (page: PageContext<'self'>): Page => {
    const { viewer } = page;
    const { name } = requireMembership(page).team;
    const title = viewer.texts.team.leaveTitle(name);
    return { title, section: 'team', body: <LeaveView viewer={viewer} teamName={name} /> };
  };

  const leave = (own: PageContext<'self'>, form: URLSearchParams): Promise<Page | Response> => {
    const page = { ...own, ...requireMembership(own) };
    requireSameTeam(page, form);
    return keepingAnOwner(page, async () => {
      const revoked = await store.members.remove(page.team.id, page.user.id);
      page.note(revoked ? detailsOf(revoked) : {}, { teamId: page.team.id });
      return redirectTo(`${PATH}?done=left`);
    });
  };

  const invite = async (page: PageContext<'manage'>, form: URLSearchParams): Promise<Page> => {
    const { viewer, team, user, request } = page;
    const { account, team: t } = viewer.texts;
    const input = { role: roleIn(form) ?? 'viewer', email: form.get('email') ?? '' };
    const { role } = input;
    const email = parseAccountEmail(input.email);
    if (email === null && input.email.trim() !== '') {
      return teamPage(page, { input, inviteError: account.noEmail, status: 400 });
    }
    if (isMailing && email !== null && !mailed.take(user.id, monotonic()).allowed) {
      return teamPage(page, { input, inviteError: t.tooMany, status: 429 });
    }
    const { token } = await createInvitation({ store, clock }, { teamId: team.id, role, email, createdBy: user.id });
    page.note({ role });
    const url = `${config.baseUrl ?? new URL(request.url).origin}/dashboard/welcome/${token}`;
    const isMailed = email !== null && (await mailInvitation(page, { url, role, email }));
    return teamPage(page, { created: { url, role, email, isMailed } });
  };

  /** Returns true if the mail server accepted the mail. */
  const mailInvitation = async ({ viewer, team, user }: PageContext<'manage'>, made: Addressed): Promise<boolean> => {
    if (!mail || !isMailing) return false;
    const { team: t, roles } = viewer.texts;
    const { outcome } = await sendLink(mail, clock, {
      to: made.email,
      language: viewer.language,
      url: made.url,
      subject: t.mail.subject(team.name),
      before: t.mail.before(team.name, roles[made.role], user.email),
      button: t.mail.button,
      after: t.mail.after,
    });
    if (outcome !== 'sent') log.error('an invitation was not mailed', { outcome });
    return outcome === 'sent';
  };

  const revoke = async ({ team, param }: PageContext<'manage'>): Promise<Response> => {
    if (await store.members.revokeInvitation(team.id, param('invitationId'))) return redirectTo(`${PATH}?done=revoked`);
    throw new AppError('not_found', 'This team has no such invitation.');
  };

  const rename = async (page: PageContext<'manage'>, form: URLSearchParams): Promise<Page | Response> => {
    const parsed = parseInput(page.viewer.texts, () => parseName(form.get('name') ?? ''));
    if ('error' in parsed) return teamPage(page, { nameError: parsed.error, status: 400 });
    await store.teams.update(page.team.id, { name: parsed.value });
    page.note({ settings: 'name' });
    return redirectTo(`${PATH}?done=renamed`);
  };

  const newTeamPage = ({ viewer, team }: PageContext<'manage'>, wrong: WrongName = {}): Page => {
    const isAllowed = mayCreateTeams(config.plans, team);
    return {
      title: viewer.texts.team.createTeam,
      section: 'team',
      status: wrong.error === undefined ? 200 : 400,
      body: <NewTeamView viewer={viewer} isAllowed={isAllowed} {...wrong} />,
    };
  };

  const create = async (page: PageContext<'manage'>, form: URLSearchParams): Promise<Page | Response> => {
    const name = form.get('name') ?? '';
    const parsed = parseInput(page.viewer.texts, () => parseName(name));
    if ('error' in parsed) return newTeamPage(page, { name, error: parsed.error });
    const created = await createOwnedTeam(
      { store, clock, plans: config.plans },
      { name, ownerId: page.user.id, from: page.team },
    );
    await store.members.chooseTeam(page.session.id, created.id);
    page.note({}, { teamId: created.id });
    return redirectTo(`${PATH}?done=created`);
  };

  const switchTeam = async (page: PageContext<'self'>, form: URLSearchParams): Promise<Response> => {
    requireMembership(page);
    if (await store.members.chooseTeam(page.session.id, form.get('team') ?? '')) return redirectTo('/dashboard/forms');
    throw new AppError('not_found', 'You are not a member of this team.');
  };

  const makesOwner = (form: URLSearchParams) => form.get('role') === 'owner';

  return [
    ...teamSecondFactorRoutes({ store }),
    page(PATH, { access: 'read' }, (page) => teamPage(page)),
    action(
      `${PATH}/members/:userId`,
      { access: 'manage', audit: 'member.role_changed', needsPassword: makesOwner },
      changeRole,
    ),
    page(`${PATH}/members/:userId/remove`, { access: 'manage' }, askToRemove),
    action(`${PATH}/members/:userId/remove`, { access: 'manage', audit: 'member.removed' }, remove),
    page(`${PATH}/leave`, { access: 'self' }, askToLeave),
    action(`${PATH}/leave`, { access: 'self', audit: 'member.left' }, leave),
    action(`${PATH}/invitations`, { access: 'manage', audit: 'invitation.made', needsPassword: makesOwner }, invite),
    action(`${PATH}/invitations/:invitationId/revoke`, { access: 'manage', audit: 'invitation.revoked' }, revoke),
    action(`${PATH}/name`, { access: 'manage', audit: 'team.changed' }, rename),
    page(`${PATH}/new`, { access: 'manage' }, (page) => newTeamPage(page)),
    action(`${PATH}/new`, { access: 'manage', audit: 'team.created' }, create),
    action(`${PATH}/switch`, { access: 'self', audit: null }, switchTeam),
  ];
}

type Extra = Outcome & Readonly<{ status?: number }>;

type WrongName = Readonly<{ name?: string; error?: string }>;

type Addressed = Readonly<{ url: string; role: Role; email: string }>;

function noSuchMember(): never {
  throw new AppError('not_found', 'This team has no such member.');
}

/** Returns the counts for the audit log, without zeros. */
function detailsOf({ invitations, keys, webhooks, notifications }: RevokedAccess) {
  return {
    ...(invitations > 0 && { invitations_revoked: invitations }),
    ...(keys > 0 && { keys_revoked: keys }),
    ...(webhooks > 0 && { webhooks_paused: webhooks }),
    ...(notifications > 0 && { notifications_ended: notifications }),
  };
}

function chosenIn(form: URLSearchParams): ChosenAccess {
  return {
    keyIds: form.getAll('key'),
    webhookIds: form.getAll('webhook'),
    notifyingFormIds: form.getAll('notifying'),
  };
}

function roleIn(form: URLSearchParams): Role | undefined {
  return ROLES.find((known) => known === form.get('role'));
}
