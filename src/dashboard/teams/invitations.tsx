/** @jsxRuntime automatic @jsxImportSource hono/jsx */

import type { Context } from '../../context/context.ts';
import { AppError } from '../../domain/errors.ts';
import { ROLES, type Role } from '../../domain/teams/roles.ts';
import type { Invitation } from '../../domain/users/user.ts';
import { HOUR } from '../../lib/clock.ts';
import { SlidingWindow } from '../../lib/sliding-window.ts';
import { sendLink } from '../../services/mail/link-mail.ts';
import { createInvitation, parseAccountEmail } from '../../services/users/accounts.ts';
import { type Page, type PageContext, redirectTo } from '../page.ts';
import { Card, CopyField, ErrorMessage, PostButton } from '../ui/elements.tsx';
import { LineInput } from '../ui/form-inputs.tsx';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import { roleIn } from './member-actions.tsx';
import type { ShowTeam } from './team-view.tsx';

/** An invitation that was just created. Its link is not stored. */
export type NewInvitation = Readonly<{ url: string; role: Role; email: string | null; isMailed: boolean }>;

type NewProps = Readonly<{ viewer: Viewer; teamName: string; created: NewInvitation; isMailing: boolean }>;

/** Shows the link of a new invitation. */
export function NewInvitationCard({ viewer, teamName, created, isMailing }: NewProps) {
  const { team: t, roles } = viewer.texts;
  const { url, role, email, isMailed } = created;
  return (
    <Card id="made" title={t.made}>
      <p>{t.madeText(teamName, roles[role])}</p>
      {email !== null && isMailing && (
        <p class={isMailed ? 'done' : 'error'} role="status">
          {isMailed ? t.mailed(email) : t.notMailed(email)}
        </p>
      )}
      <p>{t.copyNow}</p>
      <CopyField viewer={viewer} id="link" label={t.link} value={url} />
    </Card>
  );
}

/** An open invitation, with a button that revokes it. */
export function InvitationRow({ viewer, invitation }: Readonly<{ viewer: Viewer; invitation: Invitation }>) {
  const { team: t, roles } = viewer.texts;
  const { id, email, role, expiresAt } = invitation;
  const invited = email ?? t.anyone;
  return (
    <li class="entry">
      <div class="grow">
        <strong>
          <bdi>{invited}</bdi>
        </strong>
        <div class="soft small">
          {roles[role]} · {t.until} <Time viewer={viewer} at={expiresAt} />
        </div>
      </div>
      <PostButton
        action={`/dashboard/team/invitations/${id}/revoke`}
        text={t.revoke}
        style="small"
        label={t.revokeOf(invited)}
      />
    </li>
  );
}

/** Input of the form that creates an invitation. */
export type InviteInput = Readonly<{ role: Role; email: string }>;

type FormProps = Readonly<{
  viewer: Viewer;
  isMailing: boolean;
  error: string | undefined;
  input: InviteInput | undefined;
}>;

/** Creates an invitation. */
export function InviteForm({ viewer, isMailing, error, input }: FormProps) {
  const { team: t, roles } = viewer.texts;
  return (
    <form method="post" action="/dashboard/team/invitations" class="card">
      <ErrorMessage error={error} />
      <LineInput
        type="email"
        name="email"
        label={t.email}
        value={input?.email ?? ''}
        hint={isMailing ? t.emailMailed : t.emailNotMailed}
        aria-invalid={error ? 'true' : undefined}
      />
      <div class="field">
        <label for="role">{t.role}</label>
        <select id="role" name="role" autocomplete="off">
          {ROLES.map((role) => (
            <option value={role} selected={role === (input?.role ?? 'viewer')}>
              {roles[role]}
            </option>
          ))}
        </select>
      </div>
      <button>{t.create}</button>
    </form>
  );
}

/** Limit of mails per user. It keeps an instance from sending mails to many strangers. */
const MAILS_PER_HOUR = 30;

/** Returns the handlers that create and revoke invitations. `isMailing` tells if they are sent by mail. */
export function invitationActions(context: Context, isMailing: boolean, showTeam: ShowTeam) {
  const { store, clock, monotonic, log, mail, config } = context;
  const mailed = new SlidingWindow(MAILS_PER_HOUR, HOUR);

  const invite = async (page: PageContext<'manage'>, form: URLSearchParams): Promise<Page> => {
    const { viewer, team, user, request } = page;
    const { account, team: t } = viewer.texts;
    const input = { role: roleIn(form) ?? 'viewer', email: form.get('email') ?? '' };
    const { role } = input;
    const email = parseAccountEmail(input.email);
    if (email === null && input.email.trim() !== '') {
      return showTeam(page, { input, inviteError: account.noEmail, status: 400 });
    }
    if (isMailing && email !== null && !mailed.take(user.id, monotonic()).allowed) {
      return showTeam(page, { input, inviteError: t.tooMany, status: 429 });
    }
    const { token } = await createInvitation({ store, clock }, { teamId: team.id, role, email, createdBy: user.id });
    page.note({ role });
    const url = `${config.baseUrl ?? new URL(request.url).origin}/dashboard/welcome/${token}`;
    const isMailed = email !== null && (await mailInvitation(page, { url, role, email }));
    return showTeam(page, { created: { url, role, email, isMailed } });
  };

  /** Returns true if the mail server accepted the mail. */
  const mailInvitation = async ({ viewer, team, user }: PageContext<'manage'>, made: Addressed): Promise<boolean> => {
    if (!mail || !isMailing) return false;
    const { team: t, roles } = viewer.texts;
    const { outcome } = await sendLink(mail, clock, {
      to: made.email,
      language: viewer.language,
      url: made.url,
      subject: t.mail.subject(team.name),
      before: t.mail.before(team.name, roles[made.role], user.email),
      button: t.mail.button,
      after: t.mail.after,
    });
    if (outcome !== 'sent') log.error('an invitation was not mailed', { outcome });
    return outcome === 'sent';
  };

  const revoke = async ({ team, param }: PageContext<'manage'>): Promise<Response> => {
    if (await store.members.revokeInvitation(team.id, param('invitationId')))
      return redirectTo('/dashboard/team?done=revoked');
    throw new AppError('not_found', 'This team has no such invitation.');
  };

  return { invite, revoke };
}

type Addressed = Readonly<{ url: string; role: Role; email: string }>;
