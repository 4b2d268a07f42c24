/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context/context.ts';
import { describeReasons } from '../../domain/spam/spam-reasons.ts';
import { MIN_LESSONS } from '../../domain/spam/spam-table.ts';
import type { Team } from '../../domain/teams/team.ts';
import { readModel } from '../../spam/team-model.ts';
import overviewStyle from '../forms/overview/style.css' with { type: 'text' };
import { action, flash, type Page, type PageContext, page, redirectTo, withAssets } from '../page.ts';
import { INBOX_TEXTS } from '../submissions/inbox/texts.ts';
import { featureAssets } from '../ui/assets.ts';
import { Chart } from '../ui/chart.tsx';
import { confirmPage } from '../ui/confirm-page.tsx';
import { FactList, LinkButton, Part, StateBadge } from '../ui/elements.tsx';
import { EntryList } from '../ui/entry-list.tsx';
import { Figure, Figures } from '../ui/figures.tsx';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import { COMPARED_DAYS, type Comparison, compareVerdicts, type Decisions, readDecisions } from './filter-results.ts';
import style from './style.css' with { type: 'text' };
import { SPAM_TEXTS } from './texts.ts';

const ASSETS = featureAssets('spam', overviewStyle + style);
const PATH = '/dashboard/spam';

/** The page about what a team's spam filter does and learned, with its switch. */
export function spamRoutes(context: Context) {
  const { store } = context;

  const getModel = async (teamId: string) => {
    const [workspace] = await store.workspaces.list(teamId);
    return workspace ? readModel(context, workspace.id) : null;
  };

  const show = async ({ viewer, team, query }: PageContext<'manage'>): Promise<Page> => {
    const model = await getModel(team.id);
    const isComparing = query.get('compare') === 'yes';
    const comparison = isComparing && model ? await compareVerdicts(context, team.id, model) : null;
    const isActive = model !== null;
    const decisions = await readDecisions(context, team.id, viewer);
    return {
      title: SPAM_TEXTS[viewer.language].title,
      section: 'spam',
      done: flash(SPAM_TEXTS[viewer.language].done, query),
      body: <SpamView {...{ viewer, team, decisions, isActive, comparison }} />,
    };
  };

  const setLearning = async ({ team, note }: PageContext<'manage'>, form: URLSearchParams): Promise<Response> => {
    const learnsSpam = form.get('learns') === 'yes';
    await store.teams.update(team.id, { learnsSpam });
    note({ learns_spam: learnsSpam });
    return redirectTo(`${PATH}?done=${learnsSpam ? 'on' : 'off'}`);
  };

  const askToForget = ({ viewer }: PageContext<'manage'>): Page => {
    const { forgetTitle, forgetText, forget } = SPAM_TEXTS[viewer.language];
    const action = `${PATH}/forget`;
    return confirmPage(viewer, 'team', { title: forgetTitle, text: forgetText, action, button: forget, cancel: PATH });
  };

  const forget = async ({ team }: PageContext<'manage'>): Promise<Response> => {
    await store.spam.deleteModel(team.id);
    return redirectTo(`${PATH}?done=forgotten`);
  };

  return withAssets(ASSETS, [
    page(PATH, { access: 'manage' }, show),
    action(PATH, { access: 'manage', audit: 'spam.learning_changed' }, setLearning),
    page(`${PATH}/forget`, { access: 'manage' }, askToForget),
    action(`${PATH}/forget`, { access: 'manage', audit: 'spam.forgotten' }, forget),
  ]);
}

type Props = Readonly<{
  viewer: Viewer;
  team: Team;
  decisions: Decisions;
  /** True if the filter has learned enough and learning is on. */
  isActive: boolean;
  /** Null unless asked for. */
  comparison: Comparison | null;
}>;

