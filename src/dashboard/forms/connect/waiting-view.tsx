/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../../domain/forms/form.ts';
import type { StoredSubmission } from '../../../domain/submissions/submission.ts';
import { LinkButton, PostButton } from '../../ui/elements.tsx';
import { Time } from '../../ui/time.tsx';
import type { Viewer } from '../../viewer.ts';

type Props = Readonly<{
  viewer: Viewer;
  form: Form;
  /** The first two submissions at most; nothing is shown for two. */
  submissions: readonly StoredSubmission[];
}>;

/** Waits for the first submission of a form, which a script shows as it arrives, and then leads to it. */
export function Waiting({ viewer, form, submissions }: Props) {
  const { connect: t } = viewer.texts;
  const [first, second] = submissions;
  const path = `/dashboard/forms/${form.id}/connect`;
  if (second) return null;
  if (!first) {
    return (
      <section class="card waiting" id="waiting" aria-labelledby="waiting-title" data-waiting={path}>
        <h2 id="waiting-title" role="status">
          <span class="pulse" aria-hidden="true" /> {t.waiting}
        </h2>
        <p class="soft">{t.waitingText}</p>
        <div class="row">
          {viewer.can('edit') && <PostButton action={`${path}/test#waiting`} text={t.tryIt} style="main" />}
          <form action={path}>
            <button class="quiet">{t.checkAgain}</button>
          </form>
        </div>
      </section>
    );
  }
  return (
    <section class="card waiting arrived" id="waiting" aria-labelledby="waiting-title">
      <h2 id="waiting-title" role="status">
        <span class="pulse" aria-hidden="true" /> {t.firstArrived}
      </h2>
      <p class="soft">
        {first.isSpam ? t.flagged : t.firstArrivedText} <Time viewer={viewer} at={first.createdAt} />
      </p>
      <div class="row">
        <LinkButton href={`/dashboard/submissions/${first.id}`} text={t.look} style="main" />{' '}
        <a href="/dashboard/inbox">{t.toInbox}</a>
      </div>
    </section>
  );
}
