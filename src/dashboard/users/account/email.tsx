/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../../context/context.ts';
import { AppError } from '../../../domain/errors.ts';
import type { User } from '../../../domain/users/user.ts';
import { HOUR } from '../../../lib/clock.ts';
import { SlidingWindow } from '../../../lib/sliding-window.ts';
import { sendLink } from '../../../services/mail/link-mail.ts';
import { createEmailLink, parseAccountEmail } from '../../../services/users/accounts.ts';
import { hashToken } from '../../../services/users/sessions.ts';
import { action, type DashboardRoute, type Page, type PageContext, page, redirectTo } from '../../page.ts';
import { type ErrorAnswer, getAnswer, type PasswordCheck } from '../../password-check.tsx';
import { ErrorMessage, LinkButton, LinkLine, SubmitRow } from '../../ui/elements.tsx';
import { LineInput } from '../../ui/form-inputs.tsx';
import { CurrentPasswordField, UsernameHint } from '../../ui/password-field.tsx';
import type { Viewer } from '../../viewer.ts';
import { WELCOME_TEXTS } from '../sign-in/texts.ts';
import { ACCOUNT_TEXTS, EMAIL_TEXTS } from './texts.ts';

const ACCOUNT = '/dashboard/account';
const PATH = `${ACCOUNT}/email`;
const LINK_PATH = `${PATH}/:token`;
const MAILS_PER_HOUR = 3;

/**
 * Changes the email address of an account. The change applies once the link mailed to the new address is opened in a
 * session of the same user, so that a mistyped address gives nobody else the account.
 */
export function emailRoutes(context: Context, passwords: PasswordCheck): readonly DashboardRoute[] {
  const { store, monotonic } = context;
  const mailed = new SlidingWindow(MAILS_PER_HOUR, HOUR);

  const show = ({ viewer, user }: PageContext<'self'>, failed: Failed | null = null): Page => {
    const t = EMAIL_TEXTS[viewer.language];
    const body =
      emailMails(context) === null ? (
        <>
          <h1>{t.title}</h1>
          <p class="note">{t.noMail}</p>
          <LinkLine href={ACCOUNT} text={viewer.texts.sections.account} />
        </>
      ) : (
        <>
          <h1>{t.title}</h1>
          <p class="soft">{t.text(user.email)}</p>
          <ErrorMessage error={failed?.error} />
          <form method="post" action={PATH} class="card narrow">
            <UsernameHint email={user.email} />
            <LineInput
              type="email"
              name="new_email"
              label={t.new}
              value={failed?.input ?? ''}
              required
              autocomplete="email"
              aria-invalid={failed?.field === 'new' ? 'true' : undefined}
            />
            <CurrentPasswordField viewer={viewer} isWrong={failed?.field === 'password'} />
            <SubmitRow viewer={viewer} text={t.send} cancel={ACCOUNT} />
          </form>
        </>
      );
    return { title: t.title, section: 'account', ...(failed && getAnswer(failed)), body };
  };

  const request = async (page: PageContext<'self'>, form: URLSearchParams) => {
    const { viewer, user, note } = page;
    const account = ACCOUNT_TEXTS[viewer.language];
    const t = EMAIL_TEXTS[viewer.language];
    const input = form.get('new_email') ?? '';
    const mails = emailMails(context);
    if (!mails) {
      note({}, { action: null });
      return show(page);
    }
    const wrong = await passwords.errorOf(page, form);
    if (wrong) return show(page, { ...wrong, input });
    const to = parseAccountEmail(input);
    if (to === null) return show(page, { field: 'new', error: account.noEmail, input });
    if (to === user.email) return show(page, { field: 'new', error: t.same, input });
    const { allowed, resetSeconds } = mailed.take(user.id, monotonic());
    if (!allowed) {
      const headers = { 'Retry-After': String(resetSeconds) };
      return show(page, { field: 'new', error: t.tooMany, input, status: 429, headers });
    }
    // Sent after the response: its content and its timing must not reveal whether the address has an account.
    setTimeout(() => mails.confirm(user, to, viewer));
    return redirectTo('/dashboard/account?done=email_sent', await passwords.renew(page));
  };

  const showLink = async (page: PageContext<'self'>): Promise<Page> => {
    const { user, param } = page;
    const link = await store.users.findLink(hashToken(param('token')));
    if (!link?.newEmail || link.userId !== user.id) return invalidLinkPage(page);
    return confirmPage(page, link.newEmail);
  };

  const confirm = async (page: PageContext<'self'>): Promise<Page | Response> => {
    const { viewer, user, param, note } = page;
    try {
      const changed = await store.users.setEmailByLink(hashToken(param('token')), user.id);
      if (!changed) {
        note({}, { action: null });
        return invalidLinkPage(page);
      }
      setTimeout(() => emailMails(context)?.tellFormer(changed, viewer));
      return redirectTo('/dashboard/account?done=email');
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      return confirmPage(page, '', WELCOME_TEXTS[viewer.language].taken);
    }
  };

  return [
    page(PATH, { access: 'self' }, (page) => show(page)),
    action(PATH, { access: 'self', audit: 'email_change.requested' }, request),
    page(LINK_PATH, { access: 'self' }, showLink),
    action(LINK_PATH, { access: 'self', audit: 'email_change.confirmed' }, confirm),
  ];
}

