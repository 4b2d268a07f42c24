/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { PropsWithChildren } from 'hono/jsx';
import type { Context } from '../../context/context.ts';
import { action, type DashboardRoute, flash, type Page, type PageContext, page, redirectTo } from '../page.ts';
import { PostButton, StateBadge } from '../ui/elements.tsx';
import { SECOND_FACTOR_TEXTS } from '../users/account/texts.ts';
import type { Viewer } from '../viewer.ts';

const PATH = '/dashboard/team/second-factor';

/** Requires a second factor of all members of a team. */
export function teamSecondFactorRoutes({ store }: Pick<Context, 'store'>): readonly DashboardRoute[] {
  const setRequired = async (page: PageContext<'manage'>, form: URLSearchParams): Promise<Page | Response> => {
    if (page.secondFactorRequiredBy === 'instance') return secondFactorPage(page, 409);
    const isRequired = form.get('required') === 'yes';
    if (isRequired && !page.hasSecondFactor) return secondFactorPage(page, 400);
    await store.teams.update(page.team.id, { requiresSecondFactor: isRequired });
    page.note({ requires_second_factor: isRequired });
    return redirectTo(`${PATH}?done=${isRequired ? 'required' : 'released'}`);
  };

  return [
    page(PATH, { access: 'manage' }, (page) => secondFactorPage(page)),
    action(PATH, { access: 'manage', audit: 'team.changed' }, setRequired),
  ];
}

/** `status` is that of a refused change. */
function secondFactorPage(page: PageContext<'manage'>, status = 200): Page {
  const { viewer, query, team, hasSecondFactor, secondFactorRequiredBy: requiredBy } = page;
  const { team: t } = SECOND_FACTOR_TEXTS[viewer.language];
  return {
    title: t.title(team.name),
    section: 'team',
    status,
    done: flash(t.done, query),
    body: (
      <>
        <h1>{t.title(team.name)}</h1>
        <p>
          <StateBadge isGood={requiredBy !== null} text={requiredBy === null ? t.isNotRequired : t.isRequired} />
        </p>
        <p>{t.text}</p>
        <Change viewer={viewer} requiredBy={requiredBy} hasSecondFactor={hasSecondFactor} isRefused={status !== 200} />
      </>
    ),
  };
}

type ChangeProps = Readonly<{
  viewer: Viewer;
  requiredBy: PageContext<'manage'>['secondFactorRequiredBy'];
  hasSecondFactor: boolean;
  isRefused: boolean;
}>;

/** The button that changes the setting, or a note on why the viewer cannot change it. */
function Change({ viewer, requiredBy, hasSecondFactor, isRefused }: ChangeProps) {
  const { team: t, setUp } = SECOND_FACTOR_TEXTS[viewer.language];
  if (requiredBy === null && !hasSecondFactor) {
    return (
      <Note isRefused={isRefused}>
        {t.needsOwn} <a href="/dashboard/account/second-factor">{setUp}</a>
      </Note>
    );
  }
  if (requiredBy === 'instance') return <Note isRefused={isRefused}>{t.ofInstance}</Note>;
  if (requiredBy !== null) return <PostButton action={PATH} text={t.release} fields={{ required: 'no' }} />;
  return <PostButton action={PATH} text={t.require} style="main" fields={{ required: 'yes' }} />;
}

function Note({ isRefused, children }: PropsWithChildren<Readonly<{ isRefused: boolean }>>) {
  return (
    <p class={isRefused ? 'error' : 'note'} role={isRefused ? 'alert' : undefined}>
      {children}
    </p>
  );
}
