import type { Form } from '../../../domain/forms/form.ts';

/** Texts of the snippets in the viewer's language. */
export type SnippetTexts = Readonly<{
  send: string;
  leaveEmpty: string;
  sending: string;
  failed: string;
  /** The empty option of a select. */
  choose: string;
}>;

export type ConnectedForm = Pick<Form, 'fields' | 'allowedFileTypes' | 'challenge' | 'challengeVerifyUrl'>;

/** Markup of a challenge. `jsx` differs from `element` where React does. */
export type Widget = Readonly<{ element: string; jsx: string; script: string }>;

export type SnippetOptions = Readonly<{
  form: ConnectedForm;
  /** The address that the form posts to. */
  action: string;
  widget: Widget | null;
  /** The `enctype` attribute; empty without files. */
  enctype: string;
  t: SnippetTexts;
}>;

/** The syntax of markup in HTML or in the templates of a framework. */
export type Syntax = Readonly<{
  autocomplete: string;
  maxlength: string;
  /** The end of a tag without content. */
  end: '>' | ' />';
  /** Returns a quoted attribute value. */
  attribute: (value: string) => string;
  text: (text: string) => string;
  /** Returns the attribute that names a control. */
  nameOf: (name: string) => string;
}>;
