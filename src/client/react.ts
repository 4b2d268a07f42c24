import { useMemo, useSyncExternalStore } from 'react';
import { createController, type FormsteadOptions } from './form-controller.ts';
import type { ErrorProps, FieldProps, FormState, StatusProps } from './form-view.ts';
import type { FormContent, SubmitResult } from './index.ts';

export type { FormsteadOptions } from './form-controller.ts';
export type { FormState } from './form-view.ts';
export type { FieldError, FormContent, SubmitResult } from './index.ts';

/** The part of an event of React that the handlers use. */
interface FormEventLike {
  readonly currentTarget: HTMLFormElement;
  readonly target: unknown;
  readonly nativeEvent: Event;
  readonly defaultPrevented: boolean;
  preventDefault(): void;
}

/** Properties of `<form>`. Its address and method also work without script and before hydration. */
export interface FormProps {
  action: string;
  method: 'post';
  encType: 'multipart/form-data';
  'aria-busy': boolean;
  onSubmit: (event: FormEventLike) => void;
  onInput: (event: FormEventLike) => void;
}

export interface UseFormstead {
  state: FormState;
  formProps: FormProps;
  /** Returns the name and ARIA attributes of a control. */
  fieldProps(name: string): FieldProps;
  /** Returns the properties of the element with a field's error, including its text. */
  errorProps(name: string): ErrorProps & { children: string };
  /** Properties of the live region, including its text. Render it always, also while it is empty. */
  statusProps: StatusProps & { children: string };
  submit(content: FormContent, options?: { signal?: AbortSignal | undefined }): Promise<SubmitResult>;
  /** Returns to the idle state, unless a submission is running. */
  reset(): void;
}

/** Connects a form to Formstead. `url` is the address that the form posts to. */
export function useFormstead(url: string, { language, redirect }: FormsteadOptions = {}): UseFormstead {
  const controller = useMemo(() => createController(url, { language, redirect }), [url, language, redirect]);
  const view = useSyncExternalStore(controller.subscribe, controller.view, controller.view);
  return {
    state: view.state,
    formProps: {
      action: url,
      method: 'post',
      encType: 'multipart/form-data',
      'aria-busy': view.state.status === 'submitting',
      onSubmit: (event) => {
        const { submitter } = event.nativeEvent as SubmitEvent;
        controller.handleSubmit(
          { defaultPrevented: event.defaultPrevented, submitter, preventDefault: () => event.preventDefault() },
          event.currentTarget,
        );
      },
      onInput: controller.handleInput,
    },
    fieldProps: view.fieldProps,
    errorProps: (name) => ({ ...view.errorProps(name), children: view.errorText(name) }),
    statusProps: { ...view.statusProps, children: view.statusText },
    submit: controller.submit,
    reset: controller.reset,
  };
}
