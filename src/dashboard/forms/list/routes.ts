import type { Context } from '../../../context.ts';
import { AppError } from '../../../domain/errors.ts';
import type { Form } from '../../../domain/form.ts';
import { parseName, type Workspace } from '../../../domain/team.ts';
import { type Html, html } from '../../../lib/html.ts';
import { createWorkspace } from '../../../services/teams.ts';
import type { FormStats } from '../../../storage/store.ts';
import { action, type PageContext, page, redirectTo } from '../../page.ts';
import { flash } from '../../ui/flash.ts';
import { isTaken } from '../../ui/form-inputs.ts';
import type { Page } from '../../ui/layout.tsx';
import type { Viewer } from '../../viewer.ts';

/** The forms of the team by workspace, and the workspaces themselves. */
export function formsRoutes(context: Context) {
  const { store, clock, config } = context;

  const formsPage = async (
    { viewer, team, query }: PageContext<'read'>,
    refused: Refused | null = null,
  ): Promise<Page> => {
    const { texts } = viewer;
    const [workspaces, forms, stats] = await Promise.all([
      store.listWorkspaces(team.id),
      store.listForms(team.id),
      store.formStats(team.id, clock()),
    ]);
    const done = { workspace: texts.forms.workspaceCreated, renamed: texts.forms.workspaceRenamed };
    return {
      title: texts.sections.forms,
      section: 'forms',
      status: refused ? 400 : 200,
      done: flash(done, query),
      body: formsView(viewer, { workspaces, forms, stats, refused }),
    };
  };

  /** Does something with the name that was typed; one that does not fit leads back to it. */
  const withName = (
    page: PageContext<'read'>,
    sent: URLSearchParams,
    workspaceId: string | null,
    act: (name: string) => Promise<Response>,
  ): Promise<Page | Response> => {
    const typed = sent.get('name') ?? '';
    return isTaken(() => parseName(typed)) ? act(parseName(typed)) : formsPage(page, { workspaceId, typed });
  };

  return [
    page('/dashboard/forms', { access: 'read' }, (page) => formsPage(page)),
    action('/dashboard/workspaces', { access: 'edit', audit: 'workspace.created' }, (page, sent) =>
      withName(page, sent, null, async (name) => {
        const made = await createWorkspace({ ...context, plans: config.plans }, page.team.id, name);
        page.note({ workspace_id: made.id });
        return redirectTo('/dashboard/forms?done=workspace');
      }),
    ),
    action('/dashboard/workspaces/:workspaceId', { access: 'edit', audit: 'workspace.changed' }, async (page, sent) => {
      const id = page.param('workspaceId');
      const workspace = await store.findWorkspace(id);
      if (workspace?.teamId !== page.team.id) throw new AppError('not_found', 'There is no such workspace.');
      return withName(page, sent, id, async (name) => {
        await store.renameWorkspace(id, name, page.team.id);
        page.note({ settings: 'name' });
        return redirectTo('/dashboard/forms?done=renamed');
      });
    }),
  ];
}

/** A name that does not fit: of a workspace, or of a new one. */
type Refused = Readonly<{ workspaceId: string | null; typed: string }>;

type Shown = Readonly<{
  workspaces: readonly Workspace[];
  forms: readonly Form[];
  stats: ReadonlyMap<string, FormStats>;
  refused: Refused | null;
}>;

function formsView(viewer: Viewer, { workspaces, forms, stats, refused }: Shown): Html {
  const { forms: words, sections } = viewer.texts;
  const mayMake = viewer.can('edit');
  const groups = workspaces.map((workspace) => {
    const own = forms.filter(({ workspaceId }) => workspaceId === workspace.id);
    return html`<section class="workspace" aria-labelledby="${workspace.id}">
<div class="head"><h2 id="${workspace.id}">${workspace.name}</h2>${viewer.can('edit') && renaming(viewer, workspace, refused)}</div>
${
  own.length === 0
    ? html`<p class="soft">${words.noneInWorkspace} ${mayMake && html`<a href="/dashboard/forms/new?workspace=${workspace.id}">${words.new}</a>`}</p>`
    : html`<ul class="list">${own.map((form) => formEntry(viewer, form, stats.get(form.id)))}</ul>`
}
</section>`;
  });
  const isEmpty = forms.length === 0;
  return html`<div class="head"><h1>${sections.forms}</h1>${!isEmpty && mayMake && newFormLink(viewer)}</div>
${isEmpty && workspaces.length > 0 && html`<div class="empty"><h2>${words.none}</h2>${mayMake && html`<p>${words.noneText}</p><p>${newFormLink(viewer)}</p>`}</div>`}
${groups}
${viewer.can('edit') && addingWorkspace(viewer, workspaces.length === 0, refused)}`;
}

