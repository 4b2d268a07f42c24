/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { newId } from '../../../lib/ids.ts';
import { LinkLine } from '../../ui/elements.tsx';
import { LineInput, TextInput } from '../../ui/form-inputs.tsx';
import { Icon } from '../../ui/icon.tsx';
import { submissionAddress } from '../../ui/inbox-list.ts';
import { Time } from '../../ui/time.tsx';
import type { Viewer } from '../../viewer.ts';
import { ListField } from './actions-view.tsx';
import { LinkedText } from './linked-text.tsx';
import { MailState, SendAgain } from './mails-view.tsx';
import type { Draft, Opened, ReplyRoute, ThreadEntry } from './opened.ts';
import { SUBMISSION_TEXTS } from './texts.ts';

/** Characters of messages on a page; earlier ones are behind a link. */
const PAGE_LENGTH = 24_000;

export type ThreadProps = Opened &
  Readonly<{
    viewer: Viewer;
    userId: string;
    /** The visitor; empty if unknown. */
    who: string;
    entries: readonly ThreadEntry[];
    /** Null where no reply can be sent. */
    replyRoute: ReplyRoute | null;
    replySubject: string;
    draft: Draft | null;
    /** Shows all messages, however long. */
    showsAll: boolean;
  }>;

/** Notes and replies in order of time, and the forms to write one. */
export function Thread(props: ThreadProps) {
  const { viewer, submission, list, entries, showsAll } = props;
  const t = SUBMISSION_TEXTS[viewer.language];
  const shown = showsAll ? entries : getNewest(entries);
  const hidden = entries.length - shown.length;
  const isWritable = viewer.can('edit') && submission.trashedAt === null;
  return (
    <section class="card" id="thread" aria-labelledby="thread-title">
      <h2 id="thread-title" class={entries.length === 0 ? 'visually-hidden' : undefined}>
        {t.thread}
      </h2>
      {hidden > 0 && (
        <LinkLine
          href={`${submissionAddress(submission.id, list)}&thread=all#thread`}
          text={t.earlier(viewer.number(hidden))}
        />
      )}
      {entries.length === 0 && !isWritable && <p class="soft flush">{t.noThread}</p>}
      <ol class="thread">
        {shown.map((entry) => (
          <Entry {...props} entry={entry} />
        ))}
      </ol>
      {isWritable && <Forms {...props} />}
    </section>
  );
}

/** Returns the newest messages that fit on a page, at least one. */
function getNewest(entries: readonly ThreadEntry[]): readonly ThreadEntry[] {
  let length = 0;
  const first = entries.findLastIndex(({ body }) => {
    length += body?.text.length ?? 0;
    return length > PAGE_LENGTH;
  });
  return entries.slice(Math.min(first + 1, entries.length - 1));
}

function Entry(props: ThreadProps & Readonly<{ entry: ThreadEntry }>) {
  const { viewer, submission, list, userId, entry } = props;
  const t = SUBMISSION_TEXTS[viewer.language];
  const { message, body } = entry;
  const isOwnNote = message.kind === 'note' && message.authorId === userId && submission.trashedAt === null;
  return (
    <li class={message.kind}>
      <div class="line">
        <strong>
          <bdi>{body?.author ?? ''}</bdi>
        </strong>{' '}
        <span class="soft small">
          {message.kind === 'note' ? t.note : t.replyText} · <Time viewer={viewer} at={message.createdAt} />
        </span>
        {isOwnNote && viewer.can('edit') && (
          <form method="post" action={`/dashboard/submissions/${submission.id}/notes/${message.id}/delete`}>
            <ListField list={list} />
            <button class="link small">{t.deleteNote}</button>
          </form>
        )}
      </div>
      {body?.subject && (
        <p class="soft small flush">
          <bdi>{body.subject}</bdi>
        </p>
      )}
      {body === null ? (
        <p class="error">{t.messageDamaged}</p>
      ) : (
        <div class="text">
          <LinkedText text={body.text} />
        </div>
      )}
      {message.kind === 'reply' && <ReplyState {...props} entry={entry} />}
    </li>
  );
}

/** The state of a reply. One without a mail in the outbox was sent. */
function ReplyState({ viewer, submission, list, entry: { mail } }: ThreadProps & Readonly<{ entry: ThreadEntry }>) {
  const t = SUBMISSION_TEXTS[viewer.language];
  if (mail === null) {
    return (
      <p class="small flush">
        <span class="badge good">{t.mailStates.sent}</span>
      </p>
    );
  }
  return (
    <div class="row small">
      <span>
        <MailState viewer={viewer} entry={mail} />
      </span>
      <SendAgain viewer={viewer} submission={submission} list={list} mail={mail.mail} title={t.replyText} />
    </div>
  );
}

function Forms(props: ThreadProps) {
  const { viewer, submission, entries, replyRoute, draft } = props;
  const t = SUBMISSION_TEXTS[viewer.language];
  const isNoted = draft?.kind === 'note' || entries.some(({ message }) => message.kind === 'note');
  return (
    <div class="composers">
      {replyRoute && (
        <details class="composer" open={draft?.kind === 'reply'}>
          <summary>
            <Icon name="reply" /> {submission.isSpam ? t.replyToSpam : t.replyToName(props.who || replyRoute.to)}
          </summary>
          <MessageForm {...props} route={replyRoute} />
        </details>
      )}
      {(isNoted || viewer.membership?.isShared) && (
        <details class="composer note-form" open={draft?.kind === 'note'}>
          <summary>
            <Icon name="note" /> {t.note}
          </summary>
          <MessageForm {...props} route={null} />
        </details>
      )}
    </div>
  );
}

/** The form of a reply, or without `route` that of a note. */
function MessageForm(props: ThreadProps & Readonly<{ route: ReplyRoute | null }>) {
  const { viewer, submission, list, draft, replySubject, route } = props;
  const t = SUBMISSION_TEXTS[viewer.language];
  const kind = route ? 'reply' : 'note';
  const own = draft?.kind === kind ? draft : { id: newId('msg'), subject: replySubject, text: '', error: undefined };
  const text = route
    ? { label: t.replyText, rows: 5, hint: t.replyHint(route.from, route.answersTo) }
    : { label: t.note, rows: 3, hint: t.noteHint };
  const action = `/dashboard/submissions/${submission.id}/${route ? 'reply' : 'notes'}#thread`;
  return (
    <form method="post" action={action} class="write" id={route ? 'reply' : undefined}>
      <ListField list={list} />
      <input type="hidden" name="message" value={own.id} />
      {route && (
        <p class="soft small flush">
          <bdi>{t.repliedTo(route.to)}</bdi>
        </p>
      )}
      {route && <LineInput name="subject" label={t.replySubject} value={own.subject} maxlength={150} />}
      <TextInput name="text" id={`${kind}-text`} {...text} value={own.text} error={own.error} />
      <button class={route ? undefined : 'quiet'}>{route ? t.sendReply : t.saveNote}</button>
    </form>
  );
}
