/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Session, User } from '../../../domain/users/user.ts';
import { KEYS_TEXTS } from '../../keys/texts.ts';
import { ErrorMessage, LinkButton, Part, StateBadge } from '../../ui/elements.tsx';
import { LineInput, SelectInput } from '../../ui/form-inputs.tsx';
import { CurrentPasswordField, NewPasswordField, UsernameHint } from '../../ui/password-field.tsx';
import { CATALOG } from '../../ui/texts.ts';
import { TimeZoneInput } from '../../ui/time-zone-field.tsx';
import type { Viewer } from '../../viewer.ts';
import { PASSKEY_TEXTS } from '../passkeys/texts.ts';
import { IdentityPart, type LinkedIdentities } from './identities.tsx';
import { SessionList } from './sessions.tsx';
import { ACCOUNT_TEXTS, SECOND_FACTOR_TEXTS } from './texts.ts';

const PATH = '/dashboard/account';

/** The error of a password change, and its field: the current or the new password. */
export type ChangeError = Readonly<{ field: 'password' | 'new'; error: string }>;

type Props = Readonly<{
  viewer: Viewer;
  user: User;
  /** The current session. */
  session: Session;
  sessions: readonly Session[];
  hasSecondFactor: boolean;
  identities: LinkedIdentities;
  /** The name of the OIDC provider; null for none. */
  provider: string | null;
  /** False if the settings turn passwords off. */
  hasPasswords: boolean;
  /** Their count. */
  passkeys: number;
  failed: ChangeError | null;
}>;

/** The account of the user: profile, address, password, second factor, sessions, and a link to the team's API keys. */
export function AccountView(props: Props) {
  const { viewer, user, session, sessions: all, hasSecondFactor, passkeys, failed } = props;
  const t = ACCOUNT_TEXTS[viewer.language];
  const keys = KEYS_TEXTS[viewer.language];
  const secondFactor = SECOND_FACTOR_TEXTS[viewer.language];
  const passkey = PASSKEY_TEXTS[viewer.language];
  const { sections } = viewer.texts;
  const { membership } = viewer;
  const setPassword = viewer.hasPassword ? t.changePassword : passkey.setPassword;
  return (
    <>
      <h1>{t.title}</h1>
      <Part id="preferences" title={t.preferences} text={t.preferencesText}>
        <Preferences {...props} />
      </Part>
      <Part id="address" title={t.email} text={t.emailText}>
        <div class="card row">
          <span class="grow">{user.email}</span>
          <LinkButton href={`${PATH}/email`} text={t.changeEmail} />
        </div>
      </Part>
      {props.hasPasswords && (
        <>
          <Part id="change" title={setPassword} text={t.changeEnds}>
            <form method="post" action={`${PATH}/password`} class="card">
              <ErrorMessage error={failed?.error} />
              <UsernameHint email={user.email} />
              <CurrentPasswordField viewer={viewer} isWrong={failed?.field === 'password'} />
              <NewPasswordField viewer={viewer} isWrong={failed?.field === 'new'} />
              <div class="row">
                <button>{setPassword}</button>
                {viewer.hasPassword && viewer.hasPasskey && (
                  <LinkButton href={`${PATH}/password/remove`} text={passkey.removePassword} />
                )}
              </div>
            </form>
          </Part>
          <Part id="passkeys" title={passkey.title} text={passkey.about}>
            <div class="card row">
              <span class="grow">{passkey.count(passkeys)}</span>
              <LinkButton href={`${PATH}/passkeys`} text={passkey.manage} />
            </div>
          </Part>
        </>
      )}
      {props.provider !== null && (
        <IdentityPart viewer={viewer} provider={props.provider} identities={props.identities} />
      )}
      <Part id="second-factor" title={secondFactor.title} text={secondFactor.about}>
        <div class="card row">
          <span class="grow">
            <StateBadge isGood={hasSecondFactor} text={hasSecondFactor ? secondFactor.isOn : secondFactor.isOff} />
          </span>
          <LinkButton
            href={`${PATH}/second-factor`}
            text={hasSecondFactor ? secondFactor.manage : secondFactor.setUp}
          />
        </div>
      </Part>
      <Part id="sessions" title={t.sessions}>
        <SessionList viewer={viewer} sessions={all} current={session} />
      </Part>
      {membership && viewer.can('manage') && (
        <Part id="api-keys" title={sections.keys} text={keys.intro}>
          <div class="card row">
            <span class="grow">{membership.team.name}</span>
            <LinkButton href="/dashboard/keys" text={sections.keys} />
          </div>
        </Part>
      )}
      <Part id="delete" title={t.delete.link} text={t.delete.short}>
        <div class="card danger-zone">
          <LinkButton href={`${PATH}/delete`} text={t.delete.link} />
        </div>
      </Part>
    </>
  );
}

function Preferences({ viewer, user }: Props) {
  const t = ACCOUNT_TEXTS[viewer.language];
  const { common } = viewer.texts;
  return (
    <form method="post" action={`${PATH}/preferences`} class="card">
      <LineInput
        name="name"
        label={t.name}
        value={user.name ?? ''}
        hint={t.nameHint}
        maxlength={100}
        autocomplete="name"
      />
      <SelectInput
        name="language"
        label={t.language}
        value={user.language ?? ''}
        options={[['', t.asBrowser], ...CATALOG.languages.map((code) => [code, CATALOG.textsIn(code).name] as const)]}
      />
      <TimeZoneInput name="time_zone" label={t.timeZone} value={viewer.timeZone} />
      <button>{common.save}</button>
    </form>
  );
}
