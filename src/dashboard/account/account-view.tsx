/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Session, User } from '../../domain/user.ts';
import { CATALOG } from '../i18n/index.ts';
import { ErrorMessage } from '../ui/error-message.tsx';
import { CurrentPasswordField, NewPasswordField } from '../ui/password-field.tsx';
import { StateBadge } from '../ui/state-badge.tsx';
import type { Viewer } from '../viewer.ts';
import { AccountHead, UsernameHint } from './components.tsx';
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
        <div class="field">
          <label for="language">{t.language}</label>
          <select id="language" name="language">
            <option value="">{t.asBrowser}</option>
            {CATALOG.languages.map((language) => (
              <option value={language} selected={language === user.language}>
                {CATALOG.textsIn(language).name}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="time_zone">{t.timeZone}</label>
          <select id="time_zone" name="time_zone">
            {timeZonesWith(viewer.timeZone).map((zone) => (
              <option value={zone} selected={zone === viewer.timeZone}>
                {zone.replaceAll('_', ' ')}
              </option>
            ))}
          </select>
        </div>
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
