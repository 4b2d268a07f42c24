// Formstead's drop-in script. It sends every <form data-formstead> and shows the response in the page. Without it, the
// form posts as usual.
(() => {
  /** Texts shown while sending and after a failure, by language. */
  const TEXTS = {
    en: ['Sending…', 'Your message could not be sent. Please try again.'],
    de: ['Wird gesendet …', 'Ihre Nachricht konnte nicht gesendet werden. Bitte versuchen Sie es noch einmal.'],
    fr: ['Envoi en cours…', 'L’envoi a échoué. Veuillez réessayer.'],
    es: ['Enviando…', 'No se ha podido enviar. Inténtelo de nuevo.'],
    pt: ['A enviar…', 'Não foi possível enviar. Tente novamente.'],
    it: ['Invio in corso…', 'L’invio non è riuscito. Riprovi.'],
    nl: ['Bezig met verzenden…', 'Het verzenden is niet gelukt. Probeer het opnieuw.'],
    pl: ['Wysyłanie…', 'Nie udało się wysłać. Proszę spróbować ponownie.'],
    ja: ['送信中…', '送信できませんでした。もう一度お試しください。'],
    zh: ['正在发送…', '未能发送。请重试。'],
  };
  /** Fields whose value may change between attempts with the same content. */
  const TOKEN = /^((captcha|cf-turnstile|h-captcha|g-recaptcha)-response|cap-token|altcha|_stamp)$/;
  const STATUS = 'data-formstead-status';
  /**
   * Default style. It inherits font and colors, so that it is readable on any page, and its selectors have no
   * specificity, so that every rule of the page wins.
   */
  const FORM = ':where(form[data-formstead]:not([data-unstyled])';
  const STYLE = `${FORM} [${STATUS}]:not([${STATUS}=''],[${STATUS}=sending])){margin:1em 0 0;padding:.75em 1em;\
border-inline-start:.25em solid #2f9e66;border-radius:.25em;background:color-mix(in srgb,currentColor 7%,transparent)}\
${FORM} [${STATUS}=error]){border-color:#e5484d}\
${FORM} .formstead-error){margin:.25em 0;padding-inline-start:.5em;border-inline-start:.25em solid #e5484d;\
font-size:.9em}${FORM} [aria-invalid=true]){box-shadow:0 0 0 2px #e5484d}`;

  /** State of each form: `busy`, the Idempotency-Key `key` for its `content`, and `errors` shown at fields. */
  const states = new WeakMap();
  let errorCount = 0;

  /** Reads properties from the prototype, since a field named `action` or `reset` shadows the form's own. */
  const get = (form, name) => Reflect.get(HTMLFormElement.prototype, name, form);
  const call = (form, method, ...args) => get(form, method).apply(form, args);

  const isEnabled = (form) => form instanceof HTMLFormElement && call(form, 'hasAttribute', 'data-formstead');

  const stateOf = (form) => {
    if (!states.has(form)) states.set(form, { errors: [] });
    return states.get(form);
  };

  /** Returns the live region. It must exist before its text, or screen readers do not announce the text. */
  const statusOf = (form) => {
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

  const show = (form, kind, text) => {
    const status = statusOf(form);
    status.setAttribute('aria-live', kind === 'error' ? 'assertive' : 'polite');
    status.setAttribute(STATUS, kind);
    status.textContent = text;
  };

  /** Returns the page's language if it is supported, else the browser's. */
  const languageOf = (form) => {
    const element = call(form, 'closest', '[lang]');
    return [element && call(element, 'getAttribute', 'lang'), navigator.language, 'en']
      .map((tag) => tag?.slice(0, 2).toLowerCase())
      .find((tag) => Object.hasOwn(TEXTS, tag));
  };

  const textFor = (form, attribute, index) => call(form, 'getAttribute', attribute) ?? TEXTS[languageOf(form)][index];

  const describedBy = (control) => (control.getAttribute('aria-describedby') ?? '').split(/\s+/).filter(Boolean);

  const describe = (control, ids) => {
    if (ids.length) control.setAttribute('aria-describedby', ids.join(' '));
    else control.removeAttribute('aria-describedby');
  };

  const addError = (controls, text) => {
    const note = document.createElement('div');
    note.className = 'formstead-error';
    note.id = `formstead-error-${++errorCount}`;
    note.textContent = text;
    const last = controls.at(-1);
    // Placed after the label: inside, it would become part of the control's accessible name.
    (last.closest('label') ?? last).after(note);
    for (const control of controls) {
      control.setAttribute('aria-invalid', 'true');
      describe(control, [...describedBy(control), note.id]);
    }
    return { controls, note };
  };

  const removeErrors = (state, matches) => {
    for (const { controls, note } of state.errors.filter(matches)) {
      note.remove();
      for (const control of controls) {
        control.removeAttribute('aria-invalid');
        describe(
          control,
          describedBy(control).filter((id) => id !== note.id),
        );
      }
    }
    state.errors = state.errors.filter((error) => !matches(error));
  };

  const showErrors = (form, state, { message, errors = [] }) => {
    const visible = [...get(form, 'elements')].filter((control) => control.getClientRects().length);
    const texts = [message];
    for (const { field, message } of errors) {
      const controls = visible.filter(({ name }) => name === field || name === `${field}[]`);
      if (controls.length) state.errors.push(addError(controls, message));
      else texts.push(`${field}: ${message}`);
    }
    show(form, 'error', texts.join(' '));
    visible.find((control) => state.errors.some(({ controls }) => controls.includes(control)))?.focus();
  };

  const showSuccess = (form, { message, redirect_url: next }) => {
    call(form, 'reset');
    show(form, 'success', message);
    if (next) location.assign(next);
  };

  const newKey = () =>
    crypto.randomUUID?.() ??
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

  /** Returns a string that identifies the content. An empty file input has the current time, which is left out. */
  const fingerprint = (url, data) =>
    JSON.stringify([
      url,
      ...[...data]
        .filter(([name]) => !TOKEN.test(name))
        .map(([name, value]) => [name, value.name ?? value, value.size, value.size && value.lastModified]),
    ]);

  const parse = (text) => {
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  };

  /** Posts and returns the response body and its status, or an empty object after repeated network errors. */
  const post = async (url, body, headers) => {
    let failures = 0;
    let retries = 0;
    for (;;) {
      let seconds = 1;
      try {
        const response = await fetch(url, { method: 'POST', body, headers });
        const answer = parse(await response.text());
        if (answer?.code !== 'idempotency_key_in_use' || ++retries > 3) return { answer, status: response.status };
        seconds = Math.min(Number(response.headers.get('Retry-After')) || 1, 10);
      } catch {
        if (++failures > 1) return {};
      }
      await new Promise((resume) => setTimeout(resume, seconds * 1000));
    }
  };

  const send = async (form, state, submitter) => {
    const url = submitter?.getAttribute('formaction') ?? call(form, 'getAttribute', 'action') ?? '';
    const data = new FormData(form, submitter);
    const content = fingerprint(url, data);
    if (state.content !== content) Object.assign(state, { content, key: newKey() });
    const headers = {
      Accept: 'application/json',
      'Accept-Language': languageOf(form),
      'Idempotency-Key': state.key,
    };

    removeErrors(state, () => true);
    state.busy = true;
    call(form, 'setAttribute', 'aria-busy', 'true');
    submitter?.setAttribute('aria-disabled', 'true');
    show(form, 'sending', textFor(form, 'data-sending', 0));
    const { answer, status } = await post(url, data, headers);
    state.busy = false;
    call(form, 'removeAttribute', 'aria-busy');
    submitter?.removeAttribute('aria-disabled');

    const isOurs = typeof answer?.success === 'boolean';
    // After any other response the submission may be stored, so a retry must use the same key.
    if (isOurs && status < 500 && answer.code !== 'idempotency_key_in_use') state.content = null;
    // Otherwise the widget keeps showing the used solution as valid.
    if (answer?.code === 'challenge_failed') call(form, 'querySelector', 'altcha-widget')?.reset?.();
    const detail = isOurs ? answer : { success: false, message: textFor(form, 'data-failed', 1) };
    const type = `formstead:${detail.success ? 'success' : 'error'}`;
    const event = new CustomEvent(type, { bubbles: true, cancelable: true, detail });
    if (!call(form, 'dispatchEvent', event)) show(form, '', '');
    else if (detail.success) showSuccess(form, detail);
    else showErrors(form, state, detail);
  };

  /** Fills `_stamp` fields with the current time, signed by the instance: a spam signal. */
  const stamp = () => {
    for (const field of document.querySelectorAll('form[data-formstead] [name=_stamp]')) {
      const url = new URL(call(field.form, 'getAttribute', 'action'), document.baseURI);
      fetch(new URL('stamp', url))
        .then((response) => response.json())
        .then((answer) => {
          field.value = answer.stamp ?? '';
        })
        .catch(() => {});
    }
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', stamp);
  else stamp();

  try {
    // A Content-Security-Policy does not restrict such a sheet. Browsers before 2023 may lack it.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  } catch {}

  document.addEventListener('focusin', ({ target }) => {
    const form = call(target, 'closest', 'form');
    if (isEnabled(form)) statusOf(form);
  });

  document.addEventListener('input', ({ target }) => {
    const state = states.get(target.form);
    if (state) removeErrors(state, ({ controls }) => controls.includes(target));
  });

  document.addEventListener('submit', (event) => {
    const { target: form, submitter, defaultPrevented } = event;
    // `defaultPrevented` also skips events handled by a second copy of this script.
    if (defaultPrevented || !isEnabled(form) || /^(get|dialog)$/i.test(submitter?.getAttribute('formmethod'))) return;
    event.preventDefault();
    const state = stateOf(form);
    if (!state.busy) send(form, state, submitter);
  });
})();
