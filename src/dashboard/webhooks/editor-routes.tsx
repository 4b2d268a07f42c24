/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { ADDRESS_OPTIONS } from '../../delivery/targets/index.ts';
import type { When } from '../../domain/forms/condition.ts';
import type { Form } from '../../domain/forms/form.ts';
import { hasLimit, planNamed } from '../../domain/teams/plan.ts';
import { tryDestinations } from '../../services/forms/try-destinations.ts';
import { readExcerpt } from '../../services/submissions/read-submission.ts';
import { readSettings } from '../../services/webhooks/read-webhook.ts';
import { createWebhook, updateWebhook } from '../../services/webhooks/webhooks.ts';
import { action, type DashboardRoute, findForm, type Page, type PageContext, page, redirectTo } from '../page.ts';
import { getBrief } from '../ui/payload-text.ts';
import * as drafts from './draft.ts';
import { type EditorProps, EditorView } from './editor-view.tsx';
import type { Trial } from './test-view.tsx';
import { WEBHOOKS_TEXTS } from './texts.ts';
import { getAddress, type ShownWebhook } from './webhook-buttons.tsx';
import { findIntactWebhook, webhookPage } from './webhook-view.tsx';

const LIST = '/dashboard/forms/:formId/webhooks';
const TRIED = 100;
/** Submissions that a trial lists. */
const LISTED = 20;

type ManagePage = PageContext<'manage'>;

/** Creates and changes webhooks. */
export const editorRoutes: readonly DashboardRoute[] = [
  page(`${LIST}/new`, { access: 'manage' }, showNew),
  action(`${LIST}/new`, { access: 'manage', audit: 'webhook.created', needsPassword: isSaving }, async (page, input) =>
    save(page, input, { form: await findForm(page), shown: null }),
  ),
  page(`${LIST}/:webhookId/settings`, { access: 'manage' }, showSaved),
  action(
    `${LIST}/:webhookId/settings`,
    { access: 'manage', audit: 'webhook.changed', needsPassword: changesAddress },
    async (page, input) => save(page, input, await findIntactWebhook(page)),
  ),
];

async function showNew(page: ManagePage): Promise<Page> {
  return editorPage(page, { form: await findForm(page), shown: null, draft: drafts.newDraft(page.query.get('kind')) });
}

async function showSaved(page: ManagePage): Promise<Page> {
  const { form, shown } = await findIntactWebhook(page);
  return editorPage(page, { form, shown, draft: drafts.getDraft(shown.webhook, shown.settings) });
}

/** Saves the draft as a webhook, a new one without `shown`. */
async function save(
  page: ManagePage,
  input: URLSearchParams,
  { form, shown }: Omit<Edited, 'draft'>,
): Promise<Page | Response> {
  const { context, viewer, team, user, note } = page;
  const draft = drafts.readDraft(shown?.webhook.kind ?? input.get('kind'), input);
  const editor = { form, shown, draft };
  const unsaved = await editorActions(page, editor, input);
  if (unsaved) return unsaved;
  const parsed = drafts.parseDraft(draft, viewer, shown === null);
  if ('errors' in parsed) return editorPage(page, { ...editor, errors: parsed.errors });
  try {
    if (shown) {
      await updateWebhook(context, shown.webhook.id, parsed.value, team.id, user.id);
      return redirectTo(getAddress(shown.webhook, '?done=saved'));
    }
    const { webhook, secret } = await createWebhook(context, form.id, draft.kind, parsed.value, user.id);
    note({ webhook_id: webhook.id });
    if (secret === null) return redirectTo(getAddress(webhook, '?done=created'));
    const made = { webhook, settings: readSettings(context.vault, context.log, webhook) };
    const done = WEBHOOKS_TEXTS[viewer.language].done.created;
    return { ...(await webhookPage(page, { form, shown: made }, { secret })), done };
  } catch (error) {
    return editorPage(page, { ...editor, errors: drafts.getErrors(error, viewer.texts) });
  }
}

async function changesAddress(input: URLSearchParams, page: ManagePage): Promise<boolean> {
  const { webhook, settings } = (await findIntactWebhook(page)).shown;
  const draft = drafts.readDraft(webhook.kind, input);
  const isSame = draft.url === '' && ADDRESS_OPTIONS.every((name) => draft[name] === (settings[name] ?? ''));
  return isSaving(input) && !isSame;
}

/** Adds, removes or tries conditions without saving; returns null if none of these buttons was pressed. */
async function editorActions(page: ManagePage, editor: Edited, input: URLSearchParams): Promise<Page | null> {
  const edited = drafts.editDraft(editor.draft, input);
  if (!edited && !input.has('try')) return null;
  page.note({}, { action: null });
  if (edited) return editorPage(page, { ...editor, draft: edited });
  const when = drafts.parseConditions(editor.draft, page.viewer);
  if ('errors' in when) return editorPage(page, { ...editor, errors: when.errors });
  return editorPage(page, { ...editor, trial: await getTrial(page, editor, when.value) });
}

/** Decides about the latest submissions as if the draft were saved. */
async function getTrial({ context, viewer }: ManagePage, { form, shown, draft }: Edited, when: When): Promise<Trial> {
  const id = shown?.webhook.id ?? '';
  const route = { id, events: ['submission.created'], includeSpam: draft.includeSpam, when } as const;
  const webhookRoutes = [...form.webhookRoutes.filter((other) => other.id !== id), route];
  let listed = 0;
  const tried = await tryDestinations(context, { ...form, webhookRoutes }, TRIED, (submission, routes) => {
    const isSent = routes.webhooks.includes(route);
    listed += 1;
    const payload = listed <= LISTED ? readExcerpt(context.vault, context.log, submission) : null;
    const who = payload && getBrief(form, payload, viewer.values).who;
    return { id: submission.id, createdAt: submission.createdAt, who, isSent, isFallback: routes.isFallback };
  });
  const sent = tried.filter(({ isSent }) => isSent);
  return {
    count: tried.length,
    sentCount: sent.length,
    fallbackCount: sent.filter(({ isFallback }) => isFallback).length,
    newest: tried.slice(0, LISTED),
  };
}

/** Tells if the editor was submitted to save, not to add, remove or try conditions. */
function isSaving(input: URLSearchParams): boolean {
  return !['add', 'remove', 'try'].some((button) => input.has(button));
}

/** A draft with its form, and its webhook if there is one. */
type Edited = Readonly<{ form: Form; shown: ShownWebhook | null; draft: drafts.Draft }>;

function editorPage(
  { context, viewer, team }: ManagePage,
  { errors = {}, trial = null, ...editor }: Edited & Partial<Pick<EditorProps, 'errors' | 'trial'>>,
): Page {
  const t = WEBHOOKS_TEXTS[viewer.language];
  const isLimited = hasLimit(planNamed(context.config.plans, team.plan));
  return {
    title: `${editor.shown ? t.settingsTitle : t.add} · ${editor.form.name}`,
    section: 'forms',
    status: Object.keys(errors).length > 0 ? 400 : 200,
    body: <EditorView viewer={viewer} isLimited={isLimited} {...editor} errors={errors} trial={trial} />,
  };
}
