/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Role } from '../../../domain/teams/roles.ts';
import type { Team } from '../../../domain/teams/team.ts';
import type { AccountError } from '../../../services/users/accounts.ts';
import { ErrorMessage, LinkLine } from '../../ui/elements.tsx';
import { NewPasswordField } from '../../ui/password-field.tsx';
import { TimeZoneField } from '../../ui/time-zone-field.tsx';
import type { Viewer } from '../../viewer.ts';
import { EmailField } from './components.tsx';
import { signInPath, welcomePath } from './paths.ts';

/** A valid link into a team. `email` is the invited address, or empty. */
export type Invitation = Readonly<{ token: string; team: Team; role: Role; email: string }>;

type Props = Readonly<{ viewer: Viewer; invitation: Invitation; email: string; error?: AccountError }>;

/** Creates an account in the team of a link. */
export function WelcomeView({ viewer, invitation: { token, team, role }, email, error }: Props) {
  const { welcome: t, account, password, roles } = viewer.texts;
  const messages = { email: account.noEmail, taken: t.taken, ...password.errors };
  const isEmailError = error === 'email' || error === 'taken';
  return (
    <>
      <h1>{t.title}</h1>
      <p>{t.into(team.name, roles[role])}</p>
      <p class="soft">{t.text}</p>
      <ErrorMessage error={error && messages[error]} />
      <form method="post" class="card">
        <EmailField viewer={viewer} value={email} isInvalid={isEmailError} />
        <NewPasswordField viewer={viewer} isWrong={error !== undefined && !isEmailError} />
        <TimeZoneField />
        <button>{t.submit}</button>
      </form>
      <LinkLine href={signInPath(welcomePath(token))} text={t.hasAccount} />
    </>
  );
}

/** Adds the current user to the team of a link. Shows the role if the user is a member already. */
export function JoinView({ viewer, invitation: { team, role }, email }: Omit<Props, 'error'>) {
  const { welcome: t, roles, failure } = viewer.texts;
  const membership = viewer.memberships.find((membership) => membership.team.id === team.id);
  if (membership) {
    return (
      <>
        <h1>{team.name}</h1>
        <p>{t.isMember(team.name, roles[membership.role])}</p>
        <LinkLine href="/dashboard" text={failure.back} />
      </>
    );
  }
  return (
    <>
      <h1>{t.joinTitle(team.name, roles[role])}</h1>
      <p class="soft">{t.joinText(email)}</p>
      <form method="post">
        <input type="hidden" name="join" value="yes" />
        <button>{t.join}</button>
      </form>
    </>
  );
}

/** Explains how to get a new link after one was used or expired. */
export function InvalidLinkView({ viewer }: Readonly<{ viewer: Viewer }>) {
  const { welcome: t, signIn } = viewer.texts;
  return (
    <>
      <h1>{t.usedUp}</h1>
      <p>{t.usedUpInvited}</p>
      <p>{t.usedUpText}</p>
      <div class="stack">
        <pre>formstead user create</pre>
        <LinkLine href="/dashboard/sign-in" text={signIn.title} />
      </div>
    </>
  );
}
