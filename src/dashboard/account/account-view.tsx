/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Session, User } from '../../domain/user.ts';
import { CATALOG } from '../i18n/index.ts';
import { ErrorMessage } from '../ui/error-message.tsx';
import { SelectInput } from '../ui/form-inputs.tsx';
import { CurrentPasswordField, NewPasswordField, UsernameHint } from '../ui/password-field.tsx';
import { StateBadge } from '../ui/state-badge.tsx';
import type { Viewer } from '../viewer.ts';
import { AccountHead } from './components.tsx';
import { SessionsCard } from './sessions-view.tsx';

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
  failed: ChangeError | null;
}>;

/** The account of the user: preferences, password, second factor and sessions. */
export function AccountView(props: Props) {
  const { viewer, user, session, sessions, hasSecondFactor } = props;
  const { account: t } = viewer.texts;
  return (
    <>
      <AccountHead title={t.title} email={user.email} />
      <Preferences {...props} />
      <ChangePassword {...props} />
      <SecondFactorCard viewer={viewer} isOn={hasSecondFactor} />
      <SessionsCard viewer={viewer} sessions={sessions} current={session} />
      <p>
        <a class="button quiet" href={`${PATH}/delete`}>
          {t.delete.link}
        </a>
      </p>
    </>
  );
}

function Preferences({ viewer, user }: Props) {
  const { account: t, common } = viewer.texts;
  return (
    <section class="card" aria-labelledby="preferences">
      <h2 id="preferences">{t.preferences}</h2>
      <form method="post" action={`${PATH}/preferences`}>
        <SelectInput
          name="language"
          label={t.language}
          value={user.language ?? ''}
          options={[['', t.asBrowser], ...CATALOG.languages.map((one) => [one, CATALOG.textsIn(one).name] as const)]}
        />
        <SelectInput
          name="time_zone"
          label={t.timeZone}
          value={viewer.timeZone}
          options={timeZonesWith(viewer.timeZone).map((zone) => [zone, zone.replaceAll('_', ' ')])}
        />
        <button>{common.save}</button>
      </form>
    </section>
  );
}

/** Returns all time zones and the current one, which may be an alias. */
function timeZonesWith(current: string): readonly string[] {
  return [...new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')])];
}

function ChangePassword({ viewer, user, failed }: Props) {
  const { account: t } = viewer.texts;
  return (
    <section class="card" aria-labelledby="change">
      <h2 id="change">{t.changePassword}</h2>
      <ErrorMessage error={failed?.error} />
      <form method="post" action={`${PATH}/password`}>
        <UsernameHint email={user.email} />
        <CurrentPasswordField viewer={viewer} label={t.presentPassword} isWrong={failed?.field === 'password'} />
        <NewPasswordField viewer={viewer} isWrong={failed?.field === 'new'} />
        <p class="small soft">{t.changeEnds}</p>
        <button>{t.changePassword}</button>
      </form>
    </section>
  );
}

function SecondFactorCard({ viewer, isOn }: Readonly<{ viewer: Viewer; isOn: boolean }>) {
  const { secondFactor: t } = viewer.texts;
  return (
    <section class="card" aria-labelledby="second-factor">
      <h2 id="second-factor">
        {t.title} <StateBadge isGood={isOn} text={isOn ? t.isOn : t.isOff} />
      </h2>
      <p>{t.about}</p>
      <a class="button quiet" href={`${PATH}/second-factor`}>
        {isOn ? t.manage : t.setUp}
      </a>
    </section>
  );
}
