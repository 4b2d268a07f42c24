/** An invalid field, with a message in the visitor's language. */
export interface FieldError {
  field: string;
  message: string;
}

/** The outcome of a submission. */
export type SubmitResult =
  | {
      ok: true;
      /** The form's thank-you message. */
      message: string;
      /** The form's redirect URL; null without one. The caller opens it. */
      redirectUrl: string | null;
      /** Present if the visitor has to open the link in a mail first; the message says so. */
      confirmationRequired?: boolean;
    }
  | {
      ok: false;
      /**
       * The error code of the server, or one of the client: `network_error`, `aborted`, `busy` while an earlier call
       * runs, `unexpected_response` if the answer is not from Formstead, `invalid_data` if the data can't be encoded.
       */
      code: string;
      /** A message for the visitor. */
      message: string;
      /** The invalid fields; empty if the failure is not about fields. */
      errors: FieldError[];
      /** Seconds until another attempt makes sense; null if unknown. */
      retryAfter: number | null;
      /** The HTTP status; null without an answer. */
      status: number | null;
    };

export interface SubmitOptions {
  /** Called with the bytes sent so far and in total; again from the start for each attempt. Needs a browser. */
  onProgress?: ((sent: number, total: number) => void) | undefined;
  /** Ends the submission, including waits between attempts, with the code `aborted`. */
  signal?: AbortSignal | undefined;
  /** The button that submits the form: its name and value are sent too. */
  submitter?: HTMLElement | null | undefined;
}

/** Data to submit: a form element, form data, or values that are sent as JSON. */
export type FormContent = HTMLFormElement | FormData | Readonly<Record<string, unknown>>;

export interface FormOptions {
  /** The language of messages, such as `de`. By default that of the form element, the page or the browser. */
  language?: string | undefined;
  /** Further headers, for a server that forwards forms. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** A form of a Formstead instance. */
export interface FormsteadForm {
  readonly url: string;
  /** True while a submission is running. */
  readonly busy: boolean;
  /** Submits data once, with retries. Never throws. */
  submit(data: FormContent, options?: SubmitOptions): Promise<SubmitResult>;
}
