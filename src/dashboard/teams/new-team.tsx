/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context/context.ts';
import { parseName } from '../../domain/teams/team.ts';
import { createOwnedTeam, mayCreateTeams } from '../../services/teams/teams.ts';
import { action, type DashboardRoute, type Page, type PageContext, page, redirectTo } from '../page.ts';
import { parseInput } from '../ui/parse-input.ts';
import { NewTeamView } from './team-view.tsx';

const PATH = '/dashboard/team/new';

/** Creates teams. */
export function newTeamRoutes({ store, clock, config }: Context): readonly DashboardRoute[] {
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
    return redirectTo('/dashboard/team?done=created');
  };

  return [
    page(PATH, { access: 'manage' }, (page) => newTeamPage(page)),
    action(PATH, { access: 'manage', audit: 'team.created' }, create),
  ];
}

type WrongName = Readonly<{ name?: string; error?: string }>;
