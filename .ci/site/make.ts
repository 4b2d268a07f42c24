import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../package.json';
import { API } from '../../src/api/index.ts';
import { openApiDocument } from '../../src/api/openapi/document.ts';
import { chapters, EXAMPLE_ADDRESS, germanChapters, getSections, type Language } from '../../src/docs/chapters.ts';
import { type Page, renderPage } from '../../src/docs/layout.tsx';
import { chapterPage, contentsPage, searchPage } from '../../src/docs/pages.tsx';
import { referencePage, referenceSections } from '../../src/docs/reference.tsx';
import { SectionIndex } from '../../src/docs/search.ts';
import { setupFileJsonSchema } from '../../src/services/setup/setup-file.ts';
import { landingPage, PICTURES } from './landing.tsx';

/**
 * Writes the landing page, the manual in both languages and the API reference as files that need no server:
 * `bun run generate site` to `dist/site`, or to the folder that is passed. All links are relative.
 */

/** Files of paths that are not made of their last part. */
const FILES: Readonly<Record<string, string>> = {
  '/docs': 'manual.html',
  '/docs/de': 'de.html',
  '/docs/search': 'search.html',
  '/docs/de/search': 'de-search.html',
  '/docs/forms.schema.json': 'forms.schema.json',
  '/openapi.json': 'openapi.json',
};

/** Returns the relative address of a path of a server; addresses elsewhere and anchors stay as they are. */
export function toFile(address: string): string {
  const [, path = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(address.replace(`${EXAMPLE_ADDRESS}/docs`, '/docs')) ?? [];
  if (!path.startsWith('/')) return address;
  const [, asset] = /^\/docs\/assets\/\w+\/(.+)$/.exec(path) ?? [];
  if (asset !== undefined) return `assets/${asset}`;
  const file = FILES[path] ?? `${path.replace(/^\/docs\//, '').replaceAll('/', '-')}.html`;
  return file + anchor;
}

/** Renders a page of the manual with links to files. */
function render(page: Page): string {
  return renderPage(page)
    .replace(/<a class="out" href="\/dashboard">\s*Dashboard\s*<\/a>/, '<a class="out" href="index.html">Formstead</a>')
    .replace(/ (href|src|action)="([^"]+)"/g, (_, name: string, address: string) => ` ${name}="${toFile(address)}"`);
}

/** Makes the site in a folder, which is replaced. */
export async function makeSite(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'assets'), { recursive: true });
  const write = (name: string, text: string) => Bun.write(join(folder, name), text);
  const document = openApiDocument(API, EXAMPLE_ADDRESS);

  await write('index.html', landingPage(version));
  for (const name of ['landing.css', 'landing.js']) cpSync(join(import.meta.dir, name), join(folder, 'assets', name));
  const shared = join(import.meta.dir, '../../src');
  const styles = ['http/assets/base.css', 'docs/assets/manual.css'].map((path) => Bun.file(join(shared, path)).text());
  await write('assets/manual.css', (await Promise.all(styles)).join(''));
  cpSync(join(shared, 'docs/assets/manual.js'), join(folder, 'assets/manual.js'));
  for (const [name] of PICTURES)
    for (const file of [`${name}.png`, `${name}-dark.png`])
      cpSync(join(import.meta.dir, '../pictures', file), join(folder, 'pictures', file));

  await write('api.html', render(referencePage(document)));
  await write('openapi.json', JSON.stringify(document));
  await write('forms.schema.json', JSON.stringify(setupFileJsonSchema()));
  for (const [language, edition] of [['en', chapters] as const, ['de', germanChapters] as const]) {
    await write(toFile(language === 'en' ? '/docs' : '/docs/de'), render(contentsPage(version, language)));
    for (const [index, chapter] of edition.entries()) {
      await write(toFile(chapter.path), render(chapterPage(chapter, edition[index - 1], edition[index + 1])));
    }
    const sections = edition.flatMap(getSections);
    await writeSearch(folder, language, language === 'en' ? [...sections, ...referenceSections(document)] : sections);
  }
}

/** Writes the search page of an edition with a script that contains the index. Without script it lists the chapters. */
async function writeSearch(
  folder: string,
  language: Language,
  sections: ReturnType<typeof getSections>,
): Promise<void> {
  const name = language === 'en' ? 'search' : 'de-search';
  const page = render(searchPage(new SectionIndex([]), '', EXAMPLE_ADDRESS, language));
  const script = `<script src="assets/${name}.js" defer></script>`;
  await Bun.write(
    join(folder, `${name}.html`),
    page.replace('</head>', () => `${script}</head>`),
  );
  const build = await Bun.build({
    entrypoints: [join(import.meta.dir, 'search-page.js')],
    define: { SECTIONS: JSON.stringify(sections.map((section) => ({ ...section, path: toFile(section.path) }))) },
    format: 'iife',
    minify: true,
    target: 'browser',
  });
  await Bun.write(join(folder, 'assets', `${name}.js`), (await build.outputs[0]?.text()) ?? '');
}

if (import.meta.main) {
  const folder = Bun.argv[2] ?? join(import.meta.dir, '../../dist/site');
  await makeSite(folder);
  process.stdout.write(`The site is in ${folder}.\n`);
}
