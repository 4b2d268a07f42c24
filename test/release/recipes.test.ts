import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unpackDebian } from '../support/debian.ts';
import { documentText, namedBlock } from '../support/documents.ts';
import { type Instance, startInstance, temporaryDir } from '../support/instance.ts';
import { limit } from '../support/speed.ts';

/** Builds each recipe with its program, posts the form of the page that comes out, and reads the submission back. */

const PACKAGES = join(import.meta.dir, '../recipes');
const MESSAGE = { email: 'ada@example.com', message: 'Hello' };

const folder = temporaryDir();
const debian = join(folder, 'debian');
let libraries = '';
let instance: Instance;
beforeAll(async () => {
  await run(['bun', 'install', '--frozen-lockfile', '--silent'], PACKAGES);
  libraries = await unpackDebian(debian, ['hugo', 'jekyll', 'php8.2-cli']);
  instance = await startInstance();
}, limit(300));
afterAll(async () => {
  await instance.stop();
  rmSync(folder, { recursive: true });
});

/** Runs a program in a project and returns its output. Throws its output if it fails. */
async function run(command: string[], cwd: string, env: Record<string, string> = {}): Promise<string> {
  const child = Bun.spawn(command, {
    cwd,
    env: { PATH: Bun.env.PATH, HOME: folder, LANG: 'C.UTF-8', CI: '1', NEXT_TELEMETRY_DISABLED: '1', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${command.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

/** Writes the files of a project with the packages of the recipes and returns its folder. */
function project(name: string, files: Readonly<Record<string, string>>): string {
  const root = join(folder, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  symlinkSync(join(PACKAGES, 'node_modules'), join(root, 'node_modules'));
  return root;
}

/** Returns a block of the manual for this instance and form. */
function recipe(name: string, formId: string): string {
  return namedBlock(name).replaceAll('http://127.0.0.1:3000', instance.url).replaceAll('FORM_ID', formId);
}

type FoundForm = { action: string; method: string; names: string[]; scripts: string[] };

/** Returns the form of a page, the names of its fields, and the scripts of the page. */
async function findForm(page: string): Promise<FoundForm> {
  const found: FoundForm = { action: '', method: '', names: [], scripts: [] };
  const rewriter = new HTMLRewriter()
    .on('form', {
      element: (form) => {
        found.action = (form.getAttribute('action') ?? '').replaceAll('&amp;', '&');
        found.method = form.getAttribute('method') ?? '';
      },
    })
    .on('form input[name], form textarea[name]', {
      element: (field) => void found.names.push(field.getAttribute('name') ?? ''),
    })
    .on('script[src], link[rel=preload][as=script]', {
      element: (script) => void found.scripts.push(script.getAttribute('src') ?? script.getAttribute('href') ?? ''),
    });
  await rewriter.transform(new Response(page)).text();
  return found;
}

/** Posts the form of a page as a browser without script does, and expects exactly this submission to be stored. */
async function postFrom(build: (formId: string) => Promise<string>, withScript = true): Promise<void> {
  const owner = await instance.makeOwner();
  const { action, method, names, scripts } = await findForm(await build(owner.form.id));
  expect(method.toLowerCase()).toBe('post');
  if (withScript) expect(scripts).toContain(`${instance.url}/formstead.js`);
  const fields = Object.fromEntries(names.map((name) => [name, ({ ...MESSAGE, name: 'Ada' } as never)[name] ?? '']));
  const answer = await fetch(action, {
    method: 'POST',
    headers: { Accept: 'text/html' },
    body: new URLSearchParams(fields),
  });
  expect(answer.status).toBe(200);
  expect((await instance.stored(owner)).map(({ data }) => data)).toEqual([
    expect.objectContaining(MESSAGE) as typeof MESSAGE,
  ]);
}

/** The words that include the partial in a page of a program, as the table of the manual has them. */
function inclusion(program: string): string {
  const row = new RegExp(`^\\| ${program} \\| \`([^\`]+)\` \\| \`(.+)\` \\|$`, 'm');
  const [, , text = ''] = row.exec(documentText('src/manual/recipes.md')) ?? [];
  return text;
}

test(
  'Hugo',
  () =>
    postFrom(async (formId) => {
      const root = project('hugo', {
        'config.toml': 'title = "Site"',
        'layouts/_default/single.html': '<main>{{ .Content }}</main>',
        'layouts/shortcodes/contact.html': recipe('plain', formId),
        'content/contact.md': `---\ntitle: Contact\n---\n${inclusion('Hugo')}\n`,
      });
      await run([join(debian, 'usr/bin/hugo'), '--quiet'], root, { LD_LIBRARY_PATH: libraries });
      return Bun.file(join(root, 'public/contact/index.html')).text();
    }),
  limit(60),
);

test(
  'Eleventy',
  () =>
    postFrom(async (formId) => {
      const root = project('eleventy', {
        'package.json': '{ "type": "module" }',
        '_includes/contact.html': recipe('plain', formId),
        'contact.md': inclusion('Eleventy'),
      });
      await run(['node', 'node_modules/@11ty/eleventy/cmd.cjs', '--quiet'], root);
      return Bun.file(join(root, '_site/contact/index.html')).text();
    }),
  limit(60),
);

test(
  'Jekyll',
  () =>
    postFrom(async (formId) => {
      const root = project('jekyll', {
        '_config.yml': 'exclude: [node_modules]\n',
        '_includes/contact.html': recipe('plain', formId),
        'contact.html': `---\n---\n${inclusion('Jekyll')}\n`,
      });
      const ruby = (path: string) => join(debian, path);
      const gems = [...new Bun.Glob('usr/**/specifications').scanSync({ cwd: debian, onlyFiles: false })].map(dirname);
      // Debian's gem names its library by the path of an installation.
      const [sass = ''] = new Bun.Glob('usr/**/sassc/native.rb').scanSync({ cwd: debian });
      const code = await Bun.file(ruby(sass)).text();
      await Bun.write(ruby(sass), code.replace(/"\/usr\/lib\/.*\/libsass/, `"${libraries}/libsass`));
      const [libruby = ''] = new Bun.Glob('usr/lib/*/ruby/*/rbconfig.rb').scanSync({ cwd: debian });
      await run([ruby('usr/bin/ruby3.1'), ruby('usr/bin/jekyll'), 'build', '--quiet'], root, {
        LD_LIBRARY_PATH: libraries,
        RUBYLIB: [dirname(libruby), 'usr/lib/ruby/vendor_ruby', 'usr/lib/ruby/3.1.0'].map(ruby).join(':'),
        GEM_PATH: gems.map(ruby).join(':'),
      });
      return Bun.file(join(root, '_site/contact.html')).text();
    }),
  limit(60),
);

test(
  'Next.js',
  () =>
    postFrom(async (formId) => {
      const root = project('next', {
        'package.json': '{ "private": true }',
        'next.config.mjs': "export default { output: 'export' };",
        'app/layout.jsx': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>;',
        'app/contact/page.jsx': recipe('next-page', formId),
      });
      await run(['node', 'node_modules/next/dist/bin/next', 'build', '--webpack'], root);
      return Bun.file(join(root, 'out/contact.html')).text();
    }),
  limit(240),
);

test(
  'SvelteKit',
  () =>
    postFrom(async (formId) => {
      const root = project('sveltekit', {
        'package.json': '{ "type": "module" }',
        'vite.config.js': "import { sveltekit } from '@sveltejs/kit/vite';\nexport default { plugins: [sveltekit()] };",
        'svelte.config.js':
          "import adapter from '@sveltejs/adapter-static';\nexport default { kit: { adapter: adapter() } };",
        'src/app.html': '<!doctype html><html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
        'src/routes/+layout.js': 'export const prerender = true;',
        'src/routes/+page.svelte': '<a href="/contact">Contact</a>',
        'src/routes/contact/+page.svelte': recipe('svelte-page', formId),
      });
      await run(['node', 'node_modules/vite/bin/vite.js', 'build'], root);
      return Bun.file(join(root, 'build/contact.html')).text();
    }),
  limit(120),
);

test('the plain page needs no build', () => postFrom(async (formId) => recipe('plain', formId)));

/** What the form programs of WordPress call, on PHP's own HTTP client. */
const WORDPRESS = `
  $hooks = [];
  function add_action( $name, $callback, $priority, $arguments ) { global $hooks; $hooks[ $name ] = $callback; }
  function wp_json_encode( $data ) { return json_encode( $data ); }
  function wp_remote_post( $url, $args ) {
    $lines = array_map( fn( $name, $value ) => "$name: $value", array_keys( $args['headers'] ), $args['headers'] );
    $http = [ 'method' => 'POST', 'header' => $lines, 'content' => $args['body'], 'ignore_errors' => true ];
    @file_get_contents( $url, false, stream_context_create( [ 'http' => $http ] ) );
    return $http_response_header ?? null;
  }
  function wp_remote_retrieve_response_code( $answer ) { return $answer ? (int) explode( ' ', $answer[0] )[1] : ''; }
  class Submission {
    public $response = '';
    function get_posted_data() { return json_decode( getenv( 'POSTED' ), true ); }
    function set_response( $response ) { $this->response = $response; }
  }`;

/** Runs the plugin of the manual as Contact Form 7 does before its mail; returns whether it aborts, and its message. */
async function sendContactForm7(formId: string, posted: object): Promise<unknown> {
  const root = join(folder, 'wordpress');
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, 'formstead.php'), recipe('contact-form-7', formId));
  writeFileSync(
    join(root, 'run.php'),
    `<?php ${WORDPRESS}
      require 'formstead.php';
      $abort = false;
      $submission = new Submission();
      $hooks['wpcf7_before_send_mail']( null, $abort, $submission );
      echo json_encode( [ $abort, $submission->response ] );`,
  );
  const php = [join(debian, 'usr/bin/php8.2'), '-n', 'run.php'];
  return JSON.parse(await run(php, root, { LD_LIBRARY_PATH: libraries, POSTED: JSON.stringify(posted) }));
}

test('Contact Form 7 sends its submission, and asks to try again if it is not stored', async () => {
  const owner = await instance.makeOwner();
  const posted = { 'your-name': 'Ada', 'your-email': 'ada@example.com', topics: ['a', 'b'] };
  expect(await sendContactForm7(owner.form.id, posted)).toEqual([false, '']);
  expect(await sendContactForm7('unknown', posted)).toEqual([true, 'This could not be sent. Please try again.']);
  expect((await instance.stored(owner)).map(({ data }) => data)).toEqual([{ ...posted, email: 'ada@example.com' }]);
});

/** The forms of page builders, as their published pages have them once the form's address is set. */
const BUILDERS: Readonly<Record<string, (action: string) => string>> = {
  'the Custom HTML block of WordPress': (action) => `<div class="entry-content wp-block-post-content">
    <form action="${action}" method="post" data-formstead><input type="email" name="email" required>
    <textarea name="message" required></textarea><button>Send</button></form></div>`,
  Webflow: (action) => `<div class="w-form"><form id="email-form" name="email-form" data-name="Email Form"
    method="post" action="${action}" aria-label="Email Form">
    <input class="w-input" maxlength="256" name="email" data-name="email" type="email" id="email" required="">
    <textarea id="message" name="message" maxlength="5000" data-name="message" class="w-input"></textarea>
    <input type="submit" data-wait="Please wait..." class="w-button" value="Submit"></form></div>`,
  Squarespace: (action) => `<div class="sqs-block code-block sqs-block-code"><div class="sqs-block-content">
    <form action="${action}" method="post"><input type="email" name="email"><textarea name="message"></textarea>
    <button>Send</button></form></div></div>`,
  Carrd: (action) => `<form id="form01" class="style1 form" method="post" action="${action}"><div class="inner">
    <div class="field"><input type="email" name="email" id="form01-email" maxlength="128" required /></div>
    <div class="field"><textarea name="message" id="form01-message" maxlength="16384" required></textarea></div>
    <div class="actions"><button type="submit"><span class="label">Send</span></button></div></div></form>`,
};

test.each(Object.keys(BUILDERS))('%s', (name) =>
  postFrom(async (formId) => BUILDERS[name]?.(`${instance.url}/v1/forms/${formId}/submissions`) ?? '', false),
);

test('a webhook of Framer, which posts JSON and needs a 2xx', async () => {
  const owner = await instance.makeOwner();
  const answer = await fetch(`${instance.url}/v1/forms/${owner.form.id}/submissions`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Framer-Signature': `sha256=${'0'.repeat(64)}`,
      'Framer-Webhook-Submission-Id': '0fbbb90e-564b-4870-ac8b-78f9bc4e44a6',
    },
    body: JSON.stringify(MESSAGE),
    redirect: 'manual',
  });
  expect(answer.status).toBe(200);
  expect((await instance.stored(owner)).map(({ data }) => data)).toEqual([MESSAGE]);
});
