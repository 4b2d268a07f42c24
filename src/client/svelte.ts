import { createController, type FormsteadOptions } from './form-controller.ts';
import type { FormProps, FormView } from './form-view.ts';
import type { FormContent, SubmitResult } from './index.ts';

export type { FormsteadOptions } from './form-controller.ts';
export type { FormProps, FormState } from './form-view.ts';
export type { FieldError, FormContent, SubmitResult } from './index.ts';

/** The value of the store. */
export interface FormsteadView extends FormView {
  readonly formProps: FormProps;
}

/** A readable store of a form's state, with the action that submits the form. */
export interface FormsteadStore {
  subscribe(run: (view: FormsteadView) => void): () => void;
  /** The action of the form: `<form use:contact.form>`. */
  form(node: HTMLFormElement): { destroy(): void };
  submit(content: FormContent, options?: { signal?: AbortSignal | undefined }): Promise<SubmitResult>;
  /** Returns to the idle state, unless a submission is running. */
  reset(): void;
}

/** Connects a form to Formstead. `url` is the address that the form posts to. */
export function createFormstead(url: string, options: FormsteadOptions = {}): FormsteadStore {
  const controller = createController(url, options);
  const current = (): FormsteadView => {
    const view = controller.view();
    const isBusy = view.state.status === 'submitting';
    return { ...view, formProps: { action: url, method: 'post', enctype: 'multipart/form-data', 'aria-busy': isBusy } };
  };
  return {
    subscribe: (run) => {
      run(current());
      return controller.subscribe(() => run(current()));
    },
    form: (node) => {
      const listeners = new AbortController();
      const { signal } = listeners;
      node.addEventListener('submit', (event) => controller.handleSubmit(event, node), { signal });
      node.addEventListener('input', controller.handleInput, { signal });
      return { destroy: () => listeners.abort() };
    },
    submit: controller.submit,
    reset: controller.reset,
  };
}
