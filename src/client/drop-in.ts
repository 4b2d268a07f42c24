// Formstead's drop-in script. It sends every <form data-formstead> and shows the response in the page. Without it, the
// form posts as usual.
import { formContent } from './content.ts';
import { call, get } from './elements.ts';
import { type Answer, isInProgress, sendByFetch } from './post.ts';
import { newSender, type Retry, type Sender } from './sender.ts';
import { supported, TEXTS, tagOf } from './texts.ts';

type Control = HTMLInputElement;
type ShownError = { controls: readonly Control[]; note: HTMLElement };
type State = { readonly sender: Sender; busy?: boolean; errors: ShownError[]; stamp?: string };

const STATUS = 'data-formstead-status';
const DESCRIBED = 'aria-describedby';
const ERROR = 'formstead-error';
/**
 * Default style. It inherits font and colors, so that it is readable on any page, and its selectors have no
 * specificity, so that every rule of the page wins.
 */
const FORM = ':where(form[data-formstead]:not([data-unstyled])';
const STYLE = `${FORM} [${STATUS}]:not([${STATUS}=''],[${STATUS}=sending])){margin:1em 0 0;padding:.75em 1em;\
border-inline-start:.25em solid #2f9e66;border-radius:.25em;background:color-mix(in srgb,currentColor 7%,transparent)}\
${FORM} [${STATUS}=error]){border-color:#e5484d}\
${FORM} .${ERROR}){margin:.25em 0;padding-inline-start:.5em;border-inline-start:.25em solid #e5484d;\
font-size:.9em}${FORM} [aria-invalid=true]){box-shadow:0 0 0 2px #e5484d}`;

const states = new WeakMap<Element, State>();
let errorCount = 0;

const isEnabled = (form: unknown): form is HTMLFormElement =>
  form instanceof HTMLFormElement && call(form, 'hasAttribute', 'data-formstead');

/** Returns the live region. It must exist before its text, or screen readers do not announce the text. */
const statusOf = (form: HTMLFormElement): Element => {
  let status = call(form, 'querySelector', `[${STATUS}]`);
  if (!status) {
    status = document.createElement('p');
    status.setAttribute(STATUS, '');
    call(form, 'append', status);
  }
  status.setAttribute('role', 'status');
  // Overrides the busy form, inside which changes are not announced.
  status.setAttribute('aria-busy', 'false');
  return status;
};

const show = (form: HTMLFormElement, kind: string, text: string): void => {
  const status = statusOf(form);
  status.setAttribute('aria-live', kind === 'error' ? 'assertive' : 'polite');
  status.setAttribute(STATUS, kind);
  status.textContent = text;
};

const languageOf = (form: HTMLFormElement) => supported(tagOf(form), navigator.language);

const textFor = (form: HTMLFormElement, attribute: string, index: 0 | 1): string =>
  call(form, 'getAttribute', attribute) ?? TEXTS[languageOf(form)][index];

/** Replaces an id in a control's description by another. Either may be empty. */
const describe = (control: Control, id: string, by: string): void => {
  const ids = control.getAttribute(DESCRIBED) ?? '';
  control.setAttribute(DESCRIBED, `${ids.replace(id, '')} ${by}`.trim());
  if (!control.getAttribute(DESCRIBED)) control.removeAttribute(DESCRIBED);
};

const addError = (controls: readonly Control[], text: string): ShownError => {
  const note = document.createElement('div');
  note.className = ERROR;
  note.id = `${ERROR}-${++errorCount}`;
  note.textContent = text;
  const last = controls.at(-1) as Control;
  // Placed after the label: inside, it would become part of the control's accessible name.
  (last.closest('label') ?? last).after(note);
  for (const control of controls) {
    control.setAttribute('aria-invalid', 'true');
    describe(control, '', note.id);
  }
  return { controls, note };
};

const removeErrors = (state: State, matches: (error: ShownError) => boolean): void => {
  state.errors = state.errors.filter((error) => {
    if (!matches(error)) return true;
    error.note.remove();
    for (const control of error.controls) {
      control.removeAttribute('aria-invalid');
      describe(control, error.note.id, '');
    }
    return false;
  });
};

