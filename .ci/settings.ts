import { join } from 'node:path';
import { SECTIONS, SETTING_LIST } from '../src/config/settings.ts';
import { FIELD_TYPES } from '../src/domain/fields/field-types.ts';
import { snakeCase } from '../src/lib/snake-case.ts';
import { takes, WEBHOOK_KINDS, WEBHOOK_SETTING_NAMES, WebhookSettings } from '../src/outbox/targets/index.ts';

/** Generates the tables of settings and of field types in the manual's chapters, between their markers. */

export const CHAPTER = join(import.meta.dir, '../src/manual/configuration.md');
export const WEBHOOKS_CHAPTER = join(import.meta.dir, '../src/manual/webhooks.md');
export const FIELDS_CHAPTER = join(import.meta.dir, '../src/manual/connect-forms.md');
const BETWEEN_MARKERS = /(?<=<!-- settings -->\n)[\s\S]*?(?=<!-- \/settings -->)/;

/** Returns the chapter on configuration with up-to-date tables. Throws if it has no markers. */
export function withSettings(chapter: string): string {
  return between('configuration.md', chapter, `\n${SECTIONS.map(tableOf).join('\n')}\n`);
}

/** Returns the chapter on webhooks with an up-to-date table. Throws if it has no markers. */
export function withWebhookSettings(chapter: string): string {
  const rows = WEBHOOK_SETTING_NAMES.map((name) => {
    const kinds = WEBHOOK_KINDS.filter((kind) => takes(kind, name));
    const { description = '' } = WebhookSettings.properties[name];
    return `| \`${snakeCase(name)}\` | ${cell(description)} | ${kinds.join(', ') || 'all'} |\n`;
  });
  return between('webhooks.md', chapter, `| setting | description | kinds |\n| --- | --- | --- |\n${rows.join('')}`);
}

/** Returns the chapter on forms with an up-to-date table of field types. Throws if it has no markers. */
export function withFieldTypes(chapter: string): string {
  const rows = Map.groupBy(FIELD_TYPES, ({ accepts }) => accepts)
    .entries()
    .map(([accepts, types]) => {
      const names = types.map(({ name, alias }) => (alias ? `\`${name}\`, or \`${alias}\`` : `\`${name}\``)).join(', ');
      return `| ${types.some(({ name }) => name === 'text') ? `${names} and others` : names} | ${cell(accepts)} |\n`;
    });
  return between('connect-forms.md', chapter, `| Type | Accepts |\n| --- | --- |\n${[...rows].join('')}`);
}

function between(name: string, chapter: string, tables: string): string {
  if (!BETWEEN_MARKERS.test(chapter)) throw new Error(`${name} needs <!-- settings --> and <!-- /settings -->.`);
  return chapter.replace(BETWEEN_MARKERS, () => tables);
}

function tableOf(section: string): string {
  const rows = SETTING_LIST.filter((setting) => setting.section === section).map(
    ({ name, default: defaultValue, takes, description, secret }) => {
      const names = secret ? `\`${name}\` or \`${name}_FILE\`` : `\`${name}\``;
      const values = takes.replace(/^a whole number from /, '');
      return `| ${[names, description, values, defaultValue].map(cell).join(' | ')} |\n`;
    },
  );
  return `### ${section}\n\n| variable | description | takes | default |\n| --- | --- | --- | --- |\n${rows.join('')}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

if (import.meta.main) {
  await Bun.write(CHAPTER, withSettings(await Bun.file(CHAPTER).text()));
  await Bun.write(WEBHOOKS_CHAPTER, withWebhookSettings(await Bun.file(WEBHOOKS_CHAPTER).text()));
  await Bun.write(FIELDS_CHAPTER, withFieldTypes(await Bun.file(FIELDS_CHAPTER).text()));
}
