/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { hasPermission, type Reach, ROLES } from '../../domain/teams/roles.ts';
import type { Workspace } from '../../domain/teams/team.ts';
import type { Member } from '../../domain/users/user.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Choice } from '../ui/form-inputs.tsx';
import { Icon } from '../ui/icon.tsx';
import { Day } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import { TEAM_TEXTS } from './texts.ts';

type MemberProps = Readonly<{ viewer: Viewer; member: Member; workspaces: readonly Workspace[] }>;

/** A member of the team. `isSelf` marks the viewer. */
export function MemberRow({ viewer, member, workspaces, isSelf }: MemberProps & Readonly<{ isSelf: boolean }>) {
  const t = TEAM_TEXTS[viewer.language];
  const { roles } = viewer.texts;
  const { email, name, role, since, workspaceIds } = member;
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
          {viewer.can('manage') && <Seen viewer={viewer} workspaceIds={workspaceIds} workspaces={workspaces} />}
        </div>
      </div>
      {viewer.can('manage') ? (
        <MemberMenu viewer={viewer} member={member} workspaces={workspaces} isSelf={isSelf} />
      ) : (
        <span class="soft">{roles[role]}</span>
      )}
    </li>
  );
}

type SeenProps = Readonly<{ viewer: Viewer; workspaceIds: Reach; workspaces: readonly Workspace[] }>;

/** The workspaces that a limited member or guest sees; nothing for all. */
export function Seen({ viewer, workspaceIds, workspaces }: SeenProps) {
  if (workspaceIds === null) return null;
  const t = TEAM_TEXTS[viewer.language];
  const names = workspaces.filter(({ id }) => workspaceIds.includes(id)).map(({ name }) => name);
  return (
    <>
      {' · '}
      {t.sees} <bdi>{names.join(', ') || t.nothing}</bdi>
    </>
  );
}

/** Checkboxes for the workspaces that a member sees. */
export function WorkspaceChoices({ viewer, workspaceIds, workspaces }: SeenProps) {
  const t = TEAM_TEXTS[viewer.language];
  return (
    <fieldset>
      <legend class="visually-hidden">{t.onlyWorkspaces}</legend>
      {workspaces.map(({ id, name }) => (
        <Choice name="workspace" value={id} checked={workspaceIds?.includes(id) ?? false} text={<bdi>{name}</bdi>} />
      ))}
    </fieldset>
  );
}

/** The role of a member and the workspaces they see; the menu changes both, or removes the member. */
function MemberMenu({ viewer, member, workspaces, isSelf }: MemberProps & Readonly<{ isSelf: boolean }>) {
  const { userId, email, role, workspaceIds } = member;
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
        {!hasPermission(role, 'manage') && (
          <form method="post" action={path}>
            <hr />
            <input type="hidden" name="role" value={role} />
            <WorkspaceChoices viewer={viewer} workspaceIds={workspaceIds} workspaces={workspaces} />
            <button name="workspaces" value="some">
              {t.saveWorkspaces}
            </button>
            {workspaceIds && (
              <button name="workspaces" value="all">
                {t.allWorkspaces}
              </button>
            )}
          </form>
        )}
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
