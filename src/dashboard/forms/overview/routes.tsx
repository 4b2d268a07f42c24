/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { SharedContext } from '../../../context/server-context.ts';
import { summarizedFields } from '../../../domain/fields/field-summary.ts';
import { PAGE_FAILURES } from '../../../domain/forms/form-check.ts';
import type { Micros } from '../../../lib/clock.ts';
import { Semaphore } from '../../../lib/semaphore.ts';
import { summarizeFields } from '../../../services/forms/summarize-fields.ts';
import { readExcerpt } from '../../../services/submissions/read-submission.ts';
import type { DayCount } from '../../../storage/records.ts';
import { type DashboardRoute, findForm, flash, type Page, type PageContext, page, withAssets } from '../../page.ts';
import { INBOX_TEXTS } from '../../submissions/inbox/texts.ts';
import { featureAssets } from '../../ui/assets.ts';
import { Chart } from '../../ui/chart.tsx';
import { countUpTo99 } from '../../ui/count.ts';
import { LinkButton, LinkLine, LinkRow } from '../../ui/elements.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EntryList } from '../../ui/entry-list.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { FormHead } from '../../ui/form-head.tsx';
import { FormMenu } from '../../ui/form-menu.tsx';
import { getBrief } from '../../ui/payload-text.ts';
import { SubmissionEntry } from '../../ui/submission-entry.tsx';
import { Ago } from '../../ui/time.tsx';
import type { Viewer } from '../../viewer.ts';
import { FORMS_TEXTS } from '../list/texts.ts';
import script from './script.js' with { type: 'text' };
import style from './style.css' with { type: 'text' };
import { SummaryView } from './summary-view.tsx';
import { OVERVIEW_TEXTS } from './texts.ts';

const ASSETS = featureAssets('overview', style, script);

/** The overview of a form, and the summary of its answers. */
export function formOverviewRoutes({ clock }: SharedContext): readonly DashboardRoute[] {
  const summaries = new Semaphore(1);

  const show = async (page: PageContext<'read'>): Promise<Page> => {
    const { viewer, query } = page;
    const props = await readOverview(page, clock());
    return {
      title: props.form.name,
      section: 'forms',
      done: flash({ duplicated: OVERVIEW_TEXTS[viewer.language].duplicated }, query),
      body: <OverviewView {...props} />,
    };
  };

  const summarize = async (page: PageContext<'read'>): Promise<Page> => {
    const { context, viewer } = page;
    const form = await findForm(page);
    const summary = await summaries.run(() => summarizeFields(context, form));
    return {
      title: `${OVERVIEW_TEXTS[viewer.language].answers} · ${form.name}`,
      section: 'forms',
      body: <SummaryView viewer={viewer} form={form} summary={summary} />,
    };
  };

  return withAssets(ASSETS, [
    page('/dashboard/forms/:formId', { access: 'read' }, show),
    page('/dashboard/forms/:formId/summary', { access: 'read' }, summarize),
  ]);
}

/** Submissions listed at most. */
const NEWEST = 5;

/** Lengths of the chart in days. */
const SPANS = [7, 30, 90, 365] as const;

type Props = Awaited<ReturnType<typeof readOverview>>;

/** Reads what the overview shows at the current time: `days` has those of the span before, then those of the span. */
async function readOverview(page: PageContext<'read'>, at: Micros) {
  const { context, viewer, team, query } = page;
  const { store } = context;
  const form = await findForm(page);
  const span = SPANS.find((span) => String(span) === query.get('days')) ?? 30;
  const [workspaces, stats, days, check, newest] = await Promise.all([
    store.workspaces.list(team.id),
    store.forms.readActivity(form.id),
    store.forms.countDays(form.id, at, 2 * span),
    store.formChecks.find(form.id),
    store.submissions.listRecent(form.id, { onlySpam: false, limit: NEWEST }),
  ]);
  const hasSummary = summarizedFields(form.fields).length > 0;
  return { context, viewer, form, workspaces, stats, days, at, check, newest: newest ?? [], hasSummary };
}

