/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { SpamNote } from '../../../domain/spam/spam.ts';
import { describeReasons } from '../../../domain/spam/spam-reasons.ts';
import { isUnconfirmed, type Payload, type Source, type UploadedFile } from '../../../domain/submissions/submission.ts';
import type { Member } from '../../../domain/users/user.ts';
import type { readConsent } from '../../../services/submissions/read-submission.ts';
import { Avatar, hueClass } from '../../ui/avatar.tsx';
import { Card, CopyButton, LinkLine } from '../../ui/elements.tsx';
import { Icon } from '../../ui/icon.tsx';
import { listAddress, submissionAddress } from '../../ui/inbox-list.ts';
import { type Brief, getBrief } from '../../ui/payload-text.ts';
import { Time } from '../../ui/time.tsx';
import { INBOX_TEXTS } from '../inbox/texts.ts';
import { Actions, TrashBanner, TrashToast } from './actions-view.tsx';
import { Files } from './files-view.tsx';
import { LinkedText } from './linked-text.tsx';
import { Mails } from './mails-view.tsx';
import type { MailEntry } from './opened.ts';
import { SUBMISSION_TEXTS } from './texts.ts';
import { Thread, type ThreadProps } from './thread-view.tsx';
import { Values } from './values-view.tsx';

type Props = Omit<ThreadProps, 'who'> &
  Readonly<{
    members: readonly Member[];
    mailTo: string | null;
    source: Source | null;
    /** The consent text that the visitor agreed to. */
    consent: ReturnType<typeof readConsent>;
    /** The path of the form's logo, which is printed. */
    logo: string | null;
    /** True right after the move to the trash. */
    wasTrashed: boolean;
    /** Masked; null if it can't be read. */
    payload: Payload | null;
    files: readonly UploadedFile[];
    spamNote: SpamNote;
    mails: readonly MailEntry[];
    /** False without a mail server. */
    sendsMail: boolean;
    /** Null in a searched list. */
    neighbours: Readonly<{ newer: string | null; older: string | null }> | null;
    /** Index of the first field shown. */
    firstField: number;
  }>;

/** A submission: spam reasons, values, files, messages and mails. */
export function SubmissionView(props: Props) {
  const { viewer, submission, form, list, payload, firstField, files, spamNote, mails, sendsMail } = props;
  const path = submissionAddress(submission.id, list);
  const t = SUBMISSION_TEXTS[viewer.language];
  const isSuspected = submission.isSpam || submission.isMaybeSpam;
  const brief = getBrief(form, payload ?? [], viewer.values);
  return (
    <>
      {props.wasTrashed && submission.trashedAt !== null && viewer.can('edit') && <TrashToast {...props} />}
      <div class="head opened">
        <LinkLine href={listAddress(list)} text={t.backToList} isSmall />
        {submission.trashedAt === null && <Actions {...props} canReply={props.replyRoute !== null} />}
        <Neighbours {...props} />
      </div>
      <TrashBanner {...props} />
      <Heading {...props} brief={brief} />
      {isSuspected && <Reasons {...props} />}
      <section class="card" aria-labelledby="sent">
        <h2 id="sent" class="visually-hidden">
          {t.sent}
        </h2>
        {payload === null ? (
          <p class="error">{t.damaged}</p>
        ) : (
          <Values
            viewer={viewer}
            form={form}
            payload={payload}
            first={firstField}
            shown={brief.shown}
            valuePath={(index) => submissionAddress(submission.id, list, `/values/${index}`)}
            fieldsPath={(index) => `${path}${index > 0 ? `&fields=${index}` : ''}`}
          />
        )}
      </section>
      {submission.files !== null && <Files viewer={viewer} submission={submission} form={form} files={files} />}
      <Thread {...props} who={brief.who} />
      {!isSuspected && spamNote.isHeld && spamNote.reasons.length > 0 && <Reasons {...props} />}
      <Mails viewer={viewer} submission={submission} list={list} mails={mails} sendsMail={sendsMail} />
      <p class="row small permalink">
        <a id="permalink" href={`/dashboard/submissions/${submission.id}`}>
          {t.permalink}
        </a>
        <CopyButton viewer={viewer} source="permalink" style="link small" />
      </p>
      <p id="offline" class="toast" role="alert" hidden>
        {INBOX_TEXTS[viewer.language].offline}
      </p>
    </>
  );
}

