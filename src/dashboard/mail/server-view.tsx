/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { MAIL_PROVIDERS, SECURITIES } from '../../domain/mail/mail-server.ts';
import { ErrorMessage, FactList, LinkRow, SubmitRow } from '../ui/elements.tsx';
import { LineInput, SelectInput } from '../ui/form-inputs.tsx';
import type { Viewer } from '../viewer.ts';
import { MAIL_SERVER_TEXTS } from './texts.ts';

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
export function ServerView(props: Props) {
  const { viewer, isFixed, fields } = props;
  const t = MAIL_SERVER_TEXTS[viewer.language];
  const shown = ['host', 'port', 'user', 'sender'] as const;
  return (
    <>
      <h1>{t.title}</h1>
      <p class={isFixed ? 'note' : 'soft'}>{isFixed ? t.fixed : t.intro}</p>
      <div class="stack">
        {isFixed ? (
          <FactList facts={shown.map((name) => [t.labels[name], fields.get(name)])} />
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
        <SubmitRow viewer={viewer} text={t.save} cancel="/dashboard/mail" />
      </form>
    </>
  );
}
