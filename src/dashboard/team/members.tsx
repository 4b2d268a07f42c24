/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { ROLES, type Role } from '../../domain/roles.ts';
import type { Member } from '../../domain/user.ts';
import { Day } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';

type ListProps = Readonly<{ viewer: Viewer; userId: string; members: readonly Member[] }>;

/** The members of a team. `userId` is the viewer's. */
export function MemberList({ viewer, userId, members }: ListProps) {
  return (
    <ul class="list">
      {members.map((member) => (
        <MemberRow viewer={viewer} member={member} isSelf={member.userId === userId} />
      ))}
    </ul>
  );
}

type MemberProps = Readonly<{ viewer: Viewer; member: Member }>;

function MemberRow({ viewer, member, isSelf }: MemberProps & Readonly<{ isSelf: boolean }>) {
  const { team: t, roles } = viewer.texts;
  const { email, role, since } = member;
  return (
    <li class="row">
      <div class="grow">
        <strong>
          <bdi>{email}</bdi>
        </strong>
        {isSelf && (
          <>
            {' '}
            <span class="badge good">{t.you}</span>
          </>
        )}
        <div class="soft small">
          {t.since} <Day viewer={viewer} at={since} />
        </div>
      </div>
      {viewer.can('manage') ? <RoleForm viewer={viewer} member={member} /> : <span>{roles[role]}</span>}
      {!isSelf && viewer.can('manage') && (
        <a
          class="button quiet"
          href={`/dashboard/team/members/${member.userId}/remove`}
          aria-label={t.removeTitle(email)}
        >
          {t.remove}
        </a>
      )}
    </li>
  );
}

function RoleForm({ viewer, member: { userId, email, role } }: MemberProps) {
  const { team: t, common } = viewer.texts;
  return (
    <form method="post" action={`/dashboard/team/members/${userId}`} class="row">
      <select name="role" aria-label={t.roleOf(email)} autocomplete="off">
        <RoleOptions viewer={viewer} chosen={role} />
      </select>
      <button class="quiet" aria-label={t.saveRoleOf(email)}>
        {common.save}
      </button>
    </form>
  );
}

/** The options of a choice of role. */
export function RoleOptions({ viewer, chosen }: Readonly<{ viewer: Viewer; chosen: Role }>) {
  return (
    <>
      {ROLES.map((role) => (
        <option value={role} selected={role === chosen}>
          {viewer.texts.roles[role]}
        </option>
      ))}
    </>
  );
}

/** Asks before the viewer leaves the team. */
export function LeaveView({ viewer, teamName }: Readonly<{ viewer: Viewer; teamName: string }>) {
  const { team: t, common } = viewer.texts;
  return (
    <>
      <h1>{t.leaveTitle(teamName)}</h1>
      <p>{t.leaveText}</p>
      <form method="post" action="/dashboard/team/leave" class="row">
        <button class="danger">{t.leave}</button>
        <a class="button quiet" href="/dashboard/team">
          {common.cancel}
        </a>
      </form>
    </>
  );
}
