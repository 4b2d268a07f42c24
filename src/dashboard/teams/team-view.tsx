/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Team, Workspace } from '../../domain/teams/team.ts';
import type { Invitation, Member } from '../../domain/users/user.ts';
import type { Page, PageContext } from '../page.ts';
import { ErrorMessage, LinkButton, Part } from '../ui/elements.tsx';
import { EntryList } from '../ui/entry-list.tsx';
import { LineInput } from '../ui/form-inputs.tsx';
import { SECOND_FACTOR_TEXTS } from '../users/account/texts.ts';
import type { Viewer } from '../viewer.ts';
import {
  InvitationRow,
  InviteForm,
  type InviteInput,
  type NewInvitation,
  NewInvitationCard,
} from './invitation-views.tsx';
import { MemberRow } from './member-views.tsx';
import { TEAM_TEXTS } from './texts.ts';

/** Shown on the page after an action. */
type Outcome = Readonly<{
  /** Error of a change of the members. */
  error?: string;
  nameError?: string;
  created?: NewInvitation;
  inviteError?: string;
  input?: InviteInput;
}>;

/** Renders the page of the team, after an action with its outcome and the status of the response. */
export type ShowTeam = (page: PageContext<'read'>, outcome?: Outcome & Readonly<{ status?: number }>) => Promise<Page>;

type Props = Outcome &
  Readonly<{
    viewer: Viewer;
    userId: string;
    team: Team;
    workspaces: readonly Workspace[];
    members: readonly Member[];
    invitations: readonly Invitation[];
    /** Invitations with an address are sent by mail. */
    isMailing: boolean;
  }>;

/** The members of a team, its open invitations and its settings. */
export function TeamView({ viewer, userId, team, workspaces, members, invitations, isMailing, ...outcome }: Props) {
  const t = TEAM_TEXTS[viewer.language];
  const { sections, common } = viewer.texts;
  const { error, nameError, created, inviteError, input } = outcome;
  const isOwner = viewer.can('manage');
  return (
    <>
      <div class="head">
        <div>
          <h1>{sections.team}</h1>
          <p class="soft flush">{t.intro(team.name)}</p>
        </div>
        {isOwner && (
          <div class="row">
            <LinkButton href="/dashboard/team/second-factor" text={SECOND_FACTOR_TEXTS[viewer.language].team.link} />
            <LinkButton href="/dashboard/team/new" text={t.createTeam} />
          </div>
        )}
      </div>
      <ErrorMessage error={error} />
      {created && <NewInvitationCard {...{ viewer, teamName: team.name, created, workspaces, isMailing }} />}
      <Part id="members" title={t.members} text={isOwner ? undefined : t.askOwner}>
        <EntryList items={members}>
          {(member) => (
            <MemberRow viewer={viewer} member={member} workspaces={workspaces} isSelf={member.userId === userId} />
          )}
        </EntryList>
      </Part>
      {invitations.length > 0 && (
        <Part id="invitations" title={t.invitations}>
          <EntryList items={invitations}>
            {(invitation) => <InvitationRow viewer={viewer} invitation={invitation} workspaces={workspaces} />}
          </EntryList>
        </Part>
      )}
      {isOwner && (
        <Part id="invite" title={t.invite} text={t.inviteText}>
          <InviteForm {...{ viewer, workspaces, isMailing, input }} error={inviteError} />
        </Part>
      )}
      {isOwner && (
        <Part id="name" title={t.name}>
          <form method="post" action="/dashboard/team/name" class="card">
            <LineInput name="name" label={t.name} value={team.name} error={nameError} required maxlength={200} />
            <button>{common.save}</button>
          </form>
        </Part>
      )}
      <Part id="leave" title={t.leave} text={t.leaveShort}>
        <div class="card danger-zone">
          <LinkButton href="/dashboard/team/leave" text={t.leave} />
        </div>
      </Part>
    </>
  );
}
