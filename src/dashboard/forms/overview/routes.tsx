/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../../context/context.ts';
import { summarizedFields } from '../../../domain/fields/field-summary.ts';
import { Semaphore } from '../../../lib/semaphore.ts';
import { requireForm } from '../../../services/forms/forms.ts';
import { summarizeFields } from '../../../services/forms/summarize-fields.ts';
import { type DashboardRoute, flash, type Page, type PageContext, page } from '../../page.ts';
import { OverviewView, SPANS } from './overview-view.tsx';
import { SummaryView } from './summary-view.tsx';

/** The overview of a form, and the summary of its answers. */
export function formOverviewRoutes(context: Context): readonly DashboardRoute[] {
  const { store, clock } = context;
  const summaries = new Semaphore(1);

  const show = async ({ viewer, team, query, param }: PageContext<'read'>): Promise<Page> => {
    const form = await requireForm(store, param('formId'), team.id);
    const span = SPANS.find((span) => String(span) === query.get('days')) ?? 30;
    const at = clock();
    const [workspaces, stats, days] = await Promise.all([
      store.workspaces.list(team.id),
      store.forms.readActivity(form.id),
      store.forms.countDays(form.id, at, 2 * span),
    ]);
    const hasSummary = summarizedFields(form.fields).length > 0;
    return {
      title: form.name,
      section: 'forms',
      done: flash({ duplicated: viewer.texts.overview.duplicated }, query),
      body: <OverviewView {...{ viewer, form, workspaces, stats, days, at, hasSummary }} />,
    };
  };

  const summarize = async ({ viewer, team, param }: PageContext<'read'>): Promise<Page> => {
    const form = await requireForm(store, param('formId'), team.id);
    const summary = await summaries.run(() => summarizeFields(context, form));
    return {
      title: `${viewer.texts.overview.answers} · ${form.name}`,
      section: 'forms',
      body: <SummaryView viewer={viewer} form={form} summary={summary} />,
    };
  };

  return [
    page('/dashboard/forms/:formId', { access: 'read' }, show),
    page('/dashboard/forms/:formId/summary', { access: 'read' }, summarize),
  ];
}
