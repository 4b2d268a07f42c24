import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { html } from '../../lib/html.ts';
import { redirectTo, type SignedInVisit, UNREAD_BODY, type Visits } from '../page.ts';
import { flash } from '../ui/flash.ts';
import type { Page } from '../ui/layout.ts';
import { stateBadge } from '../ui/state-badge.ts';

const PATH = '/dashboard/team/second-factor';

/** Requires a second factor of all members of a team. */
export function teamSecondFactorPages({ store }: Context, visits: Visits) {
  const requireOfTeam = async (visit: SignedInVisit, sent: URLSearchParams) => {
    if (visit.secondFactorOf === 'instance') return teamView(visit, 409);
    const isRequired = sent.get('required') === 'yes';
    if (isRequired && !visit.hasSecondFactor) return teamView(visit, 400);
    await store.updateTeam(visit.team.id, { requiresSecondFactor: isRequired });
    visit.note({ requires_second_factor: isRequired });
    return redirectTo(`${PATH}?done=${isRequired ? 'required' : 'released'}`);
  };

  return new Elysia()
    .get(
      PATH,
      visits.page((visit) => teamView(visit)),
    )
    .post(PATH, visits.action(requireOfTeam), UNREAD_BODY);
}

function teamView(
  { reader, query, team: { name }, hasSecondFactor, secondFactorOf }: SignedInVisit,
  status = 200,
): Page {
  const { secondFactor: words } = reader.texts;
  const isRequired = secondFactorOf !== null;
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
    : secondFactorOf === 'instance'
      ? html`<p ${note}>${words.team.ofInstance}</p>`
      : html`<form method="post" action="${PATH}"><input type="hidden" name="required" value="${isRequired ? 'no' : 'yes'}">
<button${isRequired && html` class="quiet"`}>${isRequired ? words.team.release : words.team.require}</button></form>`
}`,
  };
}
