/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { AppError } from '../../../domain/errors.ts';
import type { Form } from '../../../domain/forms/form.ts';
import type { StoredSubmission } from '../../../domain/submissions/submission.ts';
import { ErrorMessage, PostButton } from '../../ui/elements.tsx';
import { Time } from '../../ui/time.tsx';
import type { Viewer } from '../../viewer.ts';

/** The result of a test submission, if there was one. */
export type TestResult = Readonly<{ submission?: StoredSubmission | null; refusal?: AppError }>;

type Props = Readonly<{ viewer: Viewer; form: Form; result: TestResult }>;

/** The section that sends a test submission and shows its result. */
export function TestSection({ viewer, form, result: { submission, refusal } }: Props) {
  const { connect: t } = viewer.texts;
  const reasons: Readonly<Record<string, string>> = t.refused;
  return (
    <section class="card" id="test" aria-labelledby="test-title">
      <h2 id="test-title">{t.test}</h2>
      <p class="soft">{t.testText}</p>
      <ErrorMessage error={refusal && (reasons[refusal.code] ?? t.refused.other)} />
      {submission && (
        <p class="done" role="status">
          {submission.isSpam ? t.flagged : t.arrived} <Time viewer={viewer} at={submission.createdAt} /> ·{' '}
          <a href={`/dashboard/submissions/${submission.id}`}>{t.look}</a>
        </p>
      )}
      <PostButton action={`/dashboard/forms/${form.id}/connect/test#test`} text={t.send} style="main" />
    </section>
  );
}
