/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { ROLES } from '../../domain/roles.ts';
import type { Invitation, Member } from '../../domain/user.ts';
import { ErrorMessage } from '../ui/error-message.tsx';
import type { Viewer } from '../viewer.ts';
import { InvitationList, InviteForm, type InviteInput, type NewInvitation, NewInvitationCard } from './invitations.tsx';
import { MemberList } from './members.tsx';

/** Shown on the page after an action. */
export type Outcome = Readonly<{
  /** Error of a change of the members. */
  error?: string;
  created?: NewInvitation;
  inviteError?: string;
  input?: InviteInput;
}>;

type Props = Outcome &
  Readonly<{
    viewer: Viewer;
    userId: string;
    teamName: string;
    members: readonly Member[];
    invitations: readonly Invitation[];
    /** Invitations with an address are sent by mail. */
    isMailing: boolean;
  }>;

/** The members of a team and its open invitations. */
export function TeamView({ viewer, userId, teamName, members, invitations, isMailing, ...outcome }: Props) {
  const { team: t, sections } = viewer.texts;
  const { error, created, inviteError, input } = outcome;
  return (
    <>
      <h1>{sections.team}</h1>
      <p class="soft">{t.intro(teamName)}</p>
      {viewer.can('manage') && <TeamLinks viewer={viewer} />}
      <ErrorMessage error={error} />
      {created && <NewInvitationCard viewer={viewer} teamName={teamName} created={created} isMailing={isMailing} />}
      <section class="card stack" aria-labelledby="members">
        <h2 id="members">{t.members}</h2>
        <MemberList viewer={viewer} userId={userId} members={members} />
        <RoleHelp viewer={viewer} />
        <p>
          <a class="button quiet" href="/dashboard/team/leave">
            {t.leave}
          </a>
        </p>
      </section>
      {invitations.length > 0 && <InvitationList viewer={viewer} invitations={invitations} />}
      {viewer.can('manage') && <InviteForm viewer={viewer} isMailing={isMailing} error={inviteError} input={input} />}
    </>
  );
}

/** Links to pages about the team as a whole. */
function TeamLinks({ viewer: { texts } }: Pick<Props, 'viewer'>) {
  const links = [
    ['/dashboard/audit', texts.audit.title],
    ['/dashboard/erase', texts.erase.title],
    ['/dashboard/team/second-factor', texts.secondFactor.team.link],
  ] as const;
  return (
    <p class="row">
      {links.map(([path, text]) => (
        <a href={path}>{text}</a>
      ))}
    </p>
  );
}

function RoleHelp({ viewer: { texts } }: Pick<Props, 'viewer'>) {
  return (
    <ul class="small soft">
      {ROLES.map((role) => (
        <li>
          {texts.roles[role]}: {texts.team.about[role]}
        </li>
      ))}
    </ul>
  );
}
