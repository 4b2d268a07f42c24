import { type Form, type FormChanges, type FormField, MAX_FORM_FIELDS, parseFields } from '../../../domain/form.ts';
import { type Html, html } from '../../../lib/html.ts';
import type { Texts } from '../../i18n/index.ts';
import { checkInput, type Faults, isTaken, lineInput, selectInput } from '../../ui/form-inputs.ts';
import type { Viewer } from '../../viewer.ts';

/** A field as it is typed: all of it is text, and nothing is checked. */
type Row = Readonly<{
  name: string;
  label: string;
  type: string;
  required: boolean;
  max_length: string;
  pattern: string;
}>;

/** The fields of a form while they are edited. `faults` are by the input's id, such as `name-0`. */
export type FieldsDraft = Readonly<{ rows: readonly Row[]; enforcesRules: boolean; faults: Faults }>;

const EMPTY: Row = { name: '', label: '', type: 'text', required: false, max_length: '', pattern: '' };

/** What the editor begins with. */
export function draftOf({ fields, enforcesRules }: Form): FieldsDraft {
  const rows = fields.map(({ max_length, pattern = '', ...field }) => {
    return { ...field, max_length: String(max_length ?? ''), pattern };
  });
  return { rows, enforcesRules, faults: {} };
}

/** What the editor sent. */
export function typedDraft(sent: URLSearchParams): FieldsDraft {
  const required = new Set(sent.getAll('required'));
  const all = (name: string) => sent.getAll(name);
  const [labels, types, lengths, patterns] = [all('label'), all('type'), all('max_length'), all('pattern')];
  // One too many is refused, and more cannot be typed.
  const names = all('name').slice(0, MAX_FORM_FIELDS + 1);
  const rows = names.map((name, index) => ({
    name,
    label: labels[index] ?? '',
    type: types[index] ?? '',
    required: required.has(String(index)),
    max_length: lengths[index] ?? '',
    pattern: patterns[index] ?? '',
  }));
  return { rows, enforcesRules: sent.has('enforcesRules'), faults: {} };
}

/** The draft after the button that was pressed to change it; null where it was the one that saves. */
export function editedDraft(draft: FieldsDraft, sent: URLSearchParams): FieldsDraft | null {
  const rows = [...draft.rows];
  const pressed = ['up', 'down', 'remove', 'add'].find((name) => sent.has(name));
  if (pressed === undefined) return null;
  const index = Number(sent.get(pressed));
  if (pressed === 'add') rows.push(EMPTY);
  else {
    const [row] = rows.splice(index, 1);
    if (row && pressed === 'up') rows.splice(Math.max(0, index - 1), 0, row);
    if (row && pressed === 'down') rows.splice(index + 1, 0, row);
  }
  return { ...draft, rows };
}

/** What the draft makes of a form; null where something is wrong with it, which is then said in its `faults`. */
export function readDraft(
  draft: FieldsDraft,
  { settings: { faults: words } }: Texts,
): Readonly<{ changes: FormChanges | null; draft: FieldsDraft }> {
  const rows = draft.rows.filter(({ name, label, max_length, pattern }) =>
    `${name}${label}${max_length}${pattern}`.trim(),
  );
  const faults: Record<string, string> = {};
  const names = new Set<string>();
  for (const [index, row] of rows.entries()) {
    const field = fieldOf(row);
    const check = (part: keyof FormField, fault: string) => {
      const alone = { name: 'any', [part]: field[part] };
      if (field[part] !== undefined && !isTaken(() => parseFields(JSON.stringify([alone])))) {
        faults[`${part}-${index}`] = fault;
      }
    };
    check('name', words.fieldName);
    check('label', words.fieldLabel);
    check('type', words.fieldType);
    check('max_length', words.fieldMaxLength);
    check('pattern', words.fieldPattern);
    if (names.has(field.name)) faults[`name-${index}`] ??= words.fieldNameTwice;
    names.add(field.name);
  }
  if (rows.length > MAX_FORM_FIELDS) faults[`name-${MAX_FORM_FIELDS}`] = words.fieldTooMany;
  const isFine = Object.keys(faults).length === 0;
  const read = () => ({
    fields: parseFields(JSON.stringify(rows.map(fieldOf))),
    enforcesRules: draft.enforcesRules,
  });
  return { changes: isFine ? read() : null, draft: { ...draft, rows, faults } };
}

function fieldOf({ name, label, type, required, max_length, pattern }: Row): FormField {
  return {
    name: name.trim(),
    label: label.trim(),
    type,
    required,
    ...(max_length.trim() !== '' && { max_length: Number(max_length) }),
    ...(pattern !== '' && { pattern }),
  };
}

/** The editor. Each button sends all of it to `action`, and leads to where to go on. */
export function fieldsView(viewer: Viewer, draft: FieldsDraft, action: string): Html {
  const { settings: words } = viewer.texts;
  const { rows } = draft;
  return html`${
    rows.length === 0
      ? html`<p class="soft">${words.noFields}</p>`
      : html`<ol class="rows">${rows.map((row, index) => rowView(viewer, draft, row, index, action))}</ol>`
  }
<p><button class="quiet" name="add" value="yes" id="add" formnovalidate formaction="${action}#label-${rows.length}">${words.addField}</button></p>
${checkInput({
  name: 'enforcesRules',
  label: words.enforcesRules,
  hint: words.enforcesRulesHint,
  value: draft.enforcesRules ? 'yes' : '',
})}`;
}

function rowView({ texts }: Viewer, { rows, faults }: FieldsDraft, row: Row, index: number, action: string): Html {
  const { settings: words } = texts;
  const last = rows.length - 1;
  const known: Readonly<Record<string, string>> = words.types;
  const types = Object.entries(Object.hasOwn(known, row.type) ? known : { [row.type]: row.type, ...known });
  const of = (name: 'name' | 'label' | 'type' | 'max_length' | 'pattern') => {
    const id = `${name}-${index}`;
    return { name, id, value: row[name], fault: faults[id] };
  };
  const title = row.label || row.name || words.field(index + 1);
  const button = (name: 'up' | 'down' | 'remove', leadsTo: string, isOff: boolean) =>
    html`<button class="quiet" name="${name}" value="${index}" id="${name}-${index}" aria-label="${words[name]}: ${title}" formnovalidate formaction="${action}#${leadsTo}"${isOff ? html` disabled` : ''}>${words[name]}</button>`;
  const hasRules = row.max_length !== '' || row.pattern !== '';
  return html`<li><fieldset><legend>${words.field(index + 1)}</legend>
<div class="columns">${lineInput({ ...of('label'), label: words.label })}
${lineInput({ ...of('name'), label: words.fieldName }, html`spellcheck="false" autocapitalize="none"`)}
${selectInput({ ...of('type'), label: words.type }, types)}</div>
<div class="row"><label class="choice"><input type="checkbox" name="required" value="${index}"${row.required ? html` checked` : ''}> ${words.required}</label>
${button('up', index === 1 ? 'down-0' : `up-${index - 1}`, index === 0)}
${button('down', index + 1 === last ? `up-${last}` : `down-${index + 1}`, index === last)}
${button('remove', last === 0 ? 'add' : `remove-${Math.min(index, last - 1)}`, false)}</div>
<details${hasRules ? html` open` : ''}><summary>${words.moreRules}</summary><div class="columns">
${lineInput({ ...of('max_length'), label: words.maxLength }, html`inputmode="numeric"`)}
${lineInput({ ...of('pattern'), label: words.pattern, hint: words.patternHint }, html`spellcheck="false" autocapitalize="none"`)}</div></details>
</fieldset></li>`;
}
