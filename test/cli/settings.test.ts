import { describe, expect, test } from 'bun:test';
import {
  CHAPTER,
  FIELDS_CHAPTER,
  WEBHOOKS_CHAPTER,
  withFieldTypes,
  withSettings,
  withWebhookSettings,
} from '../../.ci/settings.ts';
import { loadConfig, loadSecrets } from '../../src/config/config.ts';
import { SECTIONS, SETTINGS } from '../../src/config/settings.ts';

const settings = Object.values(SETTINGS);

describe('the table of settings', () => {
  test('in the manual matches the code (`bun run generate settings` updates it)', async () => {
    const chapter = await Bun.file(CHAPTER).text();
    expect(withSettings(chapter)).toBe(chapter);
    const webhooks = await Bun.file(WEBHOOKS_CHAPTER).text();
    expect(withWebhookSettings(webhooks)).toBe(webhooks);
    const fields = await Bun.file(FIELDS_CHAPTER).text();
    expect(withFieldTypes(fields)).toBe(fields);
    for (const { name } of settings) expect(chapter).toContain(`| \`${name}\``);
  });

  test('is written only between its two markers', () => {
    expect(() => withSettings('# Configuration\n')).toThrow('configuration.md needs');
    expect(withSettings('a\n<!-- settings -->\nold\n<!-- /settings -->\nz')).toMatch(/^a\n<!--.*HOST.*-->\nz$/s);
  });

  test('has each variable once, with a section and a description', () => {
    expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length);
    expect([...new Set(settings.map(({ section }) => section))]).toEqual([...SECTIONS]);
    for (const { description } of settings) expect(description).toMatch(/^[A-Z].*[^.]\.$/);
  });

  test('shows the actual defaults', () => {
    for (const setting of settings) {
      const shown = /^`([^`]*)`( \([\d.]+ MiB\))?$/.exec(setting.default)?.[1];
      if (shown !== undefined)
        expect([setting.name, setting.parse(shown, Error)]).toEqual([setting.name, setting.unset]);
    }
  });

  test('has all keys of the configuration and of the secrets', () => {
    const keys = [...Object.keys(loadConfig({})), ...Object.keys(loadSecrets({}, () => ''))];
    expect(keys.toSorted()).toEqual([...Object.keys(SETTINGS), 'proxies'].toSorted());
  });
});
