/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { AppError } from '../../domain/errors.ts';
import { describeServer, MAIL_PROVIDERS, parseMailServer } from '../../domain/mail/mail-server.ts';
import { action, type DashboardRoute, type Page, type PageContext, page, redirectTo } from '../page.ts';
import { ServerView } from './server-view.tsx';
import { MAIL_SERVER_TEXTS } from './texts.ts';

const PATH = '/dashboard/mail/server';

type OwnPage = PageContext<'self'>;

/** The mail server of the instance, for its operators. The page of mails has the test. */
export const mailServerRoutes: readonly DashboardRoute[] = [
  page(PATH, { access: 'self', forOperator: true }, (page) => serverPage(page)),
  action(PATH, { access: 'self', forOperator: true, audit: 'mail_server.changed' }, save),
];

type Answer = Partial<Page> & Partial<Pick<Parameters<typeof ServerView>[0], 'fields' | 'error'>>;

function serverPage(page: OwnPage, { fields, error, ...answer }: Answer = {}): Page {
  const { context, viewer, query } = page;
  const { account, isFixed } = context.mail;
  const provider = MAIL_PROVIDERS.find(({ name }) => name === query.get('provider'));
  const unset = { port: '587', security: 'starttls', sender: context.config.mailFrom ?? '' };
  const current = { ...(account ? describeServer(account) : unset), ...provider };
  return {
    title: MAIL_SERVER_TEXTS[viewer.language].title,
    section: 'mail',
    ...answer,
    body: (
      <ServerView
        viewer={viewer}
        isFixed={isFixed}
        isSetUp={account !== null}
        needsPassword={page.hasPassword && !context.passwords.isRecent(page)}
        fields={fields ?? new URLSearchParams(current)}
        error={error}
      />
    ),
  };
}

/** Saves the mail server; an empty host removes it. */
async function save(page: OwnPage, fields: URLSearchParams): Promise<Page | Response> {
  const { mail, passwords } = page.context;
  const t = MAIL_SERVER_TEXTS[page.viewer.language];
  if (mail.isFixed) throw new AppError('conflict', 'SMTP_URL is set. Change the mail server there.');
  const isRecent = passwords.isRecent(page);
  // The field named `password` is that of the mail server, so that no page keeps it in a hidden field.
  const own = new URLSearchParams({ password: fields.get('current_password') ?? '' });
  const wrong = isRecent ? null : await passwords.errorOf(page, own);
  if (wrong) return serverPage(page, { ...wrong, fields });
  const isRemoval = fields.get('host')?.trim() === '';
  const account = isRemoval ? null : parseMailServer(fields, mail.account);
  if (typeof account === 'string') return serverPage(page, { fields, error: t.faults[account], status: 400 });
  if (account && !(await mail.isAllowed(account))) {
    return serverPage(page, { fields, error: t.notAllowed, status: 400 });
  }
  await mail.change(account);
  const headers = isRecent ? {} : await passwords.renew(page);
  return redirectTo(
    isRemoval ? '/dashboard/mail?done=serverRemoved' : '/dashboard/mail?done=serverSaved#test',
    headers,
  );
}
