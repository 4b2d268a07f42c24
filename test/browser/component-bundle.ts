import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { BunPlugin } from 'bun';
import { compile as compileSvelte } from 'svelte/compiler';
import { compileScript, parse } from 'vue/compiler-sfc';
import { temporaryDir } from '../support/instance.ts';

const ROOT = join(import.meta.dir, '../..');

export type Framework = 'React' | 'React 18' | 'Vue' | 'Svelte';

/** Entry points that render the component of `./component` on a server and hydrate it in a browser. */
type Entries = Readonly<{ extension: string; server: string; browser: string }>;

const REACT: Entries = {
  extension: 'jsx',
  server: `
    import { StrictMode } from 'react';
    import { renderToString } from 'react-dom/server';
    import { ContactForm } from './component.jsx';
    export const html = renderToString(<StrictMode><ContactForm /></StrictMode>);`,
  browser: `
    import { StrictMode } from 'react';
    import { hydrateRoot } from 'react-dom/client';
    import { ContactForm } from './component.jsx';
    const root = hydrateRoot(document.querySelector('main'), <StrictMode><ContactForm /></StrictMode>);
    window.unmount = () => root.unmount();`,
};

const ENTRIES: Readonly<Record<Framework, Entries>> = {
  React: REACT,
  'React 18': REACT,
  Vue: {
    extension: 'vue',
    server: `
      import { createSSRApp } from 'vue';
      import { renderToString } from 'vue/server-renderer';
      import ContactForm from './component.vue';
      export const html = await renderToString(createSSRApp(ContactForm));`,
    browser: `
      import { createSSRApp } from 'vue';
      import ContactForm from './component.vue';
      const app = createSSRApp(ContactForm);
      app.mount('main');
      window.unmount = () => app.unmount();`,
  },
  Svelte: {
    extension: 'svelte',
    server: `
      import { render } from 'svelte/server';
      import ContactForm from './component.svelte';
      export const html = render(ContactForm).body;`,
    browser: `
      import { hydrate, unmount } from 'svelte';
      import ContactForm from './component.svelte';
      const component = hydrate(ContactForm, { target: document.querySelector('main') });
      window.unmount = () => unmount(component);`,
  },
};

/**
 * Returns the body of a page with a component, rendered on a server and hydrated with the source of `@formstead/client`. A
 * component of React is the export `ContactForm`. `unmount()` in the page removes it.
 */
export async function componentPage(framework: Framework, component: string): Promise<string> {
  const { extension, server, browser } = ENTRIES[framework];
  const dir = temporaryDir();
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
    await Bun.write(join(dir, `component.${extension}`), component);
    await Bun.write(join(dir, 'server.jsx'), server);
    await Bun.write(join(dir, 'browser.jsx'), browser);
    const [rendered, script] = await Promise.all([
      build(join(dir, 'server.jsx'), framework, 'bun'),
      build(join(dir, 'browser.jsx'), framework, 'browser'),
    ]);
    await Bun.write(join(dir, 'rendered.js'), rendered);
    const { html } = (await import(join(dir, 'rendered.js'))) as { html: string };
    return `<main>${html}</main><script type="module">${script.replaceAll('</script', '<\\/script')}</script>`;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

async function build(entry: string, framework: Framework, target: 'bun' | 'browser'): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    target,
    minify: target === 'browser',
    // Otherwise the server would use the client's build of Svelte.
    conditions: target === 'browser' ? ['browser'] : ['node'],
    // The development build of a framework reports differences between server and browser.
    define: {
      'process.env.NODE_ENV': '"development"',
      __VUE_OPTIONS_API__: 'false',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'true',
    },
    plugins: [packages(framework), components(target)],
  });
  return (await outputs[0]?.text()) ?? '';
}

/** Resolves the client to its source, and React to the version under test. */
function packages(framework: Framework): BunPlugin {
  return {
    name: 'packages',
    setup: ({ onResolve }) => {
      onResolve({ filter: /^@formstead\/client(\/|$)/ }, ({ path }) => {
        const entry = path.slice('@formstead/client'.length) || '/index';
        return { path: join(ROOT, 'src/client', `${entry}.ts`) };
      });
      if (framework !== 'React 18') return;
      onResolve({ filter: /^react(-dom)?(\/|$)/ }, ({ path }) => ({
        path: Bun.resolveSync(path.replace(/^react(-dom)?/, '$&-18'), ROOT),
      }));
    },
  };
}

/** Compiles components of Vue and Svelte. */
function components(target: 'bun' | 'browser'): BunPlugin {
  const isServer = target === 'bun';
  return {
    name: 'components',
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.vue$/ }, async ({ path }) => {
        const { descriptor, errors } = parse(await Bun.file(path).text(), {
          filename: path,
          templateParseOptions: { isCustomElement: (tag) => tag.includes('-') },
        });
        if (errors[0]) throw errors[0];
        const templateOptions = { ssr: isServer };
        const { content } = compileScript(descriptor, { id: 'component', inlineTemplate: true, templateOptions });
        return { contents: content, loader: 'ts' };
      });
      onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
        const source = await Bun.file(path).text();
        const { js } = compileSvelte(source, { generate: isServer ? 'server' : 'client', filename: path });
        return { contents: js.code, loader: 'js' };
      });
    },
  };
}