const showErrors = (
  form: HTMLFormElement,
  state: State,
  { message, errors = [] }: Pick<Answer, 'message' | 'errors'>,
) => {
  const visible = ([...get(form, 'elements')] as Control[]).filter((control) => control.getClientRects().length);
  const texts = [message];
  for (const { field, message } of errors) {
    const controls = visible.filter(({ name }) => name === field || name === `${field}[]`);
    if (controls.length) state.errors.push(addError(controls, message));
    else texts.push(`${field}: ${message}`);
  }
  show(form, 'error', texts.join(' '));
  visible.find((control) => control.matches(`[${DESCRIBED}*=${ERROR}]`))?.focus();
};

const showSuccess = (form: HTMLFormElement, { message, redirect_url: next }: Answer): void => {
  call(form, 'reset');
  show(form, 'success', message);
  if (next) location.assign(next);
};

/** Retries once after a network error, and three times while an earlier attempt is being processed. */
const retry: Retry = (reply, attempt) =>
  (reply ? isInProgress(reply) && attempt < 4 : attempt < 2) &&
  new Promise((resume) => {
    setTimeout(resume, Math.min(reply?.retryAfter || 1, 10) * 1000);
  });

const submit = async (form: HTMLFormElement, state: State, submitter: HTMLElement | null): Promise<void> => {
  const url = submitter?.getAttribute('formaction') ?? call(form, 'getAttribute', 'action') ?? '';
  const data = new FormData(form, submitter);
  // The ending tells that the time is that of the first focus.
  if (state.stamp) data.set('_stamp', `${state.stamp}.focus`);
  const content = formContent(data);

  removeErrors(state, () => true);
  state.busy = true;
  call(form, 'setAttribute', 'aria-busy', 'true');
  submitter?.setAttribute('aria-disabled', 'true');
  show(form, 'sending', textFor(form, 'data-sending', 0));
  const reply = await state.sender(url, content, languageOf(form), sendByFetch, retry);
  state.busy = false;
  call(form, 'removeAttribute', 'aria-busy');
  submitter?.removeAttribute('aria-disabled');

  const detail: Answer = reply?.answer ?? { success: false, message: textFor(form, 'data-failed', 1) };
  // Otherwise the widget keeps showing the used solution as valid.
  if (detail.code === 'challenge_failed') (call(form, 'querySelector', 'altcha-widget') as HTMLFormElement)?.reset?.();
  const kind = detail.success ? 'success' : 'error';
  const event = new CustomEvent(`formstead:${kind}`, { bubbles: true, cancelable: true, detail });
  if (!call(form, 'dispatchEvent', event)) show(form, '', '');
  else if (detail.challenge_url) {
    // The instance answers a post of the browser with a page that has the spam check and the entries.
    call(form, 'removeAttribute', 'data-formstead');
    call(form, 'setAttribute', 'method', 'post');
    call(form, 'requestSubmit', submitter);
  } else if (detail.success) showSuccess(form, detail);
  else showErrors(form, state, detail);
};

/** Returns the state of a form. The first call requests the time, signed by the instance: a spam signal. */
const stateOf = (form: HTMLFormElement): State => {
  let state = states.get(form);
  if (!state) {
    const created: State = { sender: newSender(), errors: [] };
    state = created;
    states.set(form, state);
    const action = call(form, 'getAttribute', 'action') ?? '';
    const url = action.replace(/submissions$/, 'stamp');
    if (url !== action) {
      fetch(url)
        .then((response) => response.json())
        .then((answer) => {
          created.stamp = answer.stamp;
          // A closed, full or paused form says so before the visitor types.
          if (/^form_(?!not_found)/.test(answer.code)) show(form, 'error', answer.message);
        })
        .catch(() => {});
    }
  }
  return state;
};

try {
  // A Content-Security-Policy does not restrict such a sheet. Browsers before 2023 may lack it.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
} catch {}

document.addEventListener('focusin', ({ target }) => {
  const form = call(target as Element, 'closest', 'form');
  if (isEnabled(form)) {
    statusOf(form);
    stateOf(form);
  }
});

document.addEventListener('input', ({ target }) => {
  const control = target as Control;
  const state = states.get(control.form as Element);
  if (state) removeErrors(state, ({ controls }) => controls.includes(control));
});

document.addEventListener('submit', (event) => {
  const { target: form, submitter, defaultPrevented } = event;
  // `defaultPrevented` also skips events handled by a second copy of this script.
  if (defaultPrevented || !isEnabled(form)) return;
  if (/^(get|dialog)$/i.test(submitter?.getAttribute('formmethod') as string)) return;
  event.preventDefault();
  const state = stateOf(form);
  if (!state.busy) submit(form, state, submitter);
});
