import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import type { Form } from '../../domain/form.ts';
import { templateFields } from '../../domain/form-templates.ts';
import type { StoredSubmission } from '../../domain/submission.ts';
import { acceptPost, type Intake } from '../../intake/accept.ts';
import { toPayload } from '../../intake/decode/entries.ts';
import { isAllowedType } from '../../intake/file-type.ts';
import { Upload } from '../../intake/upload.ts';
import { type Html, html } from '../../lib/html.ts';
import { formHead } from './form-head.ts';
import type { Page } from './layout.ts';
import type { Reader } from './reader.ts';
import { sampleOf, snippetsOf, submitAddress } from './snippets.ts';
import type { Texts } from './texts/index.ts';
import { redirectTo, type SignedInVisit, UNREAD_BODY, type Visits } from './visit.ts';

/** How a page is connected to a form, and a try of it. */
export function formConnectPages({ store, blobs, config }: Context, visits: Visits, intake: Intake) {
  const ownForm = async ({ param, team }: SignedInVisit): Promise<Form> => {
    const form = await store.findForm(param('formId'), team.id);
    if (!form) throw new AppError('not_found', 'There is no such form.');
    return form;
  };

  const connectPage = (
    { request, query, reader }: SignedInVisit,
    form: Form,
    outcome: Readonly<{ arrived?: StoredSubmission | null; refused?: AppError }>,
  ): Page => {
    const instance = config.baseUrl ?? new URL(request.url).origin;
    return {
      title: `${reader.texts.form.connect} · ${form.name}`,
      section: 'forms',
      status: outcome.refused?.status ?? 200,
      done: query.get('done') === 'created' ? reader.texts.connect.created : null,
      body: connectView(
        reader,
        form,
        instance,
        reader.may('POST /dashboard/forms/:formId/connect/test') && testView(reader, form, outcome),
      ),
    };
  };

  /** Takes what a visitor might send through the intake; its id. */
  const sendTest = async (form: Form, { texts }: Reader, email: string): Promise<string | null> => {
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

  return new Elysia()
    .get(
      '/dashboard/forms/:formId/connect',
      visits.page(async (visit) => {
        const form = await ownForm(visit);
        const id = visit.query.get('test');
        const arrived = id === null ? null : await store.findSubmission(id, visit.team.id);
        return connectPage(visit, form, { arrived: arrived?.formId === form.id ? arrived : null });
      }),
    )
    .post(
      '/dashboard/forms/:formId/connect/test',
      visits.action(async (visit) => {
        const form = await ownForm(visit);
        try {
          const id = await sendTest(form, visit.reader, visit.user.email);
          if (id !== null) visit.note({ submission_id: id });
          return redirectTo(`/dashboard/forms/${form.id}/connect?test=${id}#test`);
        } catch (error) {
          if (!(error instanceof AppError) || error.status >= 500) throw error;
          return connectPage(visit, form, { refused: error });
        }
      }),
      UNREAD_BODY,
    );
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

function connectView(reader: Reader, form: Form, instance: string, test: Html | false): Html {
  const { connect: words } = reader.texts;
  const shown = { ...form, fields: fieldsOf(form, reader.texts) };
  const snippets = snippetsOf(shown, form.shortId, instance, words.words);
  const needsKey = form.challenge && ['turnstile', 'hcaptcha', 'recaptcha'].includes(form.challenge);
  const script = snippets.challengeScript;
  return html`${formHead(reader, form, 'connect')}
<section class="card" aria-labelledby="address-title"><h2 id="address-title">${words.address}</h2>
<p class="soft">${words.addressText}</p>
${copied(reader, 'address', submitAddress(instance, form.shortId))}</section>
<section class="card" aria-labelledby="snippets-title"><h2 id="snippets-title">${words.snippets}</h2>
<p class="soft">${words.snippetsText}</p>
${needsKey && html`<p class="note">${words.siteKey}</p>`}${form.challenge === 'custom' && html`<p class="note">${words.custom}</p>`}
${snippet(reader, 'html', snippets.html, null, true)}
${snippet(reader, 'fetch', snippets.fetch)}
${snippet(reader, 'react', snippets.react, script === null ? null : html`<p>${words.reactScript}</p>${copied(reader, 'react-script', script)}`)}
${snippet(reader, 'astro', snippets.astro)}
${snippet(reader, 'curl', snippets.curl, form.challenge && html`<p class="note">${words.curlChallenge}</p>`)}
</section>
${test}`;
}

function snippet(
  reader: Reader,
  name: 'html' | 'fetch' | 'react' | 'astro' | 'curl',
  code: string,
  remark: Html | null = null,
  isOpen = false,
): Html {
  const { connect: words } = reader.texts;
  return html`<details class="snippet"${isOpen ? html` open` : ''}><summary>${words[name]}</summary>
<p class="soft small">${words[`${name}Text`]}</p>${copied(reader, name, code)}${remark}</details>`;
}

/** Code, with a button that copies it where script runs. */
function copied({ texts }: Reader, id: string, code: string): Html {
  const { connect: words } = texts;
  return html`<div class="code"><pre id="code-${id}" tabindex="0">${code}</pre>
<button type="button" class="quiet" data-copy="code-${id}" data-copied="${words.copied}" hidden>${words.copy}</button></div>`;
}

function testView(
  { texts, time }: Reader,
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
