/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../../domain/forms/form.ts';
import type { Workspace } from '../../../domain/teams/team.ts';
import type { FormStats } from '../../../storage/records.ts';
import { LinkButton, LinkRow } from '../../ui/elements.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EntryList } from '../../ui/entry-list.tsx';
import type { Viewer } from '../../viewer.ts';
import { countGenuine, FormItem } from './form-item.tsx';
import { FORMS_TEXTS } from './texts.ts';
import { CreateWorkspace, type RejectedName, RenameWorkspace, WorkspaceMenu } from './workspaces.tsx';

type Props = Readonly<{
  viewer: Viewer;
  workspaces: readonly Workspace[];
  /** Sorted; archived ones included. */
  forms: readonly Form[];
  sort: Sort;
  /** By form id. */
  stats: ReadonlyMap<string, FormStats>;
  /** The number of forms in the trash. */
  trashed: number;
  /** The current time. */
  at: number;
  rejected: RejectedName | null;
}>;

/** All forms of the team, by workspace. */
export function FormsView(props: Props) {
  const { viewer, workspaces, forms, sort, trashed, rejected } = props;
  const t = FORMS_TEXTS[viewer.language];
  const sorts = SORTS.map((one) => [`/dashboard/forms?sort=${one}`, t.sorts[one], one === sort] as const);
  const canEdit = viewer.can('edit');
  const listed = forms.filter(({ archivedAt }) => archivedAt === null);
  const isEmpty = listed.length === 0;
  return (
    <>
      <div class="head">
        <h1>{viewer.texts.sections.forms}</h1>
        {listed.length > 1 && <LinkRow class="sorts" label={t.sort} links={sorts} />}
        {!isEmpty && canEdit && <NewFormLink viewer={viewer} />}
      </div>
      {isEmpty && workspaces.length > 0 && (
        <EmptyState icon="forms" title={t.none} text={canEdit ? t.noneText : ''}>
          {canEdit && <NewFormLink viewer={viewer} />}
        </EmptyState>
      )}
      {workspaces.map((workspace) => (
        <WorkspaceSection workspace={workspace} {...props} forms={listed} />
      ))}
      <Archived {...props} />
      {canEdit && viewer.seesAll && (
        <CreateWorkspace viewer={viewer} isFirst={workspaces.length === 0} rejected={rejected} />
      )}
      {canEdit && trashed > 0 && (
        <p class="workspace">
          <a href="/dashboard/forms/trash">{t.trash(viewer.number(trashed))}</a>
        </p>
      )}
    </>
  );
}

function NewFormLink({ viewer }: Pick<Props, 'viewer'>) {
  return <LinkButton href="/dashboard/forms/new" text={FORMS_TEXTS[viewer.language].new} style="main" />;
}

function WorkspaceSection(props: Props & Readonly<{ workspace: Workspace }>) {
  const { viewer, workspace, workspaces, forms, rejected } = props;
  const t = FORMS_TEXTS[viewer.language];
  const { id, name } = workspace;
  const canEdit = viewer.can('edit');
  const own = forms.filter(({ workspaceId }) => workspaceId === id);
  return (
    <section class="workspace" aria-labelledby={id}>
      <div class="head">
        <h2 id={id}>{name}</h2>
        {canEdit && viewer.seesAll && <WorkspaceMenu {...{ viewer, workspace, workspaces, rejected }} />}
      </div>
      {canEdit && rejected?.workspaceId === id && <RenameWorkspace {...{ viewer, workspace, rejected }} />}
      {own.length === 0 ? (
        <p class="soft">
          {t.noneInWorkspace} {canEdit && <a href={`/dashboard/forms/new?workspace=${id}`}>{t.new}</a>}
        </p>
      ) : (
        <FormList {...props} forms={own} />
      )}
    </section>
  );
}

function FormList({ viewer, forms, stats, workspaces, at }: Props) {
  return (
    <EntryList items={forms}>
      {(form) => <FormItem {...{ viewer, form, workspaces, at }} stats={stats.get(form.id)} />}
    </EntryList>
  );
}

function Archived(props: Props) {
  const { viewer, forms } = props;
  const archived = forms.filter(({ archivedAt }) => archivedAt !== null);
  if (archived.length === 0) return null;
  return (
    <details class="workspace">
      <summary>{FORMS_TEXTS[viewer.language].archived(viewer.number(archived.length))}</summary>
      <FormList {...props} forms={archived} />
    </details>
  );
}

export const SORTS = ['latest', 'name', 'count'] as const;

/** An order of forms: by the last submission, by name, or by the submissions of the last 30 days. */
export type Sort = (typeof SORTS)[number];

/** Sorts forms. A form without submissions counts as active at its creation. */
export function sortForms(
  forms: readonly Form[],
  stats: ReadonlyMap<string, FormStats>,
  sort: Sort,
  language: string,
): readonly Form[] {
  const latest = ({ id, createdAt }: Form) => Math.max(stats.get(id)?.lastArrival ?? 0, createdAt);
  const count = ({ id }: Form) => countGenuine(stats.get(id)?.days ?? []);
  const { compare } = new Intl.Collator(language, { numeric: true });
  return forms.toSorted((a, b) => {
    if (sort === 'name') return compare(a.name, b.name);
    return (sort === 'count' && count(b) - count(a)) || latest(b) - latest(a);
  });
}
