import type { Context } from '../../../context.ts';
import { AppError } from '../../../domain/errors.ts';
import type { Form } from '../../../domain/form.ts';
import { templateFields } from '../../../domain/form-templates.ts';
import type { StoredSubmission } from '../../../domain/submission.ts';
import { acceptPost, type Intake } from '../../../intake/accept.ts';
import { toPayload } from '../../../intake/decode/entries.ts';
import { isAllowedType } from '../../../intake/file-type.ts';
import { Upload } from '../../../intake/upload.ts';
import { type Html, html } from '../../../lib/html.ts';
import type { Texts } from '../../i18n/index.ts';
import { action, type PageContext, page, redirectTo } from '../../page.ts';
import { formHead } from '../../ui/form-head.ts';
import type { Page } from '../../ui/layout.tsx';
import type { Viewer } from '../../viewer.ts';
import { sampleOf, snippetsOf, submitAddress } from './snippets.ts';

/** How a page is connected to a form, and a try of it. */
export function formConnectRoutes({ store, blobs, config }: Context, intake: Intake) {
  const ownForm = async ({ param, team }: PageContext<'read'>): Promise<Form> => {
    const form = await store.findForm(param('formId'), team.id);
    if (!form) throw new AppError('not_found', 'There is no such form.');
    return form;
  };

  const connectPage = (
    { request, query, viewer }: PageContext<'read'>,
    form: Form,
    outcome: Readonly<{ arrived?: StoredSubmission | null; refused?: AppError }>,
  ): Page => {
    const instance = config.baseUrl ?? new URL(request.url).origin;
    return {
      title: `${viewer.texts.form.connect} · ${form.name}`,
      section: 'forms',
      status: outcome.refused?.status ?? 200,
      done: query.get('done') === 'created' ? viewer.texts.connect.created : null,
      body: connectView(viewer, form, instance, viewer.can('edit') && testView(viewer, form, outcome)),
    };
  };

  /** Takes what a visitor might send through the intake; its id. */
  const sendTest = async (form: Form, { texts }: Viewer, email: string): Promise<string | null> => {
    const limits = { files: config.maxFiles, fileBytes: config.maxFileBytes, fileTypes: form.allowedFileTypes };
    const upload = new Upload(blobs, limits);
    const fields = fieldsOf(form, texts).filter(({ name }) => !name.startsWith('_'));
    const entries = fields
      .filter(({ type }) => type !== 'file')
      .map((field) => {
        if (field.type === 'textarea') return [field.name, texts.connect.message] as const;
        return [field.name, field.type === 'email' ? email : sampleOf(field)] as const;
      });
    const file = SAMPLE_FILES.find(({ type }) => isAllowedType(form.allowedFileTypes, { type, isContradicted: false }));
    try {
      for (const { name } of fields.filter(({ type }) => type === 'file').slice(0, config.maxFiles)) {
        if (!file) break;
        await upload.start({ field: name, name: file.name, contentType: file.type });
        await upload.write(file.bytes);
        await upload.finish();
      }
      const tried = { ...form, challenge: null, enforcesRules: false };
      return await acceptPost(intake, tried, { sent: toPayload(entries), upload, idempotencyKey: null });
    } finally {
      await upload.discard();
    }
  };

  return [
    page('/dashboard/forms/:formId/connect', { access: 'read' }, async (page) => {
      const form = await ownForm(page);
      const id = page.query.get('test');
      const arrived = id === null ? null : await store.findSubmission(id, page.team.id);
      return connectPage(page, form, { arrived: arrived?.formId === form.id ? arrived : null });
    }),
    action('/dashboard/forms/:formId/connect/test', { access: 'edit', audit: 'form.tested' }, async (page) => {
      const form = await ownForm(page);
      try {
        const id = await sendTest(form, page.viewer, page.user.email);
        if (id !== null) page.note({ submission_id: id });
        return redirectTo(`/dashboard/forms/${form.id}/connect?test=${id}#test`);
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        return connectPage(page, form, { refused: error });
      }
    }),
  ];
}