/** Asks to confirm the address that a link was mailed to. */
function confirmPage({ viewer }: PageContext<'self'>, to: string, error?: string): Page {
  const t = EMAIL_TEXTS[viewer.language];
  const { common, sections } = viewer.texts;
  const body = error ? (
    <>
      <h1>{t.title}</h1>
      <ErrorMessage error={error} />
      <LinkLine href={ACCOUNT} text={sections.account} />
    </>
  ) : (
    <>
      <h1>{t.confirmTitle(to)}</h1>
      <p>{t.confirmText}</p>
      <form method="post" class="row">
        <button>{t.confirm}</button>
        <LinkButton href={ACCOUNT} text={common.cancel} />
      </form>
    </>
  );
  return { title: t.title, section: 'account', status: error ? 409 : 200, body };
}

/** Explains a link that was used, has expired, or is for another account. */
function invalidLinkPage({ viewer }: PageContext<'self'>): Page {
  const title = WELCOME_TEXTS[viewer.language].usedUp;
  const body = (
    <>
      <h1>{title}</h1>
      <p>{EMAIL_TEXTS[viewer.language].invalid}</p>
      <LinkLine href={ACCOUNT} text={viewer.texts.sections.account} />
    </>
  );
  return { title, section: 'account', status: 404, body };
}

type Failed = Readonly<{ field: 'password' | 'new'; error: string; input: string }> & ErrorAnswer;

type EmailMails = Readonly<{
  /** Mails a link to the new address, unless it has an account. Never throws. */
  confirm: (user: User, to: string, viewer: Viewer) => Promise<void>;
  /** Tells the previous address about the change. Never throws. */
  tellFormer: (changed: Readonly<{ from: string; to: string }>, viewer: Viewer) => Promise<void>;
}>;

/** Null without a mail server, and without `BASE_URL`: the host of a request may be an attacker's. */
function emailMails({ store, clock, log, mail, config: { baseUrl } }: Context): EmailMails | null {
  if (mail.sender === null || baseUrl === null) return null;
  const send = async (message: Parameters<typeof sendLink>[2]) => {
    const { outcome } = await sendLink(mail, clock, message);
    if (outcome !== 'sent') log.error('a mail about a new email address was not sent', { outcome });
  };
  return {
    confirm: async (user, to, { language }) => {
      try {
        if (await store.users.findByEmail(to)) return;
        const { token } = await createEmailLink({ store, clock }, user.id, to);
        await send({ to, language, url: `${baseUrl}${PATH}/${token}`, ...EMAIL_TEXTS[language].mail });
      } catch (error) {
        const name = error instanceof Error ? error.name : '';
        log.error('a mail about a new email address was not sent', { error: name });
      }
    },
    tellFormer: ({ from, to }, { language }) => {
      const { former } = EMAIL_TEXTS[language];
      return send({
        ...{ to: from, language, url: `${baseUrl}/dashboard/sign-in` },
        ...former,
        before: former.before(to),
      });
    },
  };
}
