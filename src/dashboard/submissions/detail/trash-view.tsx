/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { TRASH_DAYS } from '../../../domain/submissions/submission.ts';
import { DAY } from '../../../lib/clock.ts';
import { LinkButton, PostButton } from '../../ui/elements.tsx';
import { listQuery, submissionAddress } from '../../ui/inbox-list.ts';
import type { Viewer } from '../../viewer.ts';
import type { Opened } from './opened.ts';

type Props = Opened & Readonly<{ viewer: Viewer }>;

/** Says that a submission is in the trash, with the ways out of it. */
export function TrashBanner({ viewer, submission, list }: Props) {
  const { submission: t, common } = viewer.texts;
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
export function TrashToast({ viewer, submission, list }: Props) {
  const { submission: t, common } = viewer.texts;
  const path = `/dashboard/submissions/${submission.id}/restore`;
  return (
    <div class="toast" role="status">
      {t.movedToTrash} <PostButton action={path} text={common.undo} style="main" fields={{ list: listQuery(list) }} />
    </div>
  );
}
