/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../../context/context.ts';
import { signedOutHeaders } from '../../../http/session-cookie.ts';
import { SlidingWindow } from '../../../lib/sliding-window.ts';
import { PENDING_SESSION_TTL } from '../../../services/users/sessions.ts';
import { action, type DashboardRoute, type Page, type PageContext, page, redirectTo } from '../../page.ts';
import { ErrorMessage, LinkLine } from '../../ui/elements.tsx';
import { LineInput } from '../../ui/form-inputs.tsx';
import { CodeField } from '../../ui/password-field.tsx';
import { safeRedirect } from '../../ui/safe-redirect.ts';
import { getTimeZone, TimeZoneField } from '../../ui/time-zone-field.tsx';
import type { Viewer } from '../../viewer.ts';
import { SECOND_FACTOR_TEXTS } from '../account/texts.ts';
import { SECOND_FACTOR_PATH, signInPath } from './paths.ts';
import type { SignInFlow } from './sign-in-flow.ts';
import { SIGN_IN_TEXTS } from './texts.ts';

/** Wrong codes after which a session ends and the password is asked for again. */
const MAX_ATTEMPTS = 5;

/** Asks for the second factor at sign-in. */
export function secondFactorChallengeRoutes(
  { store, config, monotonic }: Context,
  flow: SignInFlow,
): readonly DashboardRoute[] {
  const attempts = new SlidingWindow(MAX_ATTEMPTS, PENDING_SESSION_TTL);

  const show = ({ query, viewer, currentUser }: PageContext) => {
    const to = safeRedirect(query.get('to') ?? '');
    if (currentUser?.session.isPending) return codePage(viewer, { to });
    return redirectTo(currentUser ? to : signInPath(to));
  };

  const check = async (page: PageContext, form: URLSearchParams) => {
    const { request, viewer, note, currentUser } = page;
    const to = safeRedirect(form.get('to') ?? '');
    if (!currentUser?.session.isPending) {
      note({}, { action: null });
      return redirectTo(currentUser ? to : signInPath(to));
    }
    const { user, session } = currentUser;
    const { ask: t } = SECOND_FACTOR_TEXTS[viewer.language];
    const recoveryCode = form.get('recovery_code');
    const isRecovery = recoveryCode !== null;
    const from = flow.triedFrom(page);
    const seconds = await flow.codeTries.begin(user.email, from);
    if (seconds > 0) {
      flow.noteRateLimited(page, user.email);
      const headers = { 'Retry-After': String(seconds) };
      return codePage(viewer, { to, isRecovery, error: t.wait(seconds) }, { status: 429, headers });
    }
    const { allowed, remaining } = attempts.take(session.id, monotonic());
    const code = recoveryCode ?? form.get('code') ?? '';
    const signedIn = allowed && (await flow.completeSecondFactor(page, currentUser, code, to, getTimeZone(form)));
    if (signedIn) {
      if (isRecovery) note({ is_recovery_code: true });
      await flow.codeTries.takeBack(user.email, from);
      return signedIn;
    }
    flow.noteFailure(page, user.email);
    if (remaining > 0) return codePage(viewer, { to, isRecovery, error: t.wrong }, { status: 400 });
    await store.sessions.end(user.id, session.id);
    return endedPage(viewer, to, signedOutHeaders(request, config.baseUrl));
  };

  return [
    page(SECOND_FACTOR_PATH, { access: 'open' }, show),
    action(SECOND_FACTOR_PATH, { access: 'open', audit: 'signed_in' }, check),
  ];
}

/** `to` is the page to open after the sign-in, and `isRecovery` is true if the error is about a recovery code. */
type Props = Readonly<{ to: string; isRecovery?: boolean; error?: string }>;

/** Asks for a code from the app, or for a recovery code. */
function codePage(viewer: Viewer, props: Props, answer: Pick<Page, 'status' | 'headers'> = {}): Page {
  const { to, isRecovery = false, error } = props;
  const { title, ask: t } = SECOND_FACTOR_TEXTS[viewer.language];
  const isWrong = error !== undefined;
  const body = (
    <>
      <h1>{title}</h1>
      <p class="soft">{t.text}</p>
      <ErrorMessage error={error} />
      <form method="post" action={SECOND_FACTOR_PATH} class="card">
        <CodeField viewer={viewer} isWrong={isWrong && !isRecovery} />
        <HiddenFields to={to} />
        <div class="row">
          <button>{t.submit}</button>
          <a href={signInPath(to)}>{t.other}</a>
        </div>
      </form>
      <details class="card stack" open={isRecovery}>
        <summary>{t.lost}</summary>
        <RecoveryForm viewer={viewer} to={to} isWrong={isWrong && isRecovery} />
        <p>{t.noCodes}</p>
        <p>
          <code>formstead user reset --second-factor --email …</code>
        </p>
      </details>
    </>
  );
  return { ...answer, title, section: null, body };
}

/** Tells that too many wrong codes ended the sign-in. */
function endedPage(viewer: Viewer, to: string, headers: Readonly<Record<string, string>>): Page {
  const { endedTitle: title, endedText } = SECOND_FACTOR_TEXTS[viewer.language].ask;
  const body = (
    <>
      <h1>{title}</h1>
      <p role="alert">{endedText}</p>
      <LinkLine href={signInPath(to)} text={SIGN_IN_TEXTS[viewer.language].title} />
    </>
  );
  return { title, section: null, status: 400, headers, body };
}

function RecoveryForm({ viewer, to, isWrong }: Readonly<{ viewer: Viewer; to: string; isWrong: boolean }>) {
  const { ask: t } = SECOND_FACTOR_TEXTS[viewer.language];
  return (
    <form method="post" action={SECOND_FACTOR_PATH}>
      <LineInput
        name="recovery_code"
        label={t.recoveryCode}
        value=""
        hint={t.recoveryHint}
        class="mono"
        required
        autocapitalize="characters"
        spellcheck={false}
        aria-invalid={isWrong ? 'true' : undefined}
      />
      <HiddenFields to={to} />
      <button>{t.useRecovery}</button>
    </form>
  );
}

function HiddenFields({ to }: Readonly<{ to: string }>) {
  return (
    <>
      <input type="hidden" name="to" value={to} />
      <TimeZoneField />
    </>
  );
}
