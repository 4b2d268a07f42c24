import { isForm } from './content.ts';
import { call, get } from './elements.ts';
import { type FormState, type FormView, fieldOf, viewOf } from './form-view.ts';
import {
  createForm,
  type FieldError,
  type FormContent,
  type FormOptions,
  type SubmitOptions,
  type SubmitResult,
} from './index.ts';
import { languageOf, TEXTS } from './texts.ts';

export interface FormsteadOptions extends Pick<FormOptions, 'language'> {
  /** Set to `false` to stay on the page although the form has a redirect URL. */
  redirect?: boolean | undefined;
}

/** The state machine behind the hooks and stores of all frameworks. */
export interface FormController {
  view(): FormView;
  /** Calls `listener` after each change of the view. Returns a function that unsubscribes it. */
  subscribe(listener: () => void): () => void;
  submit(content: FormContent, options?: { signal?: AbortSignal | undefined }): Promise<SubmitResult>;
  /** Submits a form in response to its `submit` event, unless another listener canceled the event. */
  handleSubmit(event: SubmitLike, form: HTMLFormElement): void;
  /** Removes the error of an edited field in response to an `input` event. */
  handleInput(event: { readonly target: unknown }): void;
  /** Returns to the idle state, unless a submission is running. */
  reset(): void;
}

/** The part of a `submit` event that native events and those of React share. */
export interface SubmitLike {
  readonly defaultPrevented: boolean;
  readonly submitter?: HTMLElement | null;
  preventDefault(): void;
}

/** Number of controllers on the page. It makes ids of messages unique. */
let count = 0;

const IDLE: FormState = { status: 'idle' };

/** Creates the state machine of one form. */
export function createController(url: string, options: FormsteadOptions = {}): FormController {
  const { language, redirect = true } = options;
  const form = createForm(url, { language });
  const context = { prefix: `formstead-${++count}`, placed: new Set<string>() };
  const listeners = new Set<() => void>();
  let sendingText = '';
  let view = viewOf(IDLE, { ...context, sendingText });

  const set = (state: FormState) => {
    view = viewOf(state, { ...context, sendingText });
    for (const listener of listeners) listener();
  };

  const report = (sent: number, total: number) => set({ status: 'submitting', progress: sent / total });

  const submit = async (
    content: FormContent,
    { signal, submitter }: Pick<SubmitOptions, 'signal' | 'submitter'> = {},
  ): Promise<SubmitResult> => {
    const element = isForm(content) ? content : null;
    const isBusy = form.busy;
    // Reads the fields before a rendering can disable them.
    const sending = form.submit(content, { signal, submitter, onProgress: hasFiles(content) ? report : undefined });
    if (isBusy) return sending;
    sendingText = TEXTS[languageOf(element, language)][0];
    set({ status: 'submitting', progress: null });
    const result = await sending;
    if (!result.ok) {
      const { code, message, errors, retryAfter } = result;
      set({ status: 'error', code, message, errors, retryAfter });
      if (element) focusInvalid(element, errors);
      return result;
    }
    const { message, redirectUrl } = result;
    // A visitor who left the form for another view is not taken away from there.
    const follows = redirect && redirectUrl !== null && element?.isConnected;
    if (element) call(element, 'reset');
    set({ status: 'success', message, redirectUrl });
    if (follows) location.assign(redirectUrl);
    return result;
  };

  return {
    view: () => view,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    submit,
    handleSubmit: (event, element) => {
      if (event.defaultPrevented) return;
      event.preventDefault();
      void submit(element, { submitter: event.submitter });
    },
    handleInput: ({ target }) => {
      const { state } = view;
      if (state.status !== 'error' || state.errors.length === 0) return;
      const { name } = target as { name?: unknown };
      const errors = state.errors.filter(({ field }) => field !== fieldOf(String(name)));
      if (errors.length < state.errors.length) set({ ...state, errors });
    },
    reset: () => {
      if (!form.busy) set(IDLE);
    },
  };
}

const controlsOf = (form: HTMLFormElement): HTMLInputElement[] => [...get(form, 'elements')] as HTMLInputElement[];

/** Returns whether progress is worth reporting. */
function hasFiles(content: FormContent): boolean {
  if (isForm(content)) return controlsOf(content).some(({ files }) => files?.length);
  return content instanceof FormData && [...content.values()].some((value) => typeof value !== 'string');
}

/** Focuses the first visible control with an error, after frameworks have rendered the error. */
function focusInvalid(form: HTMLFormElement, errors: readonly FieldError[]): void {
  const fields = new Set(errors.map(({ field }) => field));
  setTimeout(() => {
    controlsOf(form)
      .find((control) => fields.has(fieldOf(control.name)) && control.getClientRects().length)
      ?.focus();
  });
}
