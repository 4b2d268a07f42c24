/** @jsxRuntime automatic @jsxImportSource hono/jsx */

import type { TeamMail } from '../../storage/records.ts';
import { LinkButton, PostButton } from '../ui/elements.tsx';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';

/** A mail, and the mail server's response to the last attempt. */
export type MailItem = Readonly<{ mail: TeamMail; reason: string | null }>;

type MailProps = Readonly<{ viewer: Viewer; mail: TeamMail }>;

/** A mail in the list, with a button that retries it. */
export function MailRow({ viewer, mail, reason }: Readonly<{ viewer: Viewer }> & MailItem) {
  const { mailPages: t, common } = viewer.texts;
  const kind = t.kinds[mail.kind];
  const recipient = mail.recipient ?? t.visitor;
  const hasFailed = mail.state === 'retrying' || mail.state === 'dead';
  return (
    <li class="row">
      <div class="grow">
        <p class="flush">
          <strong>{kind}</strong> {t.to} <bdi>{recipient}</bdi>
        </p>
        <p class="flush small soft">
          <FormLink mail={mail} />
          <History viewer={viewer} mail={mail} />
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

function FormLink({ mail: { formId, formName } }: Readonly<{ mail: TeamMail }>) {
  if (formId === null) return null;
  return (
    <>
      <a href={`/dashboard/forms/${formId}`}>
        <bdi>{formName}</bdi>
      </a>
      {' · '}
    </>
  );
}

/** Time of creation, and the state since. */
function History({ viewer, mail }: MailProps) {
  return (
    <>
      {viewer.texts.mailPages.made} <Time viewer={viewer} at={mail.createdAt} />
      <Progress viewer={viewer} mail={mail} />
    </>
  );
}

function Progress({ viewer, mail: { state, createdAt, dueAt, settledAt, failures } }: MailProps) {
  const { mailPages: t } = viewer.texts;
  if (state === 'retrying') {
    return (
      <>
        {` · ${t.failed(failures)} · ${t.next} `}
        <Time viewer={viewer} at={dueAt} />
      </>
    );
  }
  if (state === 'queued') {
    if (dueAt <= createdAt) return null;
    return (
      <>
        {` · ${t.due} `}
        <Time viewer={viewer} at={dueAt} />
      </>
    );
  }
  return (
    <>
      {` · ${t.settled[state]} `}
      <Time viewer={viewer} at={settledAt ?? createdAt} />
    </>
  );
}
