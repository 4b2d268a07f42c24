import { join } from 'node:path';
import { SECTIONS, SETTINGS } from '../src/config/settings.ts';

/** Generates the tables of settings in the manual's chapter on configuration, between its two markers. */

export const CHAPTER = join(import.meta.dir, '../src/manual/configuration.md');
const BETWEEN_MARKERS = /(?<=<!-- settings -->\n)[\s\S]*?(?=<!-- \/settings -->)/;

/** Returns the chapter with up-to-date tables of settings. Throws if it has no markers. */
export function withSettings(chapter: string): string {
  if (!BETWEEN_MARKERS.test(chapter))
    throw new Error('configuration.md needs <!-- settings --> and <!-- /settings -->.');
  return chapter.replace(BETWEEN_MARKERS, () => `\n${SECTIONS.map(tableOf).join('\n')}\n`);
}

function tableOf(section: string): string {
  const rows = Object.values(SETTINGS)
    .filter((setting) => setting.section === section)
    .map(({ name, default: defaultValue, takes, description, secret }) => {
      const names = secret ? `\`${name}\` or \`${name}_FILE\`` : `\`${name}\``;
      return `| ${[names, description, takes, defaultValue].map(cell).join(' | ')} |\n`;
    });
  return `### ${section}\n\n| variable | description | takes | default |\n| --- | --- | --- | --- |\n${rows.join('')}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

if (import.meta.main) await Bun.write(CHAPTER, withSettings(await Bun.file(CHAPTER).text()));
