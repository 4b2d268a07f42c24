/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { TRASH_DAYS } from '../../domain/submission.ts';
import { DAY } from '../../lib/clock.ts';
import { LinkButton } from '../ui/elements.tsx';
import { submissionAddress } from '../ui/inbox-list.ts';
import type { Viewer } from '../viewer.ts';
import { ListField } from './list-field.tsx';
import type { Opened } from './opened.ts';

type Props = Opened & Readonly<{ viewer: Viewer }>;

/** Says that a submission is in the trash, with the ways out of it. */
export function TrashBanner(props: Props) {
  const { viewer, submission, list } = props;
  const { submission: t, common } = viewer.texts;
  if (submission.trashedAt === null) return null;
  return (
    <div class="banner">
      <span>{t.trashed(viewer.formatDay(submission.trashedAt + TRASH_DAYS * DAY))}</span>
      {viewer.can('edit') && (
        <div class="row">
          <RestoreForm {...props} label={common.restore} style="quiet" />
          <LinkButton href={submissionAddress(submission.id, list, '/delete')} text={common.deleteNow} />
        </div>
      )}
    </div>
  );
}

/** The message after moving a submission to the trash. */
export function TrashToast(props: Props) {
  const { submission: t, common } = props.viewer.texts;
  return (
    <div class="toast" role="status">
      {t.movedToTrash} <RestoreForm {...props} label={common.undo} />
    </div>
  );
}

function RestoreForm({ submission, list, label, style }: Props & Readonly<{ label: string; style?: string }>) {
  return (
    <form method="post" action={`/dashboard/submissions/${submission.id}/restore`}>
      <ListField list={list} />
      <button class={style}>{label}</button>
    </form>
  );
}