/** The overview of a form: its numbers, their chart, and a link to the summary of its answers. */
function OverviewView(props: Props) {
  const { viewer, form, workspaces, stats, days } = props;
  const forms = FORMS_TEXTS[viewer.language];
  const t = OVERVIEW_TEXTS[viewer.language];
  const isEmpty = stats.lastArrival === null && days.every(({ spam }) => spam === 0);
  const summary = `/dashboard/forms/${form.id}/summary`;
  const menu = <FormMenu viewer={viewer} form={form} workspaces={workspaces} />;
  return (
    <>
      <FormHead viewer={viewer} form={form} current="overview" menu={menu} />
      <WatchedPage {...props} />
      {isEmpty ? (
        <EmptyState icon="inbox" title={forms.nothingYet} text={t.emptyText}>
          <LinkButton href={`/dashboard/forms/${form.id}/connect`} text={forms.connect} style="main" />
        </EmptyState>
      ) : (
        <Numbers {...props} />
      )}
      {!isEmpty && !props.hasSummary && <Newest {...props} />}
      {!isEmpty && props.hasSummary && (
        <section class="overview" aria-labelledby="answers">
          <h2 id="answers">{t.answers}</h2>
          {/* The script loads the summary; without one the link leads to its own page. */}
          <div data-summary={summary} data-wait={t.answersWait} aria-live="polite">
            <LinkLine href={summary} text={t.answersLink} />
          </div>
        </section>
      )}
    </>
  );
}

/** The newest submissions of a form without answers to summarize. */
function Newest({ context: { vault, log }, viewer, form, newest, at }: Props) {
  return (
    <section class="overview" aria-labelledby="newest">
      <h2 id="newest">{OVERVIEW_TEXTS[viewer.language].newest}</h2>
      <EntryList items={newest}>
        {(submission) => {
          const { who, isNamed, rest } = getBrief(form, readExcerpt(vault, log, submission) ?? [], viewer.values);
          return (
            <SubmissionEntry id={submission.id} title={who || form.name} isNamed={isNamed} text={rest}>
              <Ago viewer={viewer} at={submission.createdAt} now={at} />
            </SubmissionEntry>
          );
        }}
      </EntryList>
    </section>
  );
}

/** Says when the form was last seen on its watched page. */
function WatchedPage({ viewer, form, check, at }: Props) {
  const t = OVERVIEW_TEXTS[viewer.language];
  if (form.watchPage === null) return null;
  const { host, pathname } = new URL(form.watchPage);
  const page = `${host}${pathname.replace(/\/$/, '')}`;
  if (check.pageFailures >= PAGE_FAILURES) return <p class="note">{t.pageFails(page)}</p>;
  return (
    <p class="soft small">
      {check.pageSeenAt === null ? t.pageNotSeen(page) : t.pageSeen(viewer.ago(check.pageSeenAt, at), page)}
    </p>
  );
}

function Numbers({ viewer, form, stats, days, at }: Props) {
  const forms = FORMS_TEXTS[viewer.language];
  const inbox = INBOX_TEXTS[viewer.language];
  const t = OVERVIEW_TEXTS[viewer.language];
  const { number, texts } = viewer;
  const span = days.length / 2;
  const sum = (some: readonly DayCount[], kind: keyof DayCount) => some.reduce((total, day) => total + day[kind], 0);
  const [before, now] = [sum(days.slice(0, span), 'genuine'), sum(days.slice(span), 'genuine')];
  const spam = sum(days.slice(span), 'spam');
  const getAddress = (length: number) => `/dashboard/forms/${form.id}?days=${length}`;
  return (
    <section class="overview" aria-labelledby="numbers">
      <div class="head">
        <h2 id="numbers">{t.activity}</h2>
        <LinkRow label={t.spans} links={SPANS.map((days) => [getAddress(days), t.days(number(days)), days === span])} />
      </div>
      <Figures>
        <Figure name={texts.form.submissions} value={number(now)} note={comparison(viewer, now, before, span)} />
        <Figure
          name={inbox.parts.spam}
          value={number(spam)}
          note={t.shareOf(viewer.percent(spam / (now + spam || 1)))}
        />
        <Figure
          name={inbox.parts.unread}
          value={
            <a href={`/dashboard/forms/${form.id}/submissions?part=unread`}>{countUpTo99(viewer, stats.unread)}</a>
          }
          note={t.ofAll}
        />
        <Figure
          name={forms.lastArrival}
          value={stats.lastArrival === null ? t.never : <Ago viewer={viewer} at={stats.lastArrival} now={at} />}
          note={stats.lastArrival === null ? undefined : viewer.formatTime(stats.lastArrival)}
        />
      </Figures>
      <Chart viewer={viewer} days={days.slice(span)} at={at} />
    </section>
  );
}

/** Compares a count with that of the span before. */
function comparison({ number, language }: Viewer, now: number, before: number, span: number): string {
  const t = OVERVIEW_TEXTS[language];
  if (before === 0) return t.noneBefore(number(span));
  if (now === before) return t.same(number(span));
  return (now > before ? t.more : t.fewer)(number(Math.abs(now - before)), number(span));
}
