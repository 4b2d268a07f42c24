/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { AppError } from '../../domain/errors.ts';
import { parseAddress } from '../../domain/mail/email-address.ts';
import { describeServer, MAIL_PROVIDERS, parseMailServer } from '../../domain/mail/mail-server.ts';
import { HOUR } from '../../lib/clock.ts';
import { SlidingWindow } from '../../lib/sliding-window.ts';
import { sendTestMail } from '../../services/mail/test-mail.ts';
import { action, type DashboardRoute, flash, type Page, type PageContext, page, redirectTo } from '../page.ts';
import { confirmPage } from '../ui/confirm-page.tsx';
import { type ServerInput, ServerView, type TestResult } from './server-view.tsx';
import { MAIL_PAGES_TEXTS, MAIL_SERVER_TEXTS } from './texts.ts';

const PATH = '/dashboard/mail/server';
const TESTS_PER_HOUR = 20;

type OwnPage = PageContext<'self'>;

/** The mail server of the instance, for its operators. */
export function mailServerRoutes(): readonly DashboardRoute[] {
  const tests = new SlidingWindow(TESTS_PER_HOUR, HOUR);
  const self = { access: 'self', forOperator: true } as const;
  return [
    page(PATH, self, (page) => serverPage(page)),
    action(PATH, { ...self, audit: 'mail_server.changed' }, save),
    page(`${PATH}/remove`, self, askToRemove),
    action(`${PATH}/remove`, { ...self, audit: 'mail_server.removed', needsPassword: () => true }, remove),
    action(`${PATH}/test`, { ...self, audit: 'mail.tested' }, (page, form) => sendTest(page, form, tests)),
  ];
}

type Answer = Pick<Page, 'status' | 'headers' | 'done'> &
  Readonly<{ input?: ServerInput; error?: string; test?: TestResult }>;

function requireChangeable({ context }: OwnPage): void {
  if (context.mail.isFixed) throw new AppError('conflict', 'SMTP_URL is set. Change the mail server there.');
}

function serverPage(page: OwnPage, { input, error, test, ...answer }: Answer = {}): Page {
  const { context, viewer, user, query } = page;
  const { account, isFixed, server } = context.mail;
  const provider = MAIL_PROVIDERS.find(({ name }) => name === query.get('provider'));
  const current = server ?? (account && describeServer(account));
  const sender = current?.sender ?? context.config.mailFrom ?? '';
  const empty = { host: '', port: 587, security: 'starttls', user: '' };
  return {
    title: MAIL_SERVER_TEXTS[viewer.language].title,
    section: 'mail',
    done: flash(MAIL_SERVER_TEXTS[viewer.language].done, query),
    ...answer,
    body: (
      <ServerView
        viewer={viewer}
        email={user.email}
        isFixed={isFixed}
        isSetUp={account !== null}
        hasPassword={Boolean(server?.password)}
        needsPassword={!context.passwords.isRecent(page)}
        input={input ?? { ...empty, ...current, ...provider, sender }}
        error={error}
        test={test ?? { to: user.email, lines: [] }}
      />
    ),
  };
}

async function save(page: OwnPage, form: URLSearchParams): Promise<Page | Response> {
  requireChangeable(page);
  const { context, viewer } = page;
  const { mail, passwords } = context;
  const t = MAIL_SERVER_TEXTS[viewer.language];
  const [host, port, security, user, sender] = ['host', 'port', 'security', 'user', 'sender'].map(
    (name) => form.get(name) ?? '',
  ) as [string, string, string, string, string];
  const input = { host, port, security, user, sender };
  const isRecent = passwords.isRecent(page);
  // The field named `password` is that of the mail server, which no hidden field may keep.
  const own = new URLSearchParams({ password: form.get('current_password') ?? '' });
  const wrong = isRecent ? null : await passwords.errorOf(page, own);
  if (wrong) return serverPage(page, { ...wrong, input });
  const server = parseMailServer(form, mail.server);
  if (typeof server === 'string') return serverPage(page, { input, error: t.faults[server], status: 400 });
  if (!(await mail.isAllowed(server))) return serverPage(page, { input, error: t.notAllowed, status: 400 });
  await mail.change(server);
  return redirectTo(`${PATH}?done=saved`, isRecent ? {} : await passwords.renew(page));
}

function askToRemove({ viewer }: OwnPage): Page {
  const t = MAIL_SERVER_TEXTS[viewer.language];
  const question = { title: t.removeTitle, text: t.removeText, button: t.remove };
  return confirmPage(viewer, 'mail', { ...question, action: `${PATH}/remove`, cancel: PATH });
}

async function remove(page: OwnPage): Promise<Response> {
  requireChangeable(page);
  await page.context.mail.change(null);
  return redirectTo(`${PATH}?done=removed`);
}

/** Sends a mail on a connection of its own, and shows what was said on it. */
async function sendTest(page: OwnPage, form: URLSearchParams, tests: SlidingWindow): Promise<Page> {
  const { context, viewer, user } = page;
  const { mail, monotonic } = context;
  const to = form.get('to') ?? '';
  const t = MAIL_PAGES_TEXTS[viewer.language];
  const refuse = (status: number, error: string) => serverPage(page, { status, test: { to, error, lines: [] } });
  if (!tests.take(user.id, monotonic()).allowed) return refuse(429, t.tooManyTests);
  if (parseAddress(to.trim()) === null) return refuse(400, t.testAddress);
  const { result, lines } = await mail.record(async (mailer) => {
    const own = { mailer, sender: mail.sender };
    return sendTestMail({ ...context, mail: own }, to, viewer.language).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'invalid_input') return error.message;
      throw error;
    });
  });
  if (typeof result !== 'string') return serverPage(page, { test: { to, lines }, done: t.done.tested });
  return serverPage(page, { status: 400, test: { to, lines, error: result } });
}
