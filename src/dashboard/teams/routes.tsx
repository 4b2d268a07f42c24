/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context/context.ts';
import { AppError } from '../../domain/errors.ts';
import { parseName } from '../../domain/teams/team.ts';
import { createOwnedTeam, mayCreateTeams } from '../../services/teams/teams.ts';
import { action, flash, type Page, type PageContext, page, redirectTo, requireMembership } from '../page.ts';
import { SubmitRow } from '../ui/elements.tsx';
import { LineInput } from '../ui/form-inputs.tsx';
import { parseInput } from '../ui/parse-input.ts';
import { invitationActions } from './invitation-actions.ts';
import { memberActions } from './member-actions.tsx';
import { teamSecondFactorRoutes } from './second-factor.tsx';
import { type ShowTeam, TeamView } from './team-view.tsx';
import { TEAM_TEXTS } from './texts.ts';

const PATH = '/dashboard/team';

/** Members and invitations of a team, and the switch between teams. */
export function teamRoutes(context: Context) {
  const { store, mail, config } = context;
  // A mailed link must not use the Host header, which an attacker can set.
  const isMailing = () => mail.sender !== null && config.baseUrl !== null;

  const teamPage: ShowTeam = async (page, { status, ...outcome } = {}) => {
    const { viewer, team, user, query } = page;
    const limited = page.context.store;
    const members = await limited.members.list(team.id);
    const workspaces = await limited.workspaces.list(team.id);
    const invitations = viewer.can('manage') ? await store.members.listInvitations(team.id) : [];
    const data = { userId: user.id, team, workspaces, members, invitations, isMailing: isMailing(), ...outcome };
    return {
      title: viewer.texts.sections.team,
      section: 'team',
      status: status ?? 200,
      done: flash(TEAM_TEXTS[viewer.language].done, query),
      body: <TeamView viewer={viewer} {...data} />,
    };
  };

  const rename = async (page: PageContext<'manage'>, form: URLSearchParams): Promise<Page | Response> => {
    const parsed = parseInput(page.viewer.texts, () => parseName(form.get('name') ?? ''));
    if ('error' in parsed) return teamPage(page, { nameError: parsed.error, status: 400 });
    await store.teams.update(page.team.id, { name: parsed.value });
    page.note({ settings: 'name' });
    return redirectTo(`${PATH}?done=renamed`);
  };

  const switchTeam = async (page: PageContext<'self'>, form: URLSearchParams): Promise<Response> => {
    requireMembership(page);
    if (await store.members.chooseTeam(page.session.id, form.get('team') ?? '')) return redirectTo('/dashboard/forms');
    throw new AppError('not_found', 'You are not a member of this team.');
  };

  const { changeRole, askToRemove, remove, askToLeave, leave } = memberActions(context, teamPage);
  const { invite, revoke } = invitationActions(context, isMailing, teamPage);

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
    ...newTeamRoutes(context),
    action(`${PATH}/switch`, { access: 'self', audit: null }, switchTeam),
  ];
}

const makesOwner = (form: URLSearchParams) => form.get('role') === 'owner';

/** Creates teams. */
function newTeamRoutes({ store, clock, config }: Context) {
  /** Owners on a plan with a limit read why they can't. */
  const newTeamPage = ({ viewer, team }: PageContext<'manage'>, name = '', error?: string): Page => {
    const isAllowed = mayCreateTeams(config.plans, team);
    const t = TEAM_TEXTS[viewer.language];
    const body = (
      <>
        <h1>{t.createTeam}</h1>
        <p class="soft">{isAllowed ? t.createTeamText : t.createTeamLimited}</p>
        {isAllowed && (
          <form method="post" action={`${PATH}/new`} class="card narrow">
            <LineInput name="name" label={t.name} value={name} error={error} required maxlength={200} />
            <SubmitRow viewer={viewer} text={t.createTeam} cancel={PATH} />
          </form>
        )}
      </>
    );
    return { title: t.createTeam, section: 'team', status: error === undefined ? 200 : 400, body };
  };

  const create = async (page: PageContext<'manage'>, form: URLSearchParams): Promise<Page | Response> => {
    const name = form.get('name') ?? '';
    const parsed = parseInput(page.viewer.texts, () => parseName(name));
    if ('error' in parsed) return newTeamPage(page, name, parsed.error);
    const wanted = { name, ownerId: page.user.id, from: page.team };
    const created = await createOwnedTeam({ store, clock, plans: config.plans }, wanted);
    await store.members.chooseTeam(page.session.id, created.id);
    page.note({}, { teamId: created.id });
    return redirectTo('/dashboard/team?done=created');
  };

  return [
    page(`${PATH}/new`, { access: 'manage' }, (page) => newTeamPage(page)),
    action(`${PATH}/new`, { access: 'manage', audit: 'team.created' }, create),
  ];
}
