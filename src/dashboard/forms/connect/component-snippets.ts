import * as inputs from './controls.ts';
import { attribute, braced, inBraces, lines, quoted } from './escape.ts';

/** The syntax of a framework's templates. */
type TemplateSyntax = inputs.Syntax &
  Readonly<{
    labelFor: 'for' | 'htmlFor';
    /** Returns the element with the error message of a field. */
    errorOf: (name: string) => string;
  }>;

const REACT: TemplateSyntax = {
  autocomplete: 'autoComplete',
  maxlength: 'maxLength',
  end: ' />',
  attribute,
  text: inBraces,
  nameOf: (name) => `{...fieldProps(${literal(name)})}`,
  labelFor: 'htmlFor',
  errorOf: (name) => `<p {...errorProps(${literal(name)})} />`,
};

const VUE: TemplateSyntax = {
  ...inputs.HTML,
  text: inBraces,
  nameOf: (name) => `v-bind="fieldProps(${literal(name)})"`,
  labelFor: 'for',
  errorOf: (name) => `<p v-bind="errorProps(${literal(name)})">{{ errorText(${literal(name)}) }}</p>`,
};

const SVELTE: TemplateSyntax = {
  ...inputs.HTML,
  attribute: (value) => braced(attribute(value)),
  text: inBraces,
  nameOf: (name) => `{...$contact.fieldProps(${literal(name)})}`,
  labelFor: 'for',
  errorOf: (name) => `<p {...$contact.errorProps(${literal(name)})}>{$contact.errorText(${literal(name)})}</p>`,
};

/** Returns a component of React that uses the package. */
export function reactSnippet(options: inputs.SnippetOptions): string {
  const { action, widget, t } = options;
  return lines(
    `import { useFormstead } from '@formstead/client/react';

export function ContactForm() {
  const { formProps, fieldProps, errorProps, statusProps } = useFormstead(
    ${quoted(action)},
  );
  return (
    <form {...formProps}>`,
    ...controls(options, REACT).map((line) => `      ${line}`),
    widget && `      ${widget.jsx}`,
    `      <button>${inBraces(t.send)}</button>
      <p {...statusProps} />
    </form>
  );
}`,
  );
}

/** Returns a component of Vue that uses the package. */
export function vueSnippet(options: inputs.SnippetOptions): string {
  const { action, widget, t } = options;
  return lines(
    `<script setup>
import { useFormstead } from '@formstead/client/vue';

const { formProps, fieldProps, errorProps, errorText, statusProps, statusText } = useFormstead(
  ${quoted(action)},
);
</script>

<template>
  <form v-bind="formProps">`,
    ...controls(options, VUE).map((line) => `    ${line}`),
    widget && `    ${widget.element}`,
    `    <button>${inBraces(t.send)}</button>
    <p v-bind="statusProps">{{ statusText }}</p>
  </form>
</template>`,
  );
}

/** Returns a component of Svelte that uses the package. */
export function svelteSnippet(options: inputs.SnippetOptions): string {
  const { action, widget, t } = options;
  return lines(
    `<script>
  import { createFormstead } from '@formstead/client/svelte';

  const contact = createFormstead(${quoted(action)});
</script>

<form {...$contact.formProps} use:contact.form>`,
    ...controls(options, SVELTE).map((line) => `  ${line}`),
    widget && `  ${widget.element}`,
    `  <button>${inBraces(t.send)}</button>
  <p {...$contact.statusProps}>{$contact.statusText}</p>
</form>`,
  );
}

function controls({ form, t }: inputs.SnippetOptions, syntax: TemplateSyntax): string[] {
  const fields = form.fields.flatMap((field, index) => {
    const { name } = field;
    const id = /^[A-Za-z][\w-]*$/.test(name) ? name : `field-${index + 1}`;
    const label = inBraces(inputs.getLabel(field));
    const error = syntax.errorOf(name);
    const { control, lines } = inputs.getControl(field, form, t, syntax, id);
    if (control === 'hidden') return lines;
    const help = inputs.helpOf(field, syntax);
    if (control === 'group') return inputs.fieldset(label, [...help, ...lines, error]);
    return [`<label ${syntax.labelFor}="${id}">${label}</label>`, ...lines, ...help, error];
  });
  return [...fields, inputs.honeypot(t, syntax)];
}

/** Returns a string literal without characters that are syntax in templates. */
function literal(text: string): string {
  return quoted(text).replace(
    /["&<>{}]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
