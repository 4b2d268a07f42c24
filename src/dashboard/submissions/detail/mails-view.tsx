/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { StoredMail } from '../../../domain/mail/mail.ts';
import type { StoredSubmission } from '../../../domain/submissions/submission.ts';
import { Card, PostButton } from '../../ui/elements.tsx';
import { type InboxList, listQuery } from '../../ui/inbox-list.ts';
import { Time } from '../../ui/time.tsx';
import type { Viewer } from '../../viewer.ts';
import type { MailEntry } from './opened.ts';
import { SUBMISSION_TEXTS } from './texts.ts';

type Props = Readonly<{
  viewer: Viewer;
  submission: StoredSubmission;
  list: InboxList;
  mails: readonly MailEntry[];
  /** False without a mail server. */
  sendsMail: boolean;
}>;

/** The mails of a submission that Formstead sends by itself. */
export function Mails({ viewer, submission, list, mails, sendsMail }: Props) {
  const t = SUBMISSION_TEXTS[viewer.language];
  const hasUnsent = mails.some(({ mail }) => mail.state !== 'sent');
  return (
    <Card id="mails" title={t.mails}>
      {mails.length === 0 ? (
        <p class="soft">{submission.isSpam ? t.noMailsOfSpam : t.noMails}</p>
      ) : (
        <ul class="mails">
          {mails.map((entry) => (
            <MailItem viewer={viewer} submission={submission} list={list} entry={entry} />
          ))}
        </ul>
      )}
      {hasUnsent && !sendsMail && <p class="note">{t.noServer}</p>}
    </Card>
  );
}

type ItemProps = Readonly<{ viewer: Viewer; submission: StoredSubmission; list: InboxList; entry: MailEntry }>;

function MailItem({ viewer, submission, list, entry: { mail, reason } }: ItemProps) {
  const t = SUBMISSION_TEXTS[viewer.language];
  const { kind, recipient } = mail;
  const title =
    kind === 'confirmation' ? t.toConfirm : kind === 'auto_reply' ? t.toVisitor : t.toOwner(recipient ?? '');
  return (
    <li>
      <span>
        <bdi>{title}</bdi>
      </span>{' '}
      <span>
        <MailState viewer={viewer} entry={{ mail, reason }} />
      </span>
      <SendAgain {...{ viewer, submission, list, mail, title }} />
    </li>
  );
}

type SendAgainProps = Omit<ItemProps, 'entry'> & Readonly<{ mail: StoredMail; title: string }>;

/** A button that sends an unsent mail again, outside the trash. */
export function SendAgain({ viewer, submission, list, mail: { id, state }, title }: SendAgainProps) {
  const t = SUBMISSION_TEXTS[viewer.language];
  if (state === 'sent' || submission.trashedAt !== null || !viewer.can('edit')) return null;
  return (
    <PostButton
      action={`/dashboard/submissions/${submission.id}/mails/${id}/send`}
      text={viewer.texts.common.sendAgain}
      style="small"
      label={t.sendAgainTo(title)}
      fields={{ list: listQuery(list) }}
    />
  );
}

const BADGES = { sent: 'badge good', dead: 'badge bad', retrying: 'badge', queued: 'badge' } as const;

/** State, time and failure of a mail. A canceled one is a reply that failed more than 30 days ago. */
export function MailState({ viewer, entry: { mail, reason } }: Readonly<{ viewer: Viewer; entry: MailEntry }>) {
  const { mailStates: t } = SUBMISSION_TEXTS[viewer.language];
  const state = mail.state === 'canceled' ? 'dead' : mail.state;
  const at = state === 'retrying' ? mail.dueAt : mail.settledAt;
  return (
    <>
      <span class={BADGES[state]}>{t[state]}</span>
      {state !== 'queued' && ' '}
      {state === 'retrying' && `${t.at} `}
      {state !== 'queued' && at !== null && <Time viewer={viewer} at={at} />}
      {reason !== null && ': '}
      {reason !== null && <bdi>{reason}</bdi>}
    </>
  );
}
