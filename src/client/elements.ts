type Method =
  | 'append'
  | 'closest'
  | 'dispatchEvent'
  | 'getAttribute'
  | 'hasAttribute'
  | 'querySelector'
  | 'querySelectorAll'
  | 'removeAttribute'
  | 'requestSubmit'
  | 'reset'
  | 'setAttribute'
  | 'submit';

/** Reads a property from the prototype, since a field named `action` or `reset` shadows the form's own. */
export const get = <Name extends Method | 'elements'>(form: Element, name: Name): HTMLFormElement[Name] =>
  Reflect.get(HTMLFormElement.prototype, name, form);

/** Calls a method of the prototype. */
export const call = <Name extends Method>(
  form: Element,
  name: Name,
  ...args: Parameters<HTMLFormElement[Name]>
): ReturnType<HTMLFormElement[Name]> => Reflect.apply(get(form, name), form, args);