function Neighbours({ viewer, list, neighbours }: Props) {
  const t = SUBMISSION_TEXTS[viewer.language];
  const { newer = null, older = null } = neighbours ?? {};
  if (newer === null && older === null) return null;
  const sides = [
    [newer, 'prev', t.newer, 'button bare turned'],
    [older, 'next', viewer.texts.common.older, 'button bare'],
  ] as const;
  return (
    <nav class="row" aria-label={t.neighbours}>
      {sides.map(([id, rel, label, style]) => (
        <a class={style} href={id === null ? undefined : submissionAddress(id, list)} rel={rel} title={label}>
          <Icon name="down" label={label} />
        </a>
      ))}
    </nav>
  );
}

type BriefProps = Readonly<{ brief: Brief }>;

function Heading({ viewer, submission, form, payload, source, consent, logo, brief }: Props & BriefProps) {
  const inbox = INBOX_TEXTS[viewer.language];
  const t = SUBMISSION_TEXTS[viewer.language];
  const { who, isNamed, address } = brief;
  const title = payload === null ? inbox.damaged : who || inbox.nobody;
  const marks = [
    [submission.isSpam, 'spam', 'bad'],
    [submission.isMaybeSpam, 'maybe', 'warn'],
    [isUnconfirmed(submission), 'unconfirmed', 'warn'],
  ] as const;
  return (
    <>
      {logo !== null && <img class="logo" src={logo} alt="" />}
      <div class="sender">
        <Avatar name={isNamed ? who : ''} of={isNamed ? who : submission.id} />
        <h1>
          <bdi>{title}</bdi>
        </h1>
        <p class="soft small">
          {address !== null && address !== who && (
            <>
              <LinkedText text={address} /> ·{' '}
            </>
          )}
          <a class={`form-name ${hueClass(form.id)}`} href={`/dashboard/forms/${form.id}`}>
            <bdi>{form.name}</bdi>
          </a>{' '}
          · <Time viewer={viewer} at={submission.createdAt} />
          {marks.map(
            ([isSet, part, tone]) =>
              isSet && (
                <>
                  {' '}
                  · <span class={`badge ${tone}`}>{inbox.parts[part]}</span>
                </>
              ),
          )}
        </p>
      </div>
      {submission.confirmHash !== null && (
        <p class="soft small">
          {submission.confirmedAt === null ? (
            t.unconfirmed
          ) : (
            <>
              {t.askedAt} <Time viewer={viewer} at={submission.confirmMailedAt ?? submission.createdAt} />,{' '}
              {t.confirmedAt} <Time viewer={viewer} at={submission.confirmedAt} />. {t.addressHash}{' '}
              <code>{submission.confirmHash.slice(0, 16)}</code>
            </>
          )}
        </p>
      )}
      {consent && (
        <p class="soft small">
          {t.agreedTo} <q>{consent.text ?? inbox.unreadable}</q> <code>{consent.version.slice(0, 16)}</code>
        </p>
      )}
      {source && (
        <p class="soft small source">
          {t.sentFrom} {source.page !== null && <LinkedText text={source.page} />}
          {source.page !== null && source.browser !== null && ` ${t.sentWith} `}
          {source.browser}
        </p>
      )}
    </>
  );
}

/** The reasons of the spam filter, or the note that a member marked the submission. */
function Reasons({ viewer, submission: { isSpam, isMaybeSpam }, spamNote: { reasons, isHeld } }: Props) {
  const inbox = INBOX_TEXTS[viewer.language];
  const t = SUBMISSION_TEXTS[viewer.language];
  const isOnHold = isHeld && reasons.length > 0;
  return (
    <Card id="spam" title={isMaybeSpam ? inbox.parts.maybe : inbox.parts.spam}>
      <p>{isMaybeSpam ? t.maybeFlagged : reasons.length === 0 ? t.markedByYou : t.flagged}</p>
      {reasons.length > 0 && (
        <ul>
          {describeReasons(reasons, viewer.language).map((reason) => (
            <li>{reason}</li>
          ))}
        </ul>
      )}
      {isOnHold && isSpam && <p class="soft small">{t.heldBack}</p>}
      {isOnHold && isMaybeSpam && <p class="soft small">{t.heldMaybe}</p>}
    </Card>
  );
}
