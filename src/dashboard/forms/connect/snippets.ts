import { getSample, takesFiles } from '../../../domain/fields/field-types.ts';
import { CHALLENGES } from '../../../domain/forms/challenge.ts';
import { reactSnippet, svelteSnippet, vueSnippet } from './component-snippets.ts';
import * as parts from './controls.ts';
import { attribute, braced, inBraces, inShell, lines, quoted } from './escape.ts';

/** The names of the kinds of snippets, in the order of the page. */
export const SNIPPETS = {
  html: 'HTML',
  fetch: 'JavaScript',
  react: 'React',
  next: 'Next.js',
  vue: 'Vue',
  svelte: 'Svelte',
  astro: 'Astro',
  hugo: 'Hugo',
  eleventy: 'Eleventy',
  jekyll: 'Jekyll',
  wordpress: 'WordPress',
  webflow: 'Webflow',
  framer: 'Framer',
  curl: 'curl',
} as const;

export type SnippetName = keyof typeof SNIPPETS;

/** The kinds of snippets. */
export const SNIPPET_NAMES = Object.keys(SNIPPETS) as SnippetName[];

/** Ready-made code that posts to a form. `challengeScript` loads the widget of its challenge. */
export type Snippets = Readonly<Record<SnippetName, string> & { challengeScript: string | null }>;

/** Returns the address that a form posts to. `id` is its id or short id. */
export const submitAddress = (origin: string, id: string): string => `${origin}/v1/forms/${id}/submissions`;

/** Returns the manual's examples with a form's address and fields. */
export function getSnippets(form: parts.ConnectedForm, id: string, origin: string, t: parts.SnippetTexts): Snippets {
  const action = submitAddress(origin, id);
  const widget = getWidget(form, origin, id);
  const enctype = form.fields.some(takesFiles) ? ' enctype="multipart/form-data"' : '';
  const options = { form, action, widget, enctype, t };
  const html = htmlSnippet(options, origin);
  const react = reactSnippet(options);
  // Braces are syntax in templates of site generators.
  const template = htmlSnippet(options, origin, braced);
  return {
    html,
    fetch: fetchSnippet(options),
    react,
    next: `'use client';\n\n${react}`,
    hugo: template,
    eleventy: template,
    jekyll: template,
    wordpress: html,
    webflow: html,
    framer: html,
    vue: vueSnippet(options),
    svelte: svelteSnippet(options),
    astro: astroSnippet(options, origin, id),
    curl: curlSnippet(options),
    challengeScript: widget?.script ?? null,
  };
}

function htmlSnippet(
  { form, action, widget, enctype, t }: parts.SnippetOptions,
  origin: string,
  toLine = (line: string) => line,
): string {
  return lines(
    `<form action="${action}" method="post"${enctype} data-formstead>`,
    ...form.fields.flatMap((field) => parts.labeled(field, form, t)).map((line) => `  ${toLine(line)}`),
    `  ${parts.honeypot(t, parts.HTML)}`,
    widget && `  ${widget.element}`,
    `  <button>${t.send}</button>`,
    '</form>',
    widget?.script,
    `<script src="${origin}/formstead.js" defer></script>`,
  );
}

function fetchSnippet({ form, action, widget, enctype, t }: parts.SnippetOptions): string {
  return lines(
    `<form id="contact" action="${action}" method="post"${enctype}>`,
    ...form.fields.flatMap((field) => parts.labeled(field, form, t)).map((line) => `  ${line}`),
    `  ${parts.honeypot(t, parts.HTML)}`,
    widget && `  ${widget.element}`,
    `  <button>${t.send}</button>`,
    '  <p id="status" role="status"></p>',
    '</form>',
    widget?.script,
    `<script type="module">
  const form = document.querySelector('#contact');
  const status = document.querySelector('#status');
  let key = null;
  let sending = false;

  form.addEventListener('input', () => {
    key = null;
  });

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (sending) return;
    sending = true;
    key ??= crypto.randomUUID();
    status.textContent = ${quoted(t.sending)};
    try {
      const response = await fetch(form.getAttribute('action'), {
        method: 'POST',
        headers: { Accept: 'application/json', 'Idempotency-Key': key },
        body: new FormData(form),
      });
      const answer = await response.json();
      // The page that follows has the spam check and the entries.
      if (answer.challenge_url) form.submit();
      const texts = (answer.errors ?? []).map((error) => \`\${error.field}: \${error.message}\`);
      status.textContent = [answer.message, ...texts].join(' ');
      if (answer.success) form.reset();
      if (response.status < 500 && response.status !== 409) key = null;
    } catch {
      status.textContent = ${quoted(t.failed)};
    }
    sending = false;
  });
</script>`,
  );
}

function astroSnippet({ form, widget, enctype, t }: parts.SnippetOptions, origin: string, id: string): string {
  return lines(
    '---',
    `const { formId = '${id}', instance = ${quoted(origin)} } = Astro.props;`,
    '---',
    `<form action={\`\${instance}/v1/forms/\${formId}/submissions\`} method="post"${enctype} data-formstead>`,
    ...form.fields.flatMap((field) => parts.labeled(field, form, t)).map((line) => `  ${braced(line)}`),
    `  ${parts.honeypot(t, { ...parts.HTML, text: inBraces })}`,
    widget && `  ${widget.element}`,
    `  <button>${inBraces(t.send)}</button>`,
    '</form>',
    widget?.script.replace('<script', '<script is:inline'),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Astro's.
    '<script is:inline src={`${instance}/formstead.js`} defer></script>',
  );
}

function curlSnippet({ form, action, enctype }: parts.SnippetOptions): string {
  const text = enctype === '' ? '--data-urlencode' : '--form-string';
  const options = form.fields.map((field) => {
    if (takesFiles(field)) return `-F ${inShell(`${field.name}=@document.pdf`)}`;
    const name = enctype === '' ? encodeURIComponent(field.name.toWellFormed()) : field.name;
    return `${text} ${inShell(`${name}=${getSample(field)}`)}`;
  });
  return [`curl ${action}`, ...options].join(' \\\n  ');
}

/** Returns the widget of the form's challenge. */
function getWidget(
  { challenge, challengeVerifyUrl }: parts.ConnectedForm,
  origin: string,
  id: string,
): parts.Widget | null {
  const component = (element: string, script: string): parts.Widget => ({
    element,
    jsx: element,
    script: `<script src="${script}" type="module"></script>`,
  });
  if (challenge === null) return null;
  const { keyed } = CHALLENGES[challenge];
  if (keyed) {
    return {
      element: `<div class="${keyed.className}" data-sitekey="YOUR_SITE_KEY"></div>`,
      jsx: `<div className="${keyed.className}" data-sitekey="YOUR_SITE_KEY" />`,
      script: `<script src="${keyed.script}" async defer></script>`,
    };
  }
  switch (challenge) {
    case 'altcha': {
      const address = `${origin}/v1/forms/${id}/challenge`;
      return component(`<altcha-widget auto="onsubmit" challenge="${address}"></altcha-widget>`, `${origin}/altcha.js`);
    }
    case 'cap': {
      const endpoint = attribute((challengeVerifyUrl ?? '').replace(/siteverify\/?$/, ''));
      return component(
        `<cap-widget data-cap-api-endpoint=${endpoint}></cap-widget>`,
        'https://cdn.jsdelivr.net/npm/cap-widget',
      );
    }
    default:
      return {
        element: '<input type="hidden" name="captcha-response">',
        jsx: '<input type="hidden" name="captcha-response" />',
        script: '<!-- The script of your service -->',
      };
  }
}
