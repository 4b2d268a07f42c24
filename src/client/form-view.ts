import type { FieldError } from './index.ts';

/** The state of a form on a page. `progress` is between 0 and 1, and null for a submission without files. */
export type FormState =
  | { readonly status: 'idle' }
  | { readonly status: 'submitting'; readonly progress: number | null }
  | { readonly status: 'success'; readonly message: string; readonly redirectUrl: string | null }
  | {
      readonly status: 'error';
      readonly code: string;
      readonly message: string;
      readonly errors: readonly FieldError[];
      readonly retryAfter: number | null;
    };

/** Attributes of `<form>`. Its address and method also work without script and before hydration. */
export interface FormProps {
  action: string;
  method: 'post';
  enctype: 'multipart/form-data';
  'aria-busy': boolean;
}

/** Attributes of a control. */
export interface FieldProps {
  name: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

/** Attributes of the element with the error message of a field. It is hidden without one. */
export interface ErrorProps {
  id: string | undefined;
  hidden: boolean;
}

/** Attributes of the live region with the status. */
export interface StatusProps {
  role: 'status';
  'aria-live': 'polite' | 'assertive';
  'aria-busy': false;
}

/** An immutable view of a form's state, from which frameworks render. */
export interface FormView {
  readonly state: FormState;
  /** The text of the live region: the message, and errors of fields that have no element of their own. */
  readonly statusText: string;
  readonly statusProps: StatusProps;
  fieldProps(name: string): FieldProps;
  errorProps(name: string): ErrorProps;
  /** Returns the error message of a field, or an empty string. */
  errorText(name: string): string;
}

/** The part of a view that stays the same between states. */
export interface ViewContext {
  /** The start of ids of messages. */
  readonly prefix: string;
  /** Collects the fields whose error has an element of its own. */
  readonly placed: Set<string>;
  readonly sendingText: string;
}

/** Returns the view of a state. */
export function viewOf(state: FormState, { prefix, placed, sendingText }: ViewContext): FormView {
  const errors = state.status === 'error' ? state.errors : [];
  const textOf = (field: string) =>
    errors
      .filter((error) => error.field === field)
      .map(({ message }) => message)
      .join(' ');
  // Ids are rendered with an error only, so that pages rendered on a server never have other ids.
  const idOf = (field: string) => (textOf(field) ? `${prefix}-${field.replace(/[^\w-]/g, codeOf)}` : undefined);
  const others = errors.filter(({ field }) => !placed.has(field)).map(({ field, message }) => `${field}: ${message}`);
  return {
    state,
    statusText:
      state.status === 'submitting' ? sendingText : 'message' in state ? [state.message, ...others].join(' ') : '',
    // Announces messages inside the form too, which is busy while it is sent.
    statusProps: { role: 'status', 'aria-live': state.status === 'error' ? 'assertive' : 'polite', 'aria-busy': false },
    fieldProps: (name) => {
      const field = fieldOf(name);
      const id = idOf(field);
      return {
        name,
        'aria-invalid': id === undefined ? undefined : true,
        'aria-describedby': placed.has(field) ? id : undefined,
      };
    },
    errorProps: (name) => {
      const field = fieldOf(name);
      placed.add(field);
      const id = idOf(field);
      return { id, hidden: id === undefined };
    },
    errorText: (name) => textOf(fieldOf(name)),
  };
}

/** Returns a character for use in an id, where spaces are not allowed. */
const codeOf = (character: string): string => `:${character.charCodeAt(0)}`;

/** Returns the field's name in answers of the server, which have no `[]` at its end. */
export const fieldOf = (name: string): string => name.replace(/\[\]$/, '');
