/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../../domain/forms/form.ts';
import { TRASH_DAYS } from '../../../domain/submissions/submission.ts';
import { DAY } from '../../../lib/clock.ts';
import { submissionsText } from '../../ui/count.ts';
import { LinkButton, LinkLine, PostButton } from '../../ui/elements.tsx';
import { EntryList } from '../../ui/entry-list.tsx';
import { Day } from '../../ui/time.tsx';
import type { Viewer } from '../../viewer.ts';

/** A form in the trash and the number of its submissions, spam included. */
export type TrashedForm = Readonly<{ form: Form; submissions: number }>;

type Props = Readonly<{ viewer: Viewer; trashed: readonly TrashedForm[] }>;

/** The forms in the trash. */
export function TrashView({ viewer, trashed }: Props) {
  const { formTrash: t, form: formTexts, inbox } = viewer.texts;
  return (
    <>
      <LinkLine href="/dashboard/forms" text={formTexts.all} isSmall />
      <h1>{inbox.parts.trash}</h1>
      <p class="soft narrow">{t.intro}</p>
      {trashed.length === 0 ? (
        <div class="empty">{inbox.none.trash}</div>
      ) : (
        <EntryList items={trashed}>{(item) => <TrashItem viewer={viewer} trashed={item} />}</EntryList>
      )}
    </>
  );
}

function TrashItem({ viewer, trashed: { form, submissions } }: Readonly<{ viewer: Viewer; trashed: TrashedForm }>) {
  const { formTrash: t, common } = viewer.texts;
  const path = `/dashboard/forms/${form.id}`;
  return (
    <li class="trash-row">
      <div>
        <h2>{form.name}</h2>
        <p class="soft small">
          {submissionsText(viewer, submissions)} · {t.deletedOn}{' '}
          <Day viewer={viewer} at={(form.trashedAt ?? 0) + TRASH_DAYS * DAY} />
        </p>
      </div>
      <PostButton action={`${path}/restore`} text={common.restore} style="small" />
      {viewer.can('manage') && <LinkButton href={`${path}/delete`} text={common.deleteNow} style="small" />}
    </li>
  );
}
