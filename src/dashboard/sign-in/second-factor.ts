import type { Context } from '../../context.ts';
import { signedOutHeaders } from '../../http/session-cookie.ts';
import { html } from '../../lib/html.ts';
import { SlidingWindow } from '../../lib/sliding-window.ts';
import { PENDING_LIFE } from '../../services/sessions.ts';
import { action, type PageContext, page, redirectTo } from '../page.ts';
import { codeField } from '../ui/code-field.ts';
import type { Page } from '../ui/layout.tsx';
import { timeZoneField, timeZoneOf } from '../ui/time-zone-field.ts';
import type { Viewer } from '../viewer.ts';
import { safeRedirect } from './safe-redirect.ts';
import type { SignInFlow } from './sign-in-flow.ts';

const ASKED_PATH = '/dashboard/second-factor';
/** Wrong codes of one session, after which the password is asked for again. */
const TRIES = 5;

/** Asks for the second factor at sign-in. */
export function secondFactorChallengeRoutes({ store, monotonic }: Context, flow: SignInFlow) {
  const triesOfSession = new SlidingWindow(TRIES, PENDING_LIFE);

  const ask = ({ query, viewer, currentUser: found }: PageContext) => {
    const to = safeRedirect(query.get('to') ?? '');
    if (found?.session.isPending) return askView(viewer, { to });
    return redirectTo(found ? to : signInPath(to));
  };

  const answer = async (page: PageContext, sent: URLSearchParams) => {
    const { request, viewer, note, currentUser: found } = page;
    const to = safeRedirect(sent.get('to') ?? '');
    if (!found?.session.isPending) {
      note({}, { action: null });
      return redirectTo(found ? to : signInPath(to));
    }
    const { user, session } = found;
    const { ask: words } = viewer.texts.secondFactor;
    const recoveryCode = sent.get('recovery_code');
    const isRecovery = recoveryCode !== null;
    const from = flow.triedFrom(page);
    const seconds = flow.codeTries.begin(user.email, from);
    if (seconds > 0) {
      flow.noteHeldOff(page, user.email);
      const headers = { 'Retry-After': String(seconds) };
      return askView(viewer, { to, isRecovery, error: words.wait(seconds), status: 429, headers });
    }
    const { allowed, remaining } = triesOfSession.take(session.id, monotonic());
    const code = recoveryCode ?? sent.get('code') ?? '';
    const passed = allowed && (await flow.completeSecondFactor(page, found, code, to, timeZoneOf(sent)));
    if (passed) {
      if (isRecovery) note({ is_recovery_code: true });
      flow.codeTries.succeed(user.email, from);
      return passed;
    }
    flow.noteFailure(page, user.email);
    if (remaining > 0) return askView(viewer, { to, isRecovery, error: words.wrong, status: 400 });
    await store.endSession(user.id, session.id);
    return endedView(viewer, to, signedOutHeaders(request));
  };

  return [
    page(ASKED_PATH, { access: 'open' }, ask),
    action(ASKED_PATH, { access: 'open', audit: 'signed_in' }, answer),
  ];
}

function signInPath(to: string): string {
  return `/dashboard/sign-in?to=${encodeURIComponent(to)}`;
}

const INVALID = html` aria-invalid="true"`;

type Asked = Readonly<{ to: string; isRecovery?: boolean; error?: string }> & Pick<Page, 'status' | 'headers'>;

function askView(viewer: Viewer, { to, isRecovery = false, error, ...page }: Asked): Page {
  const { secondFactor: words } = viewer.texts;
  const further = html`<input type="hidden" name="to" value="${to}">${timeZoneField}`;
  const isWrong = error !== undefined;
  return {
    ...page,
    title: words.title,
    section: null,
    body: html`<h1>${words.title}</h1>
<p class="soft">${words.ask.text}</p>
${error && html`<p class="error" role="alert">${error}</p>`}
<form method="post" action="${ASKED_PATH}" class="card">
${codeField(viewer, isWrong && !isRecovery)}
${further}
<div class="row"><button>${words.ask.submit}</button><a href="${signInPath(to)}">${words.ask.other}</a></div>
</form>
<details class="card stack"${isRecovery && html` open`}><summary>${words.ask.lost}</summary>
<form method="post" action="${ASKED_PATH}">
<div class="field"><label for="recovery_code">${words.ask.recoveryCode}</label>
<input id="recovery_code" name="recovery_code" class="mono" required autocomplete="off" autocapitalize="characters" spellcheck="false" aria-describedby="recovery_hint"${isWrong && isRecovery && INVALID}>
<span class="hint" id="recovery_hint">${words.ask.recoveryHint}</span></div>
${further}
<button>${words.ask.useRecovery}</button>
</form>
<p>${words.ask.noCodes}</p>
<p><code>formstead user reset --second-factor --email …</code></p>
</details>`,
  };
}

function endedView({ texts }: Viewer, to: string, headers: Readonly<Record<string, string>>): Page {
  const { secondFactor: words, signIn } = texts;
  return {
    title: words.ask.endedTitle,
    section: null,
    status: 400,
    headers,
    body: html`<h1>${words.ask.endedTitle}</h1>
<p role="alert">${words.ask.endedText}</p>
<p><a href="${signInPath(to)}">${signIn.title}</a></p>`,
  };
}
