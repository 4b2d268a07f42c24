/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { AppError } from '../../domain/errors.ts';
import { describeServer, MAIL_PROVIDERS, parseMailServer, SECURITIES } from '../../domain/mail/mail-server.ts';
import { action, type DashboardRoute, type Page, type PageContext, page, redirectTo } from '../page.ts';
import { ErrorMessage, FactList, LinkButton, LinkLine, LinkRow, SubmitRow } from '../ui/elements.tsx';
import { LineInput, SelectInput } from '../ui/form-inputs.tsx';
import type { Viewer } from '../viewer.ts';
import { MAIL_PAGES_TEXTS, MAIL_SERVER_TEXTS } from './texts.ts';

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

type Props = Readonly<{
  viewer: Viewer;
  /** True if `SMTP_URL` decides, so that nothing can be changed here. */
  isFixed: boolean;
  isSetUp: boolean;
  /** True to ask for the user's own password too. */
  needsPassword: boolean;
  /** The fields of the form; the password is not shown. */
  fields: URLSearchParams;
  error: string | undefined;
}>;

/** The mail server of the instance. */
function ServerView(props: Props) {
  const { viewer, isFixed, fields } = props;
  const t = MAIL_SERVER_TEXTS[viewer.language];
  const shown = ['host', 'port', 'user', 'sender'] as const;
  return (
    <>
      <LinkLine href="/dashboard/mail" text={viewer.texts.sections.mail} isSmall />
      <h1>{t.title}</h1>
      <p class="soft">{isFixed ? t.fixed : t.intro}</p>
      <div class="stack">
        {isFixed ? (
          <div class="card">
            <FactList facts={shown.map((name) => [t.labels[name], fields.get(name)])} />
            <p class="row">
              <LinkButton href="/dashboard/mail#test" text={MAIL_PAGES_TEXTS[viewer.language].testSend} />
            </p>
          </div>
        ) : (
          <ServerForm {...props} />
        )}
      </div>
    </>
  );
}

function ServerForm({ viewer, isSetUp, needsPassword, fields, error }: Props) {
  const t = MAIL_SERVER_TEXTS[viewer.language];
  const getField = (name: keyof typeof t.labels) => {
    const value = name === 'password' ? '' : (fields.get(name) ?? '');
    return { name, value, label: t.labels[name], spellcheck: false };
  };
  const secret = { type: 'password', autocomplete: 'new-password' };
  const current = { type: 'password', autocomplete: 'current-password', required: true, value: '' };
  const links = MAIL_PROVIDERS.map(
    ({ name, host }) => [`?provider=${encodeURIComponent(name)}`, name, host === fields.get('host')] as const,
  );
  return (
    <>
      <LinkRow label={t.providers} links={links} />
      <ErrorMessage error={error} />
      <form method="post" action="/dashboard/mail/server" class="card narrow">
        <LineInput {...getField('host')} hint={t.hostHint} />
        <LineInput {...getField('port')} hint={t.portHint} required inputmode="numeric" />
        <SelectInput {...getField('security')} options={SECURITIES.map((one) => [one, t.securities[one]] as const)} />
        <LineInput {...getField('user')} hint={t.userHint} />
        <LineInput {...getField('password')} hint={isSetUp ? t.keepPassword : undefined} {...secret} />
        <LineInput {...getField('sender')} hint={t.senderHint} required />
        {needsPassword && <LineInput name="current_password" label={t.ownPassword} {...current} />}
        <SubmitRow viewer={viewer} text={viewer.texts.common.save} cancel="/dashboard/mail" />
      </form>
    </>
  );
}
