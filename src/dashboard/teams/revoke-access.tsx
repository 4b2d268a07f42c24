/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { getKind } from '../../delivery/targets/index.ts';
import type { Reach, Role } from '../../domain/teams/roles.ts';
import type { Member } from '../../domain/users/user.ts';
import type { MemberAccess } from '../../services/teams/teams.ts';
import { KEYS_TEXTS } from '../keys/texts.ts';
import { Card, SubmitRow } from '../ui/elements.tsx';
import { Choice } from '../ui/form-inputs.tsx';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import { TEAM_TEXTS } from './texts.ts';

/** A member's access with the labels of webhooks. */
export type ShownAccess = Omit<MemberAccess, 'webhooks'> &
  Readonly<{ webhooks: ReadonlyArray<MemberAccess['webhooks'][number] & Readonly<{ label: string }>> }>;

type Props = Readonly<{ viewer: Viewer; member: Member; access: ShownAccess }>;

/** Asks before a member is removed. */
export function RemoveView({ viewer, member, access }: Props) {
  const t = TEAM_TEXTS[viewer.language];
  const { userId, email } = member;
  return (
    <>
      <h1>{t.removeTitle(email)}</h1>
      <p>{t.removeText}</p>
      <form method="post" action={`/dashboard/team/members/${userId}/remove`}>
        <AccessMade viewer={viewer} access={access} />
        <SubmitRow viewer={viewer} text={t.remove} cancel="/dashboard/team" isDanger />
      </form>
    </>
  );
}

type DemoteProps = Props & Readonly<{ role: Role; workspaceIds: Reach | undefined }>;

/** Asks before an owner gets a role that may not invite. */
export function DemoteView({ viewer, member, access, role, workspaceIds }: DemoteProps) {
  const t = TEAM_TEXTS[viewer.language];
  const { roles } = viewer.texts;
  const { userId, email } = member;
  return (
    <>
      <h1>{t.demoteTitle(email, roles[role])}</h1>
      <p>{t.demoteText}</p>
      <form method="post" action={`/dashboard/team/members/${userId}`}>
        <input type="hidden" name="role" value={role} />
        <input type="hidden" name="confirmed" value="yes" />
        {workspaceIds === null && <input type="hidden" name="workspaces" value="all" />}
        {workspaceIds?.map((id) => (
          <input type="hidden" name="workspace" value={id} />
        ))}
        <AccessMade viewer={viewer} access={access} />
        <SubmitRow viewer={viewer} text={t.changeRole} cancel="/dashboard/team" isDanger />
      </form>
    </>
  );
}

/** Invitations that end with the role, and what can be revoked with it. */
function AccessMade({ viewer, access: { invitations, keys, webhooks, notifying } }: Omit<Props, 'member'>) {
  const keyTexts = KEYS_TEXTS[viewer.language];
  const t = TEAM_TEXTS[viewer.language];
  const { roles } = viewer.texts;
  return (
    <>
      {invitations.length > 0 && (
        <Card id="ending" title={t.endingInvitations}>
          <ul>
            {invitations.map(({ email, role, expiresAt }) => (
              <li>
                <bdi>{email ?? t.anyone}</bdi> · {roles[role]} · {t.until} <Time viewer={viewer} at={expiresAt} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      {keys.length > 0 && (
        <fieldset>
          <legend>{t.keysMade}</legend>
          <p class="hint">{t.keysMadeText}</p>
          {keys.map((apiKey) => (
            <Choice
              name="key"
              value={apiKey.id}
              checked
              text={
                <>
                  <bdi>{apiKey.name}</bdi> · {keyTexts.scopes[apiKey.scope]} · {keyTexts.lastUsed}:{' '}
                  {apiKey.lastUsedAt === null ? keyTexts.never : <Time viewer={viewer} at={apiKey.lastUsedAt} />}
                </>
              }
            />
          ))}
        </fieldset>
      )}
      {webhooks.length > 0 && (
        <fieldset>
          <legend>{t.webhooksMade}</legend>
          <p class="hint">{t.webhooksMadeText}</p>
          {webhooks.map(({ webhook, form, label }) => (
            <Choice
              name="webhook"
              value={webhook.id}
              checked
              text={
                <>
                  <bdi>{form.name}</bdi> · {getKind(webhook.kind).name[viewer.language]} <bdi>{label}</bdi>
                </>
              }
            />
          ))}
        </fieldset>
      )}
      {notifying.length > 0 && (
        <fieldset>
          <legend>{t.notifying}</legend>
          <p class="hint">{t.notifyingText}</p>
          {notifying.map(({ id, name }) => (
            <Choice name="notifying" value={id} checked text={<bdi>{name}</bdi>} />
          ))}
        </fieldset>
      )}
      <p class="soft small">{t.othersAccess}</p>
    </>
  );
}
