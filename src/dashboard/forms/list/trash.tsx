/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../../context/context.ts';
import type { Form } from '../../../domain/forms/form.ts';
import { TRASH_DAYS } from '../../../domain/submissions/submission.ts';
import { DAY } from '../../../lib/clock.ts';
import { formNotFound } from '../../../services/forms/forms.ts';
import { type DashboardRoute, flash, type Page, type PageContext, page } from '../../page.ts';
import { INBOX_TEXTS } from '../../submissions/inbox/texts.ts';
import { confirmPage } from '../../ui/confirm-page.tsx';
import { submissionsText } from '../../ui/count.ts';
import { LinkButton, LinkLine, PostButton } from '../../ui/elements.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EntryList } from '../../ui/entry-list.tsx';
import { Day } from '../../ui/time.tsx';
import { FORM_TRASH_TEXTS, FORMS_TEXTS } from './texts.ts';

const PATH = '/dashboard/forms/trash';

/** The trash of forms, and the question before one is deleted. */
export function trashRoutes(): readonly DashboardRoute[] {
  /** Returns a form with the number of its submissions, spam included. */
  const withCount = async ({ store }: Context, form: Form) => {
    const span = { formId: form.id, state: 'all', from: 0, until: Number.MAX_SAFE_INTEGER } as const;
    return { form, submissions: (await store.exports.estimate(span)).atMost };
  };

  /** Lists the forms that can be restored. */
  const listTrashed = async ({ context, team }: PageContext<'edit'>) =>
    (await context.store.forms.list(team.id, 'trashed')).filter(({ trashedAt }) => trashedAt !== 0);

  const show = async (page: PageContext<'edit'>): Promise<Page> => {
    const { context, viewer, query } = page;
    const trashed = await Promise.all((await listTrashed(page)).map((form) => withCount(context, form)));
    const t = FORM_TRASH_TEXTS[viewer.language];
    const inbox = INBOX_TEXTS[viewer.language];
    const { common, form, sections } = viewer.texts;
    const body = (
      <>
        <LinkLine href="/dashboard/forms" text={form.all} isSmall />
        <h1>{inbox.parts.trash}</h1>
        <p class="soft narrow">{t.intro}</p>
        {trashed.length === 0 ? (
          <EmptyState icon="trash" title={inbox.none.trash[0]} text="" />
        ) : (
          <EntryList items={trashed}>
            {({ form, submissions }) => (
              <li class="trash-row">
                <div>
                  <h2>{form.name}</h2>
                  <p class="soft small">
                    {submissionsText(viewer, submissions)} · {t.deletedOn}{' '}
                    <Day viewer={viewer} at={(form.trashedAt ?? 0) + TRASH_DAYS * DAY} />
                  </p>
                </div>
                <PostButton action={`/dashboard/forms/${form.id}/restore`} text={common.restore} style="small" />
                {viewer.can('manage') && (
                  <LinkButton href={`/dashboard/forms/${form.id}/delete`} text={common.deleteNow} style="small" />
                )}
              </li>
            )}
          </EntryList>
        )}
      </>
    );
    const title = `${inbox.parts.trash} · ${sections.forms}`;
    return { title, section: 'forms', done: flash(FORMS_TEXTS[viewer.language].done, query), body };
  };

  const askToDelete = async (page: PageContext<'manage'>): Promise<Page> => {
    const { context, viewer, param } = page;
    const t = FORM_TRASH_TEXTS[viewer.language];
    const form = (await listTrashed(page)).find(({ id }) => id === param('formId')) ?? formNotFound();
    const { submissions } = await withCount(context, form);
    return confirmPage(viewer, 'forms', {
      title: t.deleteTitle(form.name),
      text: t.deleteText(submissionsText(viewer, submissions)),
      action: `/dashboard/forms/${form.id}/delete`,
      button: t.deleteButton,
      cancel: PATH,
    });
  };

  return [
    page(PATH, { access: 'edit' }, show),
    page('/dashboard/forms/:formId/delete', { access: 'manage' }, askToDelete),
  ];
}