/** The results of a team's spam filter, its switch, and a comparison of its verdicts with and without learning. */
function SpamView(props: Props) {
  const { viewer, team, isActive } = props;
  const t = SPAM_TEXTS[viewer.language];
  return (
    <>
      <h1>{t.title}</h1>
      <p class="soft">{t.intro}</p>
      <Results {...props} />
      <Part id="learning" title={t.learning} text={t.learningText}>
        <form method="post" action="/dashboard/spam" class="card">
          <p class="soft small">{isActive ? t.active : t.inactive(MIN_LESSONS)}</p>
          <p>
            <StateBadge isGood={team.learnsSpam} text={team.learnsSpam ? t.isOn : t.isOff} />
          </p>
          <input type="hidden" name="learns" value={team.learnsSpam ? 'no' : 'yes'} />
          <button class={team.learnsSpam ? 'quiet' : undefined}>{team.learnsSpam ? t.turnOff : t.turnOn}</button>
        </form>
      </Part>
      {isActive && (
        <Part id="comparison" title={t.comparison} text={t.comparisonText(COMPARED_DAYS)}>
          <Compared {...props} />
        </Part>
      )}
      <Part id="forget" title={t.forget} text={t.forgetShort}>
        <div class="card danger-zone">
          <LinkButton href="/dashboard/spam/forget" text={t.forget} />
        </div>
      </Part>
    </>
  );
}

/** The results of the last days, their trend, and the last decisions with the reasons. */
function Results({ viewer, decisions }: Props) {
  const t = SPAM_TEXTS[viewer.language];
  const { days, marks, last, at } = decisions;
  const spam = days.reduce((sum, day) => sum + day.spam, 0);
  const caught = Math.max(0, spam - marks.spam);
  return (
    <>
      <Figures>
        <Figure
          name={t.caught}
          value={viewer.number(caught)}
          note={spam === 0 ? '' : t.share(viewer.number(Math.round((100 * caught) / spam)))}
        />
        <Figure name={t.missed} value={viewer.number(marks.spam)} note={t.missedNote} />
        <Figure name={t.rescued} value={viewer.number(marks.genuine)} note={t.rescuedNote} />
      </Figures>
      <Chart viewer={viewer} days={days} at={at} />
      <h2 id="decisions">{t.decisions}</h2>
      <p class="soft small">{t.decisionsText}</p>
      <EntryList items={last} empty={t.nothing}>
        {(decision) => <DecisionItem viewer={viewer} decision={decision} />}
      </EntryList>
    </>
  );
}

function DecisionItem({ viewer, decision }: Readonly<{ viewer: Viewer; decision: Decisions['last'][number] }>) {
  const { byHand } = SPAM_TEXTS[viewer.language];
  const { parts } = INBOX_TEXTS[viewer.language];
  const { id, createdAt, isSpam, who, rest, form, reasons } = decision;
  return (
    <li class="decision">
      <div class="head">
        <a href={`/dashboard/submissions/${id}`} dir="auto">
          {who || form}
        </a>
        <span class={isSpam ? 'badge bad' : 'badge warn'}>{isSpam ? parts.spam : parts.maybe}</span>
        <span class="soft small">
          {form} · <Time viewer={viewer} at={createdAt} />
        </span>
      </div>
      <p class="excerpt small" dir="auto">
        {rest}
      </p>
      <p class="small soft">{describeReasons(reasons, viewer.language).join(' · ') || byHand}</p>
    </li>
  );
}

function Compared({ viewer, comparison }: Props) {
  const t = SPAM_TEXTS[viewer.language];
  if (comparison === null) {
    return (
      <div class="card">
        <LinkButton href="/dashboard/spam?compare=yes#comparison" text={t.compare} />
      </div>
    );
  }
  const { listed } = comparison;
  const { number } = viewer;
  const counts = ['compared', 'flagged', 'flaggedGenuine', 'cleared', 'clearedSpam'] as const;
  return (
    <div class="card">
      <FactList facts={counts.map((name) => [t[name], number(comparison[name])])} />
      {listed.length > 0 && (
        <ul>
          {listed.map(({ id, createdAt, isFlagged }) => (
            <li>
              <a href={`/dashboard/submissions/${id}`}>
                <Time viewer={viewer} at={createdAt} />
              </a>
              {`: ${isFlagged ? t.onlyFlagged : t.onlyCleared}`}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
