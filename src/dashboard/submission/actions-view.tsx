/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { replyAddress } from '../../domain/mail.ts';
import type { Payload } from '../../domain/submission.ts';
import { type InboxList, submissionAddress } from '../ui/inbox-list.ts';
import type { Viewer } from '../viewer.ts';
import { ListField } from './list-field.tsx';
import type { Opened } from './opened.ts';

type Props = Opened & Readonly<{ viewer: Viewer; payload: Payload | null }>;

/** The actions on a submission, and the link to reply by mail. */
export function Actions({ viewer, submission, form, list, payload }: Props) {
  const { submission: t, common } = viewer.texts;
  const { id, isSpam, readAt } = submission;
  const isUnread = readAt === null;
  const address = payload && replyAddress(payload);
  const button = { viewer, list, submissionId: id };
  return (
    <div class="row actions">
      {address && !isMasked(address) && (
        <a class="button" href={mailTo(address, t.answer(form.name))}>
          {t.reply}
        </a>
      )}
      {viewer.can('edit') && (
        <>
          {isUnread && <ActionButton {...button} action="read" whenOpened="unread" />}
          <ActionButton {...button} action="unread" id="unread" isHidden={isUnread} />
          <ActionButton {...button} action={isSpam ? 'genuine' : 'spam'} />
          <a class="button quiet" href={submissionAddress(id, list, '/delete')}>
            {common.delete}
          </a>
        </>
      )}
    </div>
  );
}

type ActionButtonProps = Readonly<{
  viewer: Viewer;
  list: InboxList;
  submissionId: string;
  action: 'read' | 'unread' | 'spam' | 'genuine';
  id?: string;
  isHidden?: boolean;
  /** The id of the form that replaces this one; the script submits this form when the page opens. */
  whenOpened?: string;
}>;

function ActionButton({ viewer, list, submissionId, action, id, isHidden, whenOpened }: ActionButtonProps) {
  const path = `/dashboard/submissions/${submissionId}/${action}`;
  return (
    <form method="post" action={path} id={id} hidden={isHidden} data-when-opened={whenOpened}>
      <ListField list={list} />
      <button class="quiet">{viewer.texts.inbox.actions[action]}</button>
    </form>
  );
}

/** Tells if masking replaced a part of an address that looked like a card number. */
function isMasked(address: string): boolean {
  return address.includes('***');
}

function mailTo(address: string, subject: string): string {
  const [user = '', domain = ''] = address.split('@');
  return `mailto:${encodeURIComponent(user)}@${domain}?subject=${encodeURIComponent(subject)}`;
}
