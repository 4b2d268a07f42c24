/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { ROLES } from '../../domain/teams/roles.ts';
import type { Member } from '../../domain/users/user.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Icon } from '../ui/icon.tsx';
import { Day } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import { TEAM_TEXTS } from './texts.ts';

type MemberProps = Readonly<{ viewer: Viewer; member: Member }>;

/** A member of the team. `isSelf` marks the viewer. */
export function MemberRow({ viewer, member, isSelf }: MemberProps & Readonly<{ isSelf: boolean }>) {
  const t = TEAM_TEXTS[viewer.language];
  const { roles } = viewer.texts;
  const { email, name, role, since } = member;
  return (
    <li class="entry">
      <Avatar name={name ?? email} of={email} />
      <div class="grow">
        <strong>
          <bdi>{name ?? email}</bdi>
        </strong>{' '}
        {isSelf && <span class="badge good">{t.you}</span>}
        <div class="soft small">
          {name !== null && <bdi>{email}</bdi>}
          {name !== null && ' · '}
          {t.since} <Day viewer={viewer} at={since} />
        </div>
      </div>
      {viewer.can('manage') ? (
        <MemberMenu viewer={viewer} member={member} isSelf={isSelf} />
      ) : (
        <span class="soft">{roles[role]}</span>
      )}
    </li>
  );
}

/** The role of a member; the menu changes it, or removes the member. */
function MemberMenu({ viewer, member: { userId, email, role }, isSelf }: MemberProps & Readonly<{ isSelf: boolean }>) {
  const t = TEAM_TEXTS[viewer.language];
  const { roles } = viewer.texts;
  const path = `/dashboard/team/members/${userId}`;
  return (
    <details class="menu end small" name="member">
      <summary aria-label={t.roleOf(email, roles[role])}>
        {roles[role]} <Icon name="down" />
      </summary>
      <div>
        <form method="post" action={path}>
          {ROLES.map((option) => (
            <button name="role" value={option} aria-pressed={option === role ? 'true' : 'false'}>
              <span class="grow">
                {roles[option]}
                <span class="hint">{t.about[option]}</span>
              </span>
              {option === role && <Icon name="check" />}
            </button>
          ))}
        </form>
        {!isSelf && (
          <>
            <hr />
            <a class="danger" href={`${path}/remove`} aria-label={t.removeTitle(email)}>
              <Icon name="trash" /> {t.remove}
            </a>
          </>
        )}
      </div>
    </details>
  );
}
