/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { type Reach, ROLES, type Role } from '../../domain/teams/roles.ts';
import type { Workspace } from '../../domain/teams/team.ts';
import type { Invitation } from '../../domain/users/user.ts';
import { Card, CopyField, ErrorMessage, PostButton } from '../ui/elements.tsx';
import { Choice, LineInput, SelectInput } from '../ui/form-inputs.tsx';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import { Seen, WorkspaceChoices } from './member-views.tsx';
import { TEAM_TEXTS } from './texts.ts';

/** An invitation that was just created. Its link is not stored. */
export type NewInvitation = Readonly<{
  url: string;
  role: Role;
  workspaceIds: Reach;
  email: string | null;
  isMailed: boolean;
}>;

type NewProps = Readonly<{
  viewer: Viewer;
  teamName: string;
  created: NewInvitation;
  workspaces: readonly Workspace[];
  isMailing: boolean;
}>;

/** Shows the link of a new invitation. */
export function NewInvitationCard({ viewer, teamName, created, workspaces, isMailing }: NewProps) {
  const t = TEAM_TEXTS[viewer.language];
  const { url, role, email, isMailed } = created;
  return (
    <Card id="made" title={t.made}>
      <p>
        {t.madeText(teamName, viewer.texts.roles[role])}
        <Seen viewer={viewer} workspaceIds={created.workspaceIds} workspaces={workspaces} />
      </p>
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

type RowProps = Pick<NewProps, 'viewer' | 'workspaces'> & Readonly<{ invitation: Invitation }>;

/** An open invitation, with a button that revokes it. */
export function InvitationRow({ viewer, invitation, workspaces }: RowProps) {
  const t = TEAM_TEXTS[viewer.language];
  const { id, email, role, expiresAt } = invitation;
  const invited = email ?? t.anyone;
  return (
    <li class="entry">
      <div class="grow">
        <strong>
          <bdi>{invited}</bdi>
        </strong>
        <div class="soft small">
          {viewer.texts.roles[role]} · {t.until} <Time viewer={viewer} at={expiresAt} />
          <Seen viewer={viewer} workspaceIds={invitation.workspaceIds} workspaces={workspaces} />
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
export type InviteInput = Readonly<{ role: Role; workspaceIds: Reach; email: string }>;

type FormProps = Readonly<{
  viewer: Viewer;
  workspaces: readonly Workspace[];
  isMailing: boolean;
  error: string | undefined;
  input: InviteInput | undefined;
}>;

/** Creates an invitation. */
export function InviteForm({ viewer, workspaces, isMailing, error, input }: FormProps) {
  const t = TEAM_TEXTS[viewer.language];
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
      <SelectInput
        name="role"
        label={t.role}
        value={input?.role ?? 'viewer'}
        options={ROLES.map((role) => [role, `${viewer.texts.roles[role]}: ${t.about[role]}`])}
      />
      <fieldset class="form-choice">
        <legend>{t.workspaces}</legend>
        <Choice type="radio" name="workspaces" value="all" checked={!input?.workspaceIds} text={t.every} />
        <Choice type="radio" name="workspaces" value="some" checked={!!input?.workspaceIds} text={t.onlyWorkspaces} />
        <div class="chosen-forms">
          <WorkspaceChoices viewer={viewer} workspaceIds={input?.workspaceIds ?? null} workspaces={workspaces} />
        </div>
      </fieldset>
      <button>{t.create}</button>
    </form>
  );
}
