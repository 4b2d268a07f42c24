/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { MAIL_PROVIDERS, SECURITIES } from '../../domain/mail/mail-server.ts';
import { Card, ErrorMessage, FactList, LinkButton, LinkLine, LinkRow } from '../ui/elements.tsx';
import { LineInput, SelectInput } from '../ui/form-inputs.tsx';
import type { Viewer } from '../viewer.ts';
import { TestForm, type TestInput } from './mail-view.tsx';
import { MAIL_SERVER_TEXTS } from './texts.ts';

/** The fields of the form, without the password. */
export type ServerInput = Readonly<{
  host: string;
  port: string | number;
  security: string;
  user: string;
  sender: string;
}>;

/** Input of the test form, its error, and the conversation with the mail server. */
export type TestResult = TestInput & Readonly<{ lines: readonly string[] }>;

type Props = Readonly<{
  viewer: Viewer;
  email: string;
  /** True if `SMTP_URL` decides, so that nothing can be changed here. */
  isFixed: boolean;
  isSetUp: boolean;
  hasPassword: boolean;
  /** True to ask for the user's own password too. */
  needsPassword: boolean;
  input: ServerInput;
  error: string | undefined;
  test: TestResult;
}>;

/** The mail server of the instance, with a test that shows the conversation. */
export function ServerView(props: Props) {
  const { viewer, isFixed, isSetUp, input, test } = props;
  const t = MAIL_SERVER_TEXTS[viewer.language];
  const security = SECURITIES.find((one) => one === input.security) ?? 'starttls';
  return (
    <>
      <h1>{t.title}</h1>
      <p class="soft">{t.intro}</p>
      <div class="stack">
        {isFixed ? (
          <>
            <p class="note">{t.fixed}</p>
            <FactList
              facts={[
                [t.host, input.host],
                [t.port, String(input.port)],
                [t.security, t.securities[security]],
                [t.user, input.user],
                [t.sender, input.sender],
              ]}
            />
          </>
        ) : (
          <ServerForm {...props} />
        )}
        {isSetUp && (
          <>
            <TestForm viewer={viewer} {...test} action="/dashboard/mail/server/test" />
            {test.lines.length > 0 && (
              <Card id="conversation" title={t.conversation}>
                <pre class="small conversation">{test.lines.join('\n')}</pre>
              </Card>
            )}
          </>
        )}
        {isSetUp && !isFixed && <LinkLine href="/dashboard/mail/server/remove" text={t.remove} />}
      </div>
    </>
  );
}

function ServerForm({ viewer, email, hasPassword, needsPassword, input, error }: Props) {
  const t = MAIL_SERVER_TEXTS[viewer.language];
  return (
    <>
      <div>
        <LinkRow
          label={t.providers}
          links={MAIL_PROVIDERS.map(({ name, host }) => [
            `/dashboard/mail/server?provider=${encodeURIComponent(name)}`,
            name,
            host === input.host,
          ])}
        />
        <p class="soft small">{t.providersText}</p>
      </div>
      <ErrorMessage error={error} />
      <form method="post" action="/dashboard/mail/server" class="card narrow">
        <LineInput name="host" label={t.host} value={input.host} hint={t.hostHint} required spellcheck={false} />
        <LineInput
          name="port"
          label={t.port}
          value={String(input.port)}
          hint={t.portHint}
          required
          inputmode="numeric"
        />
        <SelectInput
          name="security"
          label={t.security}
          value={input.security}
          options={SECURITIES.map((one) => [one, t.securities[one]] as const)}
        />
        <LineInput name="user" label={t.user} value={input.user} hint={t.userHint} spellcheck={false} />
        <LineInput
          type="password"
          name="password"
          label={t.password}
          value=""
          hint={hasPassword ? t.keepPassword : undefined}
          autocomplete="new-password"
        />
        <LineInput
          name="sender"
          label={t.sender}
          value={input.sender}
          hint={t.senderHint}
          required
          spellcheck={false}
        />
        {needsPassword && (
          <LineInput
            type="password"
            name="current_password"
            label={t.ownPassword(email)}
            value=""
            required
            autocomplete="current-password"
          />
        )}
        <div class="row">
          <button>{t.save}</button>
          <LinkButton href="/dashboard/mail" text={viewer.texts.common.cancel} />
        </div>
      </form>
    </>
  );
}
