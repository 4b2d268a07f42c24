import type { Context } from '../../context.ts';
import { html } from '../../lib/html.ts';
import { action, type PageContext, page, redirectTo } from '../page.ts';
import { flash } from '../ui/flash.ts';
import type { Page } from '../ui/layout.tsx';
import { stateBadge } from '../ui/state-badge.ts';

const PATH = '/dashboard/team/second-factor';

/** Requires a second factor of all members of a team. */
export function teamSecondFactorRoutes({ store }: Pick<Context, 'store'>) {
  const requireOfTeam = async (page: PageContext<'read'>, sent: URLSearchParams) => {
    if (page.secondFactorRequiredBy === 'instance') return teamView(page, 409);
    const isRequired = sent.get('required') === 'yes';
    if (isRequired && !page.hasSecondFactor) return teamView(page, 400);
    await store.updateTeam(page.team.id, { requiresSecondFactor: isRequired });
    page.note({ requires_second_factor: isRequired });
    return redirectTo(`${PATH}?done=${isRequired ? 'required' : 'released'}`);
  };

  return [
    page(PATH, { access: 'manage' }, (page) => teamView(page)),
    action(PATH, { access: 'manage', audit: 'team.changed' }, requireOfTeam),
  ];
}

function teamView(
  { viewer, query, team: { name }, hasSecondFactor, secondFactorRequiredBy }: PageContext<'read'>,
  status = 200,
): Page {
  const { secondFactor: words } = viewer.texts;
  const isRequired = secondFactorRequiredBy !== null;
  const needsOwn = !isRequired && !hasSecondFactor;
  const note = status === 200 ? html`class="note"` : html`class="error" role="alert"`;
  return {
    title: words.team.title(name),
    section: 'team',
    status,
    done: flash(words.team.done, query),
    body: html`<h1>${words.team.title(name)}</h1>
<p>${stateBadge(isRequired, isRequired ? words.team.isRequired : words.team.isNotRequired)}</p>
<p>${words.team.text}</p>
${
  needsOwn
    ? html`<p ${note}>${words.team.needsOwn} <a href="/dashboard/account/second-factor">${words.setUp}</a></p>`
    : secondFactorRequiredBy === 'instance'
      ? html`<p ${note}>${words.team.ofInstance}</p>`
      : html`<form method="post" action="${PATH}"><input type="hidden" name="required" value="${isRequired ? 'no' : 'yes'}">
<button${isRequired && html` class="quiet"`}>${isRequired ? words.team.release : words.team.require}</button></form>`
}`,
  };
}