/** One of each kind that forms ask for; the first that a form takes is sent. */
const SAMPLE_FILES = [
  { name: 'test.txt', type: 'text/plain', bytes: Buffer.from('Test\n') },
  {
    name: 'test.pdf',
    type: 'application/pdf',
    bytes: Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n'),
  },
  {
    name: 'test.png',
    type: 'image/png',
    bytes: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  },
];

/** What to show for a form that has no fields of its own. */
function fieldsOf({ fields }: Form, { templates }: Texts) {
  return fields.length > 0 ? fields : templateFields('contact', templates.labels);
}

function connectView(viewer: Viewer, form: Form, instance: string, test: Html | false): Html {
  const { connect: words } = viewer.texts;
  const shown = { ...form, fields: fieldsOf(form, viewer.texts) };
  const snippets = snippetsOf(shown, form.shortId, instance, words.words);
  const needsKey = form.challenge && ['turnstile', 'hcaptcha', 'recaptcha'].includes(form.challenge);
  const script = snippets.challengeScript;
  return html`${formHead(viewer, form, 'connect')}
<section class="card" aria-labelledby="address-title"><h2 id="address-title">${words.address}</h2>
<p class="soft">${words.addressText}</p>
${copied(viewer, 'address', submitAddress(instance, form.shortId))}</section>
<section class="card" aria-labelledby="snippets-title"><h2 id="snippets-title">${words.snippets}</h2>
<p class="soft">${words.snippetsText}</p>
${needsKey && html`<p class="note">${words.siteKey}</p>`}${form.challenge === 'custom' && html`<p class="note">${words.custom}</p>`}
${snippet(viewer, 'html', snippets.html, null, true)}
${snippet(viewer, 'fetch', snippets.fetch)}
${snippet(viewer, 'react', snippets.react, script === null ? null : html`<p>${words.reactScript}</p>${copied(viewer, 'react-script', script)}`)}
${snippet(viewer, 'astro', snippets.astro)}
${snippet(viewer, 'curl', snippets.curl, form.challenge && html`<p class="note">${words.curlChallenge}</p>`)}
</section>
${test}`;
}

function snippet(
  viewer: Viewer,
  name: 'html' | 'fetch' | 'react' | 'astro' | 'curl',
  code: string,
  remark: Html | null = null,
  isOpen = false,
): Html {
  const { connect: words } = viewer.texts;
  return html`<details class="snippet"${isOpen ? html` open` : ''}><summary>${words[name]}</summary>
<p class="soft small">${words[`${name}Text`]}</p>${copied(viewer, name, code)}${remark}</details>`;
}

/** Code, with a button that copies it where script runs. */
function copied({ texts }: Viewer, id: string, code: string): Html {
  const { connect: words } = texts;
  return html`<div class="code"><pre id="code-${id}" tabindex="0">${code}</pre>
<button type="button" class="quiet" data-copy="code-${id}" data-copied="${words.copied}" hidden>${words.copy}</button></div>`;
}

function testView(
  { texts, time }: Viewer,
  form: Form,
  { arrived, refused }: Readonly<{ arrived?: StoredSubmission | null; refused?: AppError }>,
): Html {
  const { connect: words } = texts;
  const reasons: Readonly<Record<string, string>> = words.refused;
  return html`<section class="card" id="test" aria-labelledby="test-title"><h2 id="test-title">${words.test}</h2>
<p class="soft">${words.testText}</p>
${refused && html`<p class="error" role="alert">${reasons[refused.code] ?? words.refused.other}</p>`}
${
  arrived &&
  html`<p class="done" role="status">${arrived.isSpam ? words.flagged : words.arrived} ${time(arrived.createdAt)} · <a href="/dashboard/submissions/${arrived.id}">${words.look}</a></p>`
}
<form method="post" action="/dashboard/forms/${form.id}/connect/test#test"><button>${words.send}</button></form></section>`;
}
