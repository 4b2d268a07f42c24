/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { TeamMail } from '../../storage/records.ts';
import type { Texts } from '../i18n/index.ts';
import { LinkButton, PostButton } from '../ui/elements.tsx';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';

/** A mail, and the mail server's response to the last attempt. */
export type MailItem = Readonly<{ mail: TeamMail; reason: string | null }>;

/** A mail in the list, with a button that retries it. */
export function MailRow({ viewer, mail, reason }: Readonly<{ viewer: Viewer }> & MailItem) {
  const { mailPages: t, common } = viewer.texts;
  const kind = t.kinds[mail.kind];
  const recipient = mail.recipient ?? t.visitor;
  const [text, at] = getProgress(t, mail) ?? [];
  const hasFailed = mail.state === 'retrying' || mail.state === 'dead';
  return (
    <li class="row">
      <div class="grow">
        <p class="flush">
          <strong>{kind}</strong> {t.to} <bdi>{recipient}</bdi>
        </p>
        <p class="flush small soft">
          {mail.formId !== null && (
            <a href={`/dashboard/forms/${mail.formId}`}>
              <bdi>{mail.formName}</bdi>
            </a>
          )}
          {mail.formId !== null && ' · '}
          {t.made} <Time viewer={viewer} at={mail.createdAt} />
          {text && ` · ${text} `}
          {at && <Time viewer={viewer} at={at} />}
        </p>
        {reason !== null && (
          <p class="flush small">
            {t.said} <q>{reason}</q>
          </p>
        )}
      </div>
      {mail.submissionId !== null && (
        <LinkButton href={`/dashboard/submissions/${mail.submissionId}`} text={t.submission} />
      )}
      {hasFailed && viewer.can('edit') && (
        <PostButton
          action={`/dashboard/mail/${mail.id}/retry`}
          text={common.sendAgain}
          label={t.againTo(kind, recipient)}
        />
      )}
    </li>
  );
}

/** Returns the state since the creation, and its time. */
function getProgress(t: Texts['mailPages'], { state, createdAt, dueAt, settledAt, failures }: TeamMail) {
  if (state === 'retrying') return [`${t.failed(failures)} · ${t.next}`, dueAt] as const;
  if (state === 'queued') return dueAt > createdAt ? ([t.due, dueAt] as const) : null;
  return [t.settled[state], settledAt ?? createdAt] as const;
}
