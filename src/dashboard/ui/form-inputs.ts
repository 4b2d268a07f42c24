import { AppError } from '../../domain/errors.ts';
import { type Html, html } from '../../lib/html.ts';

/** What is wrong with what was typed, in the viewer's words, by the names of the inputs. */
export type Faults = Readonly<Record<string, string>>;

/** An input with its label. `id` is the name unless the page has that name twice. */
type Input = Readonly<{
  name: string;
  id?: string;
  label: string;
  value: string;
  hint?: string | undefined;
  fault?: string | undefined;
}>;

/** A line of text. `attributes` are further ones of the `input`. */
export function lineInput(input: Input, attributes: Html | null = null): Html {
  return labelled(
    input,
    html`<input name="${input.name}" value="${input.value}" autocomplete="off"${common(input)}${attributes && html` ${attributes}`}>`,
  );
}

/** A text of several lines. The line break that begins it is dropped by browsers: it keeps those of the value. */
export function textInput(input: Input, rows: number): Html {
  return labelled(
    input,
    html`<textarea name="${input.name}" rows="${rows}" autocomplete="off"${common(input)}>\n${input.value}</textarea>`,
  );
}

/** One of several. */
export function selectInput(input: Input, options: ReadonlyArray<readonly [value: string, text: string]>): Html {
  const shown = options.map(
    ([value, text]) => html`<option value="${value}"${value === input.value ? html` selected` : ''}>${text}</option>`,
  );
  return labelled(input, html`<select name="${input.name}"${common(input)}>${shown}</select>`);
}

/** Sends `yes` where it is ticked, else nothing. */
export function checkInput({ name, id = name, label, value, hint }: Input): Html {
  return html`<div class="field"><label class="choice"><input type="checkbox" name="${name}" value="yes"${value !== '' ? html` checked` : ''}${hint && html` aria-describedby="${id}-hint"`}> ${label}</label>
${hint && html`<span class="hint" id="${id}-hint">${hint}</span>`}</div>`;
}

function labelled({ name, id = name, label, hint, fault }: Input, control: Html): Html {
  return html`<div class="field"><label for="${id}">${label}</label>${control}
${hint && html`<span class="hint" id="${id}-hint">${hint}</span>`}${fault && html`<p class="fault" id="${id}-fault">${fault}</p>`}</div>`;
}

function common({ name, id = name, hint, fault }: Input): Html {
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return html` id="${id}"${described && html` aria-describedby="${described}"`}${fault && html` aria-invalid="true"`}`;
}

/** Whether a check of the domain lets something pass. */
export function isTaken(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_input') return false;
    throw error;
  }
}
