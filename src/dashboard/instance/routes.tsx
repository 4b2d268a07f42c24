/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context/context.ts';
import { instanceChecks, teamChecks } from '../../services/instance/checks/checks.ts';
import { finishedSteps } from '../../services/instance/first-steps.ts';
import { action, type DashboardRoute, flash, type Page, type PageContext, page, redirectTo } from '../page.ts';
import { StatusView } from './status-view.tsx';

const PATH = '/dashboard/status';

/** The state of the instance for owners, and the steps of setting up. */
export function statusRoutes(context: Context): readonly DashboardRoute[] {
  const { store, clock, mail } = context;

  const show = async ({ viewer, team, query }: PageContext<'manage'>): Promise<Page> => {
    const findings = [...(await teamChecks(context, team)), ...(await instanceChecks(context, team.id, true))];
    const [form] = await store.forms.list(team.id);
    return {
      title: viewer.texts.sections.status,
      section: 'status',
      done: flash(viewer.texts.status.done, query),
      body: (
        <StatusView
          viewer={viewer}
          findings={findings.filter(({ check }) => check !== 'database' || context.instanceName !== null)}
          finished={await finishedSteps(context, team)}
          isSetUpShown={team.setUpAt === null}
          hasMailServer={mail !== null}
          formId={form?.id ?? null}
        />
      ),
    };
  };

  const confirmKey = async (): Promise<Response> => {
    await store.milestones.reach('key_copied', clock());
    return redirectTo(`${PATH}?done=key`);
  };

  const switchSetUp = async ({ team }: PageContext<'manage'>, form: URLSearchParams): Promise<Response> => {
    const isHidden = form.get('list') === 'hide';
    await store.teams.update(team.id, { setUpAt: isHidden ? clock() : null });
    return redirectTo(`${PATH}?done=${isHidden ? 'hidden' : 'shown'}`);
  };

  return [
    page(PATH, { access: 'manage' }, show),
    action(`${PATH}/key-copied`, { access: 'manage', audit: 'vault.copied' }, confirmKey),
    action(`${PATH}/set-up`, { access: 'manage', audit: null }, switchSetUp),
  ];
}