function newFormLink({ texts }: Viewer): Html {
  return html`<a class="button" href="/dashboard/forms/new">${texts.forms.new}</a>`;
}

function formEntry(viewer: Viewer, form: Form, stats: FormStats | undefined): Html {
  const { forms: words, form: formWords } = viewer.texts;
  const { unread = 0, lastArrival = null, days = [] } = stats ?? {};
  const received = words.inDays(viewer.number(days.reduce((sum, count) => sum + count, 0)));
  return html`<li class="form-entry">
<div><h3><a class="cover" href="/dashboard/forms/${form.id}">${form.name}</a></h3>
<p class="row small"><code class="soft">${form.shortId}</code>${!form.isActive && html`<span class="badge bad">${formWords.paused}</span>`}${
    unread > 0 && html`<span class="badge good">${words.unread(countUpTo99(viewer, unread))}</span>`
  }</p></div>
${
  lastArrival === null
    ? html`<p class="soft small">${words.nothingYet}</p>
<p class="small"><a class="above" href="/dashboard/forms/${form.id}/connect">${words.connect}</a></p>`
    : html`${sparkline(days, received)}
<p class="soft small">${received}<br>${words.lastArrival}: ${viewer.time(lastArrival)}</p>`
}
</li>`;
}

/** What was counted to 100 and no further: from there on `99+`. */
export function countUpTo99({ number }: Viewer, count: number): string {
  return count > 99 ? `${number(99)}+` : number(count);
}

const STEP = 4;
const HEIGHT = 28;

/** A bar for each day over a line; the day with most is as high as the picture. */
function sparkline(days: readonly number[], title: string): Html {
  const most = Math.max(1, ...days);
  const bars = days.map((count, day) => {
    const height = count === 0 ? 0 : Math.max(1, Math.round((count / most) * HEIGHT));
    return count === 0 ? '' : `M${day * STEP + STEP / 2} ${HEIGHT}v-${height}`;
  });
  const width = days.length * STEP;
  return html`<svg class="spark" viewBox="0 0 ${width} ${HEIGHT + 1}" preserveAspectRatio="none" role="img" aria-label="${title}"><title>${title}</title><path d="M0 ${HEIGHT + 0.5}H${width}" stroke="currentColor" opacity="0.35"/><path d="${bars.join('')}" stroke="currentColor" stroke-width="${STEP - 1}"/></svg>`;
}

function renaming(viewer: Viewer, { id, name }: Workspace, refused: Refused | null): Html {
  const { forms: words } = viewer.texts;
  const isRefused = refused?.workspaceId === id;
  return html`<details class="small"${isRefused ? html` open` : ''}><summary aria-label="${words.renameOf(name)}">${words.rename}</summary>
<form method="post" action="/dashboard/workspaces/${id}">
${isRefused && html`<p class="error" role="alert">${words.nameFault}</p>`}
<div class="row">
<input name="name" value="${isRefused ? refused.typed : name}" aria-label="${words.workspaceName}" required maxlength="200" autocomplete="off">
<button class="quiet">${viewer.texts.common.save}</button></div></form></details>`;
}

function addingWorkspace(viewer: Viewer, isOpen: boolean, refused: Refused | null): Html {
  const { forms: words } = viewer.texts;
  const isRefused = refused?.workspaceId === null;
  return html`<details class="workspace"${isOpen || isRefused ? html` open` : ''}><summary>${words.newWorkspace}</summary>
<form class="card" method="post" action="/dashboard/workspaces">
${isRefused && html`<p class="error" role="alert">${words.nameFault}</p>`}
<div class="field"><label for="new-workspace">${words.workspaceName}</label>
<input id="new-workspace" name="name" value="${isRefused ? refused.typed : ''}" required maxlength="200" autocomplete="off" aria-describedby="new-workspace-hint">
<span class="hint" id="new-workspace-hint">${words.workspaceHint}</span></div>
<button>${words.create}</button></form></details>`;
}
