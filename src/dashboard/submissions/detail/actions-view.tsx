/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { isUnconfirmed, TRASH_DAYS } from '../../../domain/submissions/submission.ts';
import type { Member } from '../../../domain/users/user.ts';
import { DAY } from '../../../lib/clock.ts';
import { LinkButton, PostButton } from '../../ui/elements.tsx';
import { ACTION_ICONS, Icon } from '../../ui/icon.tsx';
import { type InboxList, listQuery, submissionAddress } from '../../ui/inbox-list.ts';
import { MemberButtons } from '../../ui/member-buttons.tsx';
import type { Viewer } from '../../viewer.ts';
import { INBOX_TEXTS } from '../inbox/texts.ts';
import type { Opened } from './opened.ts';
import { SUBMISSION_TEXTS } from './texts.ts';

type Props = Opened &
  Readonly<{
    viewer: Viewer;
    members: readonly Member[];
    /** Link that opens the mail program; null if replies are sent from the page, or not at all. */
    mailTo: string | null;
    /** True if the page has the form of a reply. */
    canReply: boolean;
  }>;

/** The actions on a submission outside the trash. */
export function Actions(props: Props) {
  const { viewer, submission, list } = props;
  const { id, isSpam, isMaybeSpam, readAt } = submission;
  const isUnread = readAt === null;
  const button = { viewer, list, submissionId: id };
  if (isUnconfirmed(submission)) {
    return viewer.can('edit') ? (
      <div class="row actions">
        <ActionButton {...button} action="trash" />
      </div>
    ) : null;
  }
  return (
    <div class="row actions">
      <ReplyLink {...props} />
      {viewer.can('edit') && (
        <>
          <StarButton {...props} />
          {(viewer.membership?.isShared || submission.assignedTo !== null) && <AssignMenu {...props} />}
          {isUnread && <ActionButton {...button} action="read" whenOpened="unread" />}
          <ActionButton {...button} action="unread" id="unread" isHidden={isUnread} />
          {(isSpam || isMaybeSpam) && <ActionButton {...button} action="genuine" />}
          {!isSpam && <ActionButton {...button} action="spam" />}
          <ActionButton {...button} action="trash" />
        </>
      )}
    </div>
  );
}

/** Leads to the reply. Answers to spam are possible, but not suggested. */
function ReplyLink({ viewer, submission, mailTo, canReply }: Props) {
  const t = SUBMISSION_TEXTS[viewer.language];
  if (mailTo === null && (!canReply || submission.isSpam || !viewer.can('edit'))) return null;
  return (
    <a class={submission.isSpam ? 'button quiet' : 'button'} href={mailTo ?? '#reply-text'}>
      <Icon name="reply" /> {t.reply}
    </a>
  );
}

function StarButton({ viewer, submission, list }: Props) {
  const t = SUBMISSION_TEXTS[viewer.language];
  const { id, isStarred } = submission;
  return (
    <form method="post" action={`/dashboard/submissions/${id}/star`}>
      <ListField list={list} />
      <input type="hidden" name="starred" value={isStarred ? 'no' : 'yes'} />
      <button
        class="button bare star"
        aria-label={t.star}
        title={isStarred ? t.unstar : t.star}
        aria-pressed={isStarred ? 'true' : 'false'}
      >
        <Icon name="star" isFilled={isStarred} />
      </button>
    </form>
  );
}

/** A menu of the members. One who has left the team counts as nobody. */
function AssignMenu({ viewer, members, submission, list }: Props) {
  const t = SUBMISSION_TEXTS[viewer.language];
  const assignee = members.find((member) => member.userId === submission.assignedTo);
  return (
    <details class="menu assign">
      <summary>
        <Icon name="account" /> <span>{assignee ? <bdi>{t.assignedTo(assignee.email)}</bdi> : t.assign}</span>{' '}
        <Icon name="down" />
      </summary>
      <div>
        <form method="post" action={`/dashboard/submissions/${submission.id}/assign`}>
          <ListField list={list} />
          <MemberButtons viewer={viewer} members={members} assignee={assignee} />
        </form>
      </div>
    </details>
  );
}

type ActionButtonProps = Readonly<{
  viewer: Viewer;
  list: InboxList;
  submissionId: string;
  action: 'read' | 'unread' | 'spam' | 'genuine' | 'trash';
  id?: string;
  isHidden?: boolean;
  /** The id of the form that replaces this one; the script submits this form when the page opens. */
  whenOpened?: string;
}>;

function ActionButton({ viewer, list, submissionId, action, id, isHidden, whenOpened }: ActionButtonProps) {
  const path = `/dashboard/submissions/${submissionId}/${action}`;
  const text = INBOX_TEXTS[viewer.language].actions[action];
  return (
    <form method="post" action={path} id={id} hidden={isHidden} data-when-opened={whenOpened}>
      <ListField list={list} />
      {action === 'genuine' ? (
        <button>{text}</button>
      ) : (
        <button class="button bare" title={text}>
          <Icon name={ACTION_ICONS[action]} label={text} />
        </button>
      )}
    </form>
  );
}

/** Keeps the list that a submission was opened from across an action. */
export function ListField({ list }: Readonly<{ list: InboxList }>) {
  return <input type="hidden" name="list" value={listQuery(list)} />;
}

type TrashProps = Opened & Readonly<{ viewer: Viewer }>;

/** Says that a submission is in the trash, with the ways out of it. */
export function TrashBanner({ viewer, submission, list }: TrashProps) {
  const t = SUBMISSION_TEXTS[viewer.language];
  const { common } = viewer.texts;
  if (submission.trashedAt === null) return null;
  const path = `/dashboard/submissions/${submission.id}/restore`;
  return (
    <div class="banner">
      <span>{t.trashed(viewer.formatDay(submission.trashedAt + TRASH_DAYS * DAY))}</span>
      {viewer.can('edit') && (
        <div class="row">
          <PostButton action={path} text={common.restore} fields={{ list: listQuery(list) }} />
          <LinkButton href={submissionAddress(submission.id, list, '/delete')} text={common.deleteNow} />
        </div>
      )}
    </div>
  );
}

/** The message after moving a submission to the trash. */
export function TrashToast({ viewer, submission, list }: TrashProps) {
  const t = SUBMISSION_TEXTS[viewer.language];
  const { common } = viewer.texts;
  const path = `/dashboard/submissions/${submission.id}/restore`;
  return (
    <div class="toast" role="status">
      {t.movedToTrash} <PostButton action={path} text={common.undo} style="main" fields={{ list: listQuery(list) }} />
    </div>
  );
}
