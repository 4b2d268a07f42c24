/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { PropsWithChildren } from 'hono/jsx';
import type { ApiKey } from '../../domain/api-key.ts';
import type { Role } from '../../domain/roles.ts';
import type { Invitation, Member } from '../../domain/user.ts';
import type { MemberAccess } from '../../services/teams.ts';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';

/** A member's access with the hosts of webhooks. */
export type ShownAccess = Omit<MemberAccess, 'webhooks'> &
  Readonly<{ webhooks: ReadonlyArray<MemberAccess['webhooks'][number] & Readonly<{ host: string }>> }>;

type Props = Readonly<{ viewer: Viewer; member: Member; access: ShownAccess }>;

/** Asks before a member is removed. */
export function RemoveView({ viewer, member, access }: Props) {
  const { team: t } = viewer.texts;
  const { userId, email } = member;
  return (
    <>
      <h1>{t.removeTitle(email)}</h1>
      <p>{t.removeText}</p>
      <form method="post" action={`/dashboard/team/members/${userId}/remove`}>
        <AccessMade viewer={viewer} access={access} />
        <Buttons viewer={viewer} button={t.remove} />
      </form>
    </>
  );
}

/** Asks before an owner gets a role that may not invite. */
export function DemoteView({ viewer, member, access, role }: Props & Readonly<{ role: Role }>) {
  const { team: t, roles } = viewer.texts;
  const { userId, email } = member;
  return (
    <>
      <h1>{t.demoteTitle(email, roles[role])}</h1>
      <p>{t.demoteText}</p>
      <form method="post" action={`/dashboard/team/members/${userId}`}>
        <input type="hidden" name="role" value={role} />
        <input type="hidden" name="confirmed" value="yes" />
        <AccessMade viewer={viewer} access={access} />
        <Buttons viewer={viewer} button={t.changeRole} />
      </form>
    </>
  );
}

function Buttons({ viewer, button }: Readonly<{ viewer: Viewer; button: string }>) {
  return (
    <div class="row">
      <button class="danger">{button}</button>
      <a class="button quiet" href="/dashboard/team">
        {viewer.texts.common.cancel}
      </a>
    </div>
  );
}

/** Invitations that end with the role, and what can be revoked with it. */
function AccessMade({ viewer, access: { invitations, keys, webhooks, notifying } }: Omit<Props, 'member'>) {
  const { team: t } = viewer.texts;
  return (
    <>
      {invitations.length > 0 && (
        <section class="card" aria-labelledby="ending">
          <h2 id="ending">{t.endingInvitations}</h2>
          <ul>
            {invitations.map((invitation) => (
              <InvitationItem viewer={viewer} invitation={invitation} />
            ))}
          </ul>
        </section>
      )}
      {keys.length > 0 && (
        <fieldset>
          <legend>{t.keysMade}</legend>
          <p class="hint">{t.keysMadeText}</p>
          {keys.map((apiKey) => (
            <Choice name="key" id={apiKey.id}>
              <KeyFacts viewer={viewer} apiKey={apiKey} />
            </Choice>
          ))}
        </fieldset>
      )}
      {webhooks.length > 0 && (
        <fieldset>
          <legend>{t.webhooksMade}</legend>
          <p class="hint">{t.webhooksMadeText}</p>
          {webhooks.map(({ webhook, form, host }) => (
            <Choice name="webhook" id={webhook.id}>
              <bdi>{form.name}</bdi> · {viewer.texts.webhooks.kinds[webhook.kind]} <bdi>{host}</bdi>
            </Choice>
          ))}
        </fieldset>
      )}
      {notifying.length > 0 && (
        <fieldset>
          <legend>{t.notifying}</legend>
          <p class="hint">{t.notifyingText}</p>
          {notifying.map(({ id, name }) => (
            <Choice name="notifying" id={id}>
              <bdi>{name}</bdi>
            </Choice>
          ))}
        </fieldset>
      )}
      <p class="soft small">{t.othersAccess}</p>
    </>
  );
}

function InvitationItem({ viewer, invitation }: Readonly<{ viewer: Viewer; invitation: Invitation }>) {
  const { team: t, roles } = viewer.texts;
  return (
    <li>
      <bdi>{invitation.email ?? t.anyone}</bdi> · {roles[invitation.role]} · {t.until}{' '}
      <Time viewer={viewer} at={invitation.expiresAt} />
    </li>
  );
}

function Choice({ name, id, children }: PropsWithChildren<Readonly<{ name: string; id: string }>>) {
  return (
    <label class="choice">
      <input type="checkbox" name={name} value={id} checked /> {children}
    </label>
  );
}

function KeyFacts({ viewer, apiKey }: Readonly<{ viewer: Viewer; apiKey: ApiKey }>) {
  const { keys: t } = viewer.texts;
  return (
    <>
      <bdi>{apiKey.name}</bdi> · {t.scopes[apiKey.scope]} · {t.lastUsed}:{' '}
      {apiKey.lastUsedAt === null ? t.never : <Time viewer={viewer} at={apiKey.lastUsedAt} />}
    </>
  );
}
