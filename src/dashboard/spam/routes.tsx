/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context/context.ts';
import { readModel } from '../../spam/team-model.ts';
import { action, type DashboardRoute, flash, type Page, type PageContext, page, redirectTo } from '../page.ts';
import { confirmPage } from '../ui/confirm-page.tsx';
import { compareVerdicts } from './comparison.ts';
import { SpamView } from './spam-view.tsx';

const PATH = '/dashboard/spam';

/** The page about what a team's spam filter learned, with its switch. */
export function spamRoutes(context: Context): readonly DashboardRoute[] {
  const { store } = context;

  const getModel = async (teamId: string) => {
    const [workspace] = await store.workspaces.list(teamId);
    return workspace ? readModel(context, workspace.id) : null;
  };

  const show = async ({ viewer, team, query }: PageContext<'manage'>): Promise<Page> => {
    const counts = await store.spam.countLessons(team.id);
    const stored = await store.spam.findModel(team.id);
    const model = await getModel(team.id);
    const isComparing = query.get('compare') === 'yes';
    const comparison = isComparing && model ? await compareVerdicts(context, team.id, model) : null;
    const isActive = model !== null;
    return {
      title: viewer.texts.spam.title,
      section: 'team',
      done: flash(viewer.texts.spam.done, query),
      body: <SpamView {...{ viewer, team, counts, stored, isActive, comparison }} />,
    };
  };

  const setLearning = async ({ team, note }: PageContext<'manage'>, form: URLSearchParams): Promise<Response> => {
    const learnsSpam = form.get('learns') === 'yes';
    await store.teams.update(team.id, { learnsSpam });
    note({ learns_spam: learnsSpam });
    return redirectTo(`${PATH}?done=${learnsSpam ? 'on' : 'off'}`);
  };

  const askToForget = ({ viewer }: PageContext<'manage'>): Page => {
    const { forgetTitle, forgetText, forget } = viewer.texts.spam;
    const action = `${PATH}/forget`;
    return confirmPage(viewer, 'team', { title: forgetTitle, text: forgetText, action, button: forget, cancel: PATH });
  };

  const forget = async ({ team }: PageContext<'manage'>): Promise<Response> => {
    await store.spam.deleteModel(team.id);
    return redirectTo(`${PATH}?done=forgotten`);
  };

  return [
    page(PATH, { access: 'manage' }, show),
    action(PATH, { access: 'manage', audit: 'spam.learning_changed' }, setLearning),
    page(`${PATH}/forget`, { access: 'manage' }, askToForget),
    action(`${PATH}/forget`, { access: 'manage', audit: 'spam.forgotten' }, forget),
  ];
}
