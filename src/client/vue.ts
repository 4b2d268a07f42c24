import { type ComputedRef, computed, onScopeDispose, shallowRef } from 'vue';
import { createController, type FormsteadOptions } from './form-controller.ts';
import type { FormProps as Attributes, ErrorProps, FieldProps, FormState, StatusProps } from './form-view.ts';
import type { FormContent, SubmitResult } from './index.ts';

export type { FormsteadOptions } from './form-controller.ts';
export type { FormState } from './form-view.ts';
export type { FieldError, FormContent, SubmitResult } from './index.ts';

/** Attributes and listeners of `<form>`. */
export interface FormProps extends Attributes {
  onSubmit: (event: Event) => void;
  onInput: (event: Event) => void;
}

export interface UseFormstead {
  state: ComputedRef<FormState>;
  formProps: ComputedRef<FormProps>;
  statusProps: ComputedRef<StatusProps>;
  /** The message of a success or failure. Render its element always, also while it is empty. */
  statusText: ComputedRef<string>;
  /** Returns the name and ARIA attributes of a control. */
  fieldProps(name: string): FieldProps;
  /** Returns the attributes of the element with a field's error. */
  errorProps(name: string): ErrorProps;
  /** Returns the error message of a field, or an empty string. */
  errorText(name: string): string;
  submit(content: FormContent, options?: { signal?: AbortSignal | undefined }): Promise<SubmitResult>;
  /** Returns to the idle state, unless a submission is running. */
  reset(): void;
}

/** Connects a form to Formstead. `url` is the address that the form posts to. */
export function useFormstead(url: string, options: FormsteadOptions = {}): UseFormstead {
  const controller = createController(url, options);
  const view = shallowRef(controller.view());
  const unsubscribe = controller.subscribe(() => {
    view.value = controller.view();
  });
  onScopeDispose(unsubscribe);
  return {
    state: computed(() => view.value.state),
    formProps: computed(() => ({
      action: url,
      method: 'post',
      enctype: 'multipart/form-data',
      'aria-busy': view.value.state.status === 'submitting',
      onSubmit: (event) => controller.handleSubmit(event as SubmitEvent, event.currentTarget as HTMLFormElement),
      onInput: controller.handleInput,
    })),
    statusProps: computed(() => view.value.statusProps),
    statusText: computed(() => view.value.statusText),
    fieldProps: (name) => view.value.fieldProps(name),
    errorProps: (name) => view.value.errorProps(name),
    errorText: (name) => view.value.errorText(name),
    submit: controller.submit,
    reset: controller.reset,
  };
}
