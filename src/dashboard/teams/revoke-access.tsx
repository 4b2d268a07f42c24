/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { PropsWithChildren } from 'hono/jsx';
import { getKind } from '../../delivery/targets/index.ts';
import type { Reach, Role } from '../../domain/teams/roles.ts';
import type { Member } from '../../domain/users/user.ts';
import type { Markup } from '../../lib/markup.ts';
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

type QuestionProps = PropsWithChildren<Props & Readonly<{ title: string; text: string; path: string; button: string }>>;

/** Asks before a member loses access. `children` are hidden inputs. */
function Question({ viewer, member, access, title, text, path, button, children }: QuestionProps) {
  return (
    <>
      <h1>{title}</h1>
      <p>{text}</p>
      <form method="post" action={`/dashboard/team/members/${member.userId}${path}`}>
        {children}
        <AccessMade viewer={viewer} access={access} />
        <SubmitRow viewer={viewer} text={button} cancel="/dashboard/team" isDanger />
      </form>
    </>
  );
}

/** Asks before a member is removed. */
export function RemoveView(props: Props) {
  const t = TEAM_TEXTS[props.viewer.language];
  const title = t.removeTitle(props.member.email);
  return <Question {...props} title={title} text={t.removeText} path="/remove" button={t.remove} />;
}

/** Asks before an owner gets a role that may not invite. */
export function DemoteView(props: Props & Readonly<{ role: Role; workspaceIds: Reach | undefined }>) {
  const { viewer, member, role, workspaceIds } = props;
  const t = TEAM_TEXTS[viewer.language];
  const title = t.demoteTitle(member.email, viewer.texts.roles[role]);
  return (
    <Question {...props} title={title} text={t.demoteText} path="" button={t.changeRole}>
      <input type="hidden" name="role" value={role} />
      <input type="hidden" name="confirmed" value="yes" />
      {workspaceIds === null && <input type="hidden" name="workspaces" value="all" />}
      {workspaceIds?.map((id) => (
        <input type="hidden" name="workspace" value={id} />
      ))}
    </Question>
  );
}

type IdAndText = readonly [id: string, text: Markup];

/** Invitations that end with the role, and what can be revoked with it. */
function AccessMade({ viewer, access: { invitations, keys, webhooks, notifying } }: Omit<Props, 'member'>) {
  const { scopes, lastUsed, never } = KEYS_TEXTS[viewer.language];
  const t = TEAM_TEXTS[viewer.language];
  const keyChoices = keys.map(
    ({ id, name, scope, lastUsedAt }): IdAndText => [
      id,
      <>
        <bdi>{name}</bdi> · {scopes[scope]} · {lastUsed}:{' '}
        {lastUsedAt === null ? never : <Time viewer={viewer} at={lastUsedAt} />}
      </>,
    ],
  );
  const webhookChoices = webhooks.map(
    ({ webhook, form, label }): IdAndText => [
      webhook.id,
      <>
        <bdi>{form.name}</bdi> · {getKind(webhook.kind).name[viewer.language]} <bdi>{label}</bdi>
      </>,
    ],
  );
  const choices = [
    ['key', t.keysMade, t.keysMadeText, keyChoices],
    ['webhook', t.webhooksMade, t.webhooksMadeText, webhookChoices],
    ['notifying', t.notifying, t.notifyingText, notifying.map(({ id, name }): IdAndText => [id, <bdi>{name}</bdi>])],
  ] as const;
  return (
    <>
      {invitations.length > 0 && (
        <Card id="ending" title={t.endingInvitations}>
          <ul>
            {invitations.map(({ email, role, expiresAt }) => (
              <li>
                <bdi>{email ?? t.anyone}</bdi> · {viewer.texts.roles[role]} · {t.until}{' '}
                <Time viewer={viewer} at={expiresAt} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      {choices.map(
        ([name, title, text, ofName]) =>
          ofName.length > 0 && (
            <fieldset>
              <legend>{title}</legend>
              <p class="hint">{text}</p>
              {ofName.map(([id, about]) => (
                <Choice name={name} value={id} checked text={about} />
              ))}
            </fieldset>
          ),
      )}
      <p class="soft small">{t.othersAccess}</p>
    </>
  );
}
