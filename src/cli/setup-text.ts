import { printable } from '../lib/table.ts';
import type { Change, Plan, SettingChange } from '../services/setup/changes.ts';
import type { ReferenceUse } from '../services/setup/references.ts';

const SIGNS = { create: '+', update: '~', restore: '+', delete: '-' } as const;

/** Formats a plan for people: one line for each object, and one for each setting below. */
export function planText({ changes, kept }: Plan): string {
  const lines = changes.flatMap(changeLines);
  const left = kept.map(({ type, name }) => `  ${type} "${printable(name)}" is not in the file; --prune removes it`);
  if (changes.length === 0) lines.push('No changes.');
  return `${[...lines, ...left].join('\n')}\n`;
}

function changeLines({ action, type, id, name, settings }: Change): string[] {
  const suffix = action === 'create' ? '' : ` (${id})`;
  const note =
    action === 'restore' ? ', from the trash' : action === 'delete' && type === 'form' ? ', to the trash' : '';
  return [
    `${SIGNS[action]} ${type} "${printable(name)}"${suffix}${note}`,
    ...settings.map((setting) => settingLine(setting, action === 'create')),
  ];
}

function settingLine(setting: SettingChange, isNew: boolean): string {
  const { name, before, after } = setting;
  if (!('after' in setting)) return `    ${name}: ${isNew ? 'set' : 'changed'}`;
  if (name === 'fields') return `    fields: ${fieldText(before, after)}`;
  return `    ${name}: ${isNew ? '' : `${valueText(before)} → `}${valueText(after)}`;
}

const MAX_VALUE = 80;

function valueText(value: unknown): string {
  const text = printable(JSON.stringify(value) ?? 'none');
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

type Fields = ReadonlyArray<Readonly<{ name: string }>>;

/** Lists added, changed and removed fields by name. */
function fieldText(before: unknown, after: unknown): string {
  const [old, now] = [before as Fields, after as Fields];
  const added = now.filter(({ name }) => !old.some((field) => field.name === name));
  const removed = old.filter(({ name }) => !now.some((field) => field.name === name));
  const changed = now.filter((field) =>
    old.some((other) => other.name === field.name && !Bun.deepEquals(other, field)),
  );
  const list = (sign: string, fields: Fields) => fields.map(({ name }) => `${sign} ${printable(name)}`);
  const parts = [...list('+', added), ...list('~', changed), ...list('-', removed)];
  return parts.length > 0 ? parts.join(', ') : 'another order';
}

/** Lists each reference of the file with the host that gets its value. */
export function referencesText({ references }: Plan): string {
  const line = ({ reference, host, name, setting }: ReferenceUse) =>
    `  ${printable(reference)} → ${host ?? 'pages for visitors'} ("${printable(name)}", ${printable(setting)})`;
  return references.length === 0 ? '' : `${['Values from outside the file:', ...references.map(line)].join('\n')}\n`;
}

/** Returns a plan as `--json` prints it. Ids of new objects and secrets exist only after `apply`. */
export function serializePlan({ changes, kept, references, secrets }: Plan, isApplied: boolean) {
  return {
    changes: changes.map(({ action, type, id, formId, name, settings }) => ({
      action,
      type,
      id: action === 'create' && !isApplied ? null : id,
      ...(formId !== undefined && isApplied && { form_id: formId }),
      name,
      settings: settings.map((setting) => ('after' in setting ? setting : { name: setting.name, changed: true })),
    })),
    kept,
    references,
    ...(isApplied && { secrets }),
  };
}
