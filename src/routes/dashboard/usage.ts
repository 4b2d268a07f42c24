import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { planNamed } from '../../domain/plan.ts';
import { type MonthlyUsage, periodOf } from '../../domain/usage.ts';
import { type Html, html } from '../../lib/html.ts';
import type { Reader } from './reader.ts';
import type { Visits } from './visit.ts';

const MONTHS = 24;

/** What the team has used of its plan, this month and before. */
export function usagePages({ store, clock, config }: Context, visits: Visits) {
  return new Elysia().get(
    '/dashboard/usage',
    visits.page(async ({ reader, team }) => {
      const { start } = periodOf(clock());
      const used = await store.countUsage(team.id, start);
      const months = await store.listUsage(team.id, MONTHS);
      const limit = planNamed(config.plans, team.plan).submissions_limit;
      const body = usageView(reader, { plan: team.plan, limit, used, end: periodOf(clock()).end, months });
      return { title: reader.texts.sections.usage, section: 'usage', body };
    }),
  );
}

type Shown = Readonly<{
  plan: string;
  limit: number | null;
  used: number;
  end: number;
  months: readonly MonthlyUsage[];
}>;

function usageView(reader: Reader, { plan, limit, used, end, months }: Shown): Html {
  const { usage: words, sections } = reader.texts;
  const number = reader.number;
  const share = limit === null ? 0 : Math.floor((100 * used) / Math.max(1, limit));
  const most = Math.max(1, ...months.map((month) => month.used));
  return html`<h1>${sections.usage}</h1>
<section class="card" aria-labelledby="now"><h2 id="now">${words.thisMonth}</h2>
<p>${limit === null ? words.unlimited(number(used), plan) : words.ofLimit(number(used), number(limit), plan)}</p>
${limit !== null && html`<progress max="${Math.max(1, limit)}" value="${Math.min(used, limit)}" aria-label="${words.thisMonth}">${share} %</progress>`}
${limit !== null && share >= 80 && html`<p class="note">${share >= 100 ? words.full : words.nearlyFull}</p>`}
<p class="soft small">${words.counted} ${words.resets} ${reader.time(end)}.</p>
<p class="soft small">${limit === null ? words.noCap : words.cap}</p></section>
<section class="card" aria-labelledby="before"><h2 id="before">${words.history}</h2>
${
  months.length === 0
    ? html`<p class="soft">${words.nothing}</p>`
    : html`<table><thead><tr><th scope="col">${words.month}</th><th scope="col">${words.submissions}</th><th scope="col"><span class="visually-hidden">${words.share}</span></th></tr></thead><tbody>
${months.map((month) => html`<tr><th scope="row">${reader.month(month.periodStart)}</th><td class="number">${number(month.used)}</td><td><svg class="bar" width="100%" height="10" aria-hidden="true" focusable="false"><rect width="${((100 * month.used) / most).toFixed(1)}%" height="10" fill="currentColor"/></svg></td></tr>`)}
</tbody></table>`
}</section>`;
}
