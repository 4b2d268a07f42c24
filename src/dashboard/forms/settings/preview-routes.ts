import { AppError } from '../../../domain/errors.ts';
import { samplePayload } from '../../../domain/fields/field-types.ts';
import type { Form } from '../../../domain/forms/form.ts';
import { HOUR } from '../../../lib/clock.ts';
import { SlidingWindow } from '../../../lib/sliding-window.ts';
import { sampleMail } from '../../../services/mail/sample-mail.ts';
import { sendSample } from '../../../services/mail/test-mail.ts';
import { hostedPage } from '../../../visitor/hosted-page.tsx';
import { getLook } from '../../../visitor/look.ts';
import { thanksPage } from '../../../visitor/page.tsx';
import { MAIL_PAGES_TEXTS } from '../../mail/texts.ts';
import { action, type DashboardRoute, findForm, type Page, type PageContext, page, redirectTo } from '../../page.ts';
import { getFields } from '../../ui/sample-fields.ts';
import { previewFields, readDraft } from './fields.ts';
import { FRAMED } from './preview-view.tsx';
import { parseSection } from './sections.ts';
import { getAddress, settingsPage } from './settings-page.tsx';

const TESTS_PER_HOUR = 20;

const SAMPLES = [FRAMED.mail, FRAMED.reply] as const;

/** Mails have their own styles. `sandbox` keeps their page apart from the dashboard, without scripts and forms. */
const MAIL_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'self'",
  'Cache-Control': 'no-store',
};

type EditPage = PageContext<'edit'>;

/** Previews of the thank-you page and of mails with sample values, and an action that sends such a mail. */
export function previewRoutes(): readonly DashboardRoute[] {
  const tests = new SlidingWindow(TESTS_PER_HOUR, HOUR);
  const path = '/dashboard/forms/:formId/preview/:preview';
  return [
    page(path, { access: 'edit' }, show),
    action(path, { access: 'edit', audit: 'mail.tested' }, (page) => send(page, tests)),
    action('/dashboard/forms/:formId/settings/:section/preview', { access: 'edit', audit: null }, showDraft),
  ];
}

function findSample({ context, param, viewer }: EditPage, form: Form) {
  const kind = SAMPLES.find((kind) => kind === param('preview'));
  const { texts, language } = viewer;
  const { baseUrl } = context.config;
  const mail = kind && sampleMail(kind, form, samplePayload(getFields(form, texts)), { language, baseUrl });
  if (kind && mail) return { kind, mail };
  throw new AppError('not_found', 'This form has nothing of that kind to preview.');
}

async function show(page: EditPage): Promise<Response> {
  const form = await findForm(page);
  if (page.param('preview') === 'page') return hostedPreview(page, form);
  if (page.param('preview') !== 'thanks') {
    return new Response(findSample(page, form).mail.html, { headers: MAIL_HEADERS });
  }
  const look = { ...(await getLook(page.context.store, form, false)), framedBy: ["'self'"] };
  // Without the referrer, whose link back would leave the frame.
  const { url, headers } = page.request;
  const request = new Request(url, { headers: { 'Accept-Language': headers.get('accept-language') ?? '' } });
  const response = thanksPage(request, form, {}, { look });
  response.headers.set('Cache-Control', 'no-store');
  return response;
}

/** Shows the hosted page with unsaved input of a section. */
async function showDraft(page: EditPage, input: URLSearchParams): Promise<Response> {
  const form = await findForm(page);
  const isFields = page.param('section') === 'fields';
  const draft = isFields
    ? { fields: previewFields(readDraft(input)) }
    : parseSection('appearance', form, input, page.viewer, () => ({ ...form })).changes;
  return hostedPreview(page, { ...form, ...draft });
}

/**
 * Returns the hosted page for a frame of the settings, whose script reads further ones. It has no challenge, because it
 * sends nothing.
 */
async function hostedPreview({ context, request }: EditPage, form: Form): Promise<Response> {
  const look = { ...(await getLook(context.store, form, false)), framedBy: request.method === 'GET' ? ["'self'"] : [] };
  return hostedPage(request, { form: { ...form, challenge: null }, look, stamp: '', consent: null, refused: null });
}

async function send(page: EditPage, tests: SlidingWindow): Promise<Page | Response> {
  const { context, viewer, user } = page;
  const form = await findForm(page);
  const { kind, mail } = findSample(page, form);
  const section = kind === FRAMED.mail ? 'mail' : 'reply';
  const refuse = (error: string, status: number) => settingsPage(page, form, section, { test: { error, status } });
  if (!tests.take(user.id, context.monotonic()).allowed)
    return refuse(MAIL_PAGES_TEXTS[viewer.language].tooManyTests, 429);
  try {
    await sendSample(context, mail, user.email, viewer.language);
    return redirectTo(`${getAddress(form, section)}?done=sent`);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
    return refuse(error.message, 400);
  }
}
