/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { SharedContext } from '../../../context/server-context.ts';
import { AppError } from '../../../domain/errors.ts';
import { CHALLENGE_KINDS } from '../../../domain/forms/challenge.ts';
import type { Form } from '../../../domain/forms/form.ts';
import type { StoredSubmission } from '../../../domain/submissions/submission.ts';
import { namedNextPage } from '../../../intake/control-fields.ts';
import { readExcerpt, readPayload, readSource } from '../../../services/submissions/read-submission.ts';
import { action, findForm, type Page, type PageContext, page, redirectTo, withAssets } from '../../page.ts';
import { featureAssets } from '../../ui/assets.ts';
import { getBrief } from '../../ui/payload-text.ts';
import type { Viewer } from '../../viewer.ts';
import { ConnectView, type TestResult } from './connect-view.tsx';
import script from './script.js' with { type: 'text' };
import { SNIPPET_NAMES, type SnippetName } from './snippets.ts';
import style from './style.css' with { type: 'text' };
import { submitTest } from './test-submission.ts';
import { CONNECT_TEXTS } from './texts.ts';

const ASSETS = featureAssets('connect', style, script);

/** Snippets of a form, and its test submission. */
export function formConnectRoutes({ vault, log, config }: SharedContext) {
  const readArrival = ({ values }: Viewer, form: Form, submission: StoredSubmission) => ({
    ...getBrief(form, readExcerpt(vault, log, submission) ?? [], values),
    page: readSource(vault, log, submission)?.page ?? null,
    submission,
  });

  const connectPage = async (
    { context: { store }, request, query, viewer }: PageContext<'read'>,
    form: Form,
    result: TestResult,
  ): Promise<Page> => {
    const first = (await store.submissions.listRecent(form.id, { onlySpam: false, limit: 2 })) ?? [];
    const [newest, other] = first;
    const sent = newest ? (readPayload(vault, log, newest) ?? []) : [];
    const snippet = SNIPPET_NAMES.find((name) => name === query.get('snippet')) ?? 'html';
    const challenge = CHALLENGE_KINDS.find((kind) => kind === query.get('challenge'));
    const origin = config.baseUrl ?? new URL(request.url).origin;
    const getHref = (name: SnippetName) =>
      `?${challenge ? `challenge=${challenge}&` : ''}snippet=${name}#snippets-title`;
    const arrival = { count: first.length, first: newest && !other ? readArrival(viewer, form, newest) : null };
    return {
      title: `${viewer.texts.form.connect} · ${form.name}`,
      section: 'forms',
      status: result.refusal?.status ?? 200,
      done: query.get('done') === 'created' ? CONNECT_TEXTS[viewer.language].created : null,
      body: (
        <ConnectView
          {...{ viewer, form, origin, result, snippet, getHref, arrival }}
          unusedNext={namedNextPage(sent)}
        />
      ),
    };
  };

  const show = async (page: PageContext<'read'>): Promise<Page> => {
    const saved = await findForm(page);
    // The settings link to the snippet of a challenge before it is turned on.
    const challenge = CHALLENGE_KINDS.find((kind) => kind === page.query.get('challenge'));
    const form = challenge ? { ...saved, challenge } : saved;
    const id = page.query.get('test');
    const submission = id === null ? null : await page.context.store.submissions.find(id, page.team.id);
    return connectPage(page, form, { submission: submission?.formId === form.id ? submission : null });
  };

  const test = async (page: PageContext<'edit'>): Promise<Page | Response> => {
    const form = await findForm(page);
    try {
      const id = await submitTest(page.context, form, page.viewer, page.user.email);
      if (id !== null) page.note({ submission_id: id });
      return redirectTo(`/dashboard/forms/${form.id}/connect?test=${id}#test`);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      return connectPage(page, form, { refusal: error });
    }
  };

  return withAssets(ASSETS, [
    page('/dashboard/forms/:formId/connect', { access: 'read' }, show),
    action('/dashboard/forms/:formId/connect/test', { access: 'edit', audit: 'form.tested' }, test),
  ]);
}
