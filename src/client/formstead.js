// Formstead's drop-in script. It sends every <form data-formstead> and shows the answer in the page. Without it, the
// form posts as any other.
(() => {
  /** While sending, and when no answer was to be had. */
  const TEXTS = {
    en: ['Sending…', 'This could not be sent. Please try again.'],
    de: ['Wird gesendet …', 'Das Senden hat nicht geklappt. Bitte versuchen Sie es noch einmal.'],
    fr: ['Envoi en cours…', 'L’envoi a échoué. Veuillez réessayer.'],
    es: ['Enviando…', 'No se ha podido enviar. Inténtelo de nuevo.'],
    pt: ['A enviar…', 'Não foi possível enviar. Tente novamente.'],
    it: ['Invio in corso…', 'L’invio non è riuscito. Riprovi.'],
    nl: ['Bezig met verzenden…', 'Het verzenden is niet gelukt. Probeer het opnieuw.'],
    pl: ['Wysyłanie…', 'Nie udało się wysłać. Proszę spróbować ponownie.'],
    ja: ['送信中…', '送信できませんでした。もう一度お試しください。'],
    zh: ['正在发送…', '未能发送。请重试。'],
  };
  /** A challenge gives a new token for the same content. */
  const TOKEN = /^((captcha|cf-turnstile|h-captcha|g-recaptcha)-response|cap-token|altcha|_stamp)$/;
  const STATUS = 'data-formstead-status';

  /** What is known of each form: `busy`, the `key` of its `content`, and the `marks` of fields at fault. */
  const states = new WeakMap();
  let marksMade = 0;

  /** A field named `action` or `reset` hides the form's own property of that name, so the prototype is asked. */
  const get = (form, name) => Reflect.get(HTMLFormElement.prototype, name, form);
  const call = (form, method, ...args) => get(form, method).apply(form, args);

  const isOurs = (form) => form instanceof HTMLFormElement && call(form, 'hasAttribute', 'data-formstead');

  const stateOf = (form) => {
    if (!states.has(form)) states.set(form, { marks: [] });
    return states.get(form);
  };

  /** A live region has to be there before its text, or the text is not read out. */
  const statusOf = (form) => {
    let status = call(form, 'querySelector', `[${STATUS}]`);
    if (!status) {
      status = document.createElement('p');
      status.setAttribute(STATUS, '');
      call(form, 'append', status);
    }
    status.setAttribute('role', 'status');
    // Of its own, because what changes inside a busy form is not read out.
    status.setAttribute('aria-busy', 'false');
    return status;
  };

  const say = (form, kind, text) => {
    const status = statusOf(form);
    status.setAttribute('aria-live', kind === 'error' ? 'assertive' : 'polite');
    status.setAttribute(STATUS, kind);
    status.textContent = text;
  };

  /** The page's language if it is one of ours, else the browser's. */
  const languageOf = (form) => {
    const place = call(form, 'closest', '[lang]');
    return [place && call(place, 'getAttribute', 'lang'), navigator.language, 'en']
      .map((tag) => tag?.slice(0, 2).toLowerCase())
      .find((tag) => Object.hasOwn(TEXTS, tag));
  };

  const ownText = (form, attribute, index) => call(form, 'getAttribute', attribute) ?? TEXTS[languageOf(form)][index];

  const describedBy = (control) => (control.getAttribute('aria-describedby') ?? '').split(/\s+/).filter(Boolean);

  const describe = (control, ids) => {
    if (ids.length) control.setAttribute('aria-describedby', ids.join(' '));
    else control.removeAttribute('aria-describedby');
  };

  const mark = (controls, text) => {
    const note = document.createElement('div');
    note.className = 'formstead-error';
    note.id = `formstead-error-${++marksMade}`;
    note.textContent = text;
    const last = controls.at(-1);
    // Inside the label it would become part of the control's name.
    (last.closest('label') ?? last).after(note);
    for (const control of controls) {
      control.setAttribute('aria-invalid', 'true');
      describe(control, [...describedBy(control), note.id]);
    }
    return { controls, note };
  };

  const unmark = (state, isMeant) => {
    for (const { controls, note } of state.marks.filter(isMeant)) {
      note.remove();
      for (const control of controls) {
        control.removeAttribute('aria-invalid');
        describe(
          control,
          describedBy(control).filter((id) => id !== note.id),
        );
      }
    }
    state.marks = state.marks.filter((one) => !isMeant(one));
  };

  const refuse = (form, state, { message, errors = [] }) => {
    const shown = [...get(form, 'elements')].filter((control) => control.getClientRects().length);
    const texts = [message];
    for (const { field, message } of errors) {
      const controls = shown.filter(({ name }) => name === field || name === `${field}[]`);
      if (controls.length) state.marks.push(mark(controls, message));
      else texts.push(`${field}: ${message}`);
    }
    say(form, 'error', texts.join(' '));
    shown.find((control) => state.marks.some(({ controls }) => controls.includes(control)))?.focus();
  };

  const succeed = (form, { message, redirect_url: next }) => {
    call(form, 'reset');
    say(form, 'success', message);
    if (next) location.assign(next);
  };

  const newKey = () =>
    crypto.randomUUID?.() ??
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

  /** What is sent, as a text that is the same only for the same content. A file input left empty gives the time of day. */
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

  /** The answer and its status; nothing where there was none to be had. */
  const post = async (url, body, headers) => {
    let failures = 0;
    let waits = 0;
    for (;;) {
      let seconds = 1;
      try {
        const response = await fetch(url, { method: 'POST', body, headers });
        const answer = parse(await response.text());
        if (answer?.code !== 'idempotency_key_in_use' || ++waits > 3) return { answer, status: response.status };
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

    unmark(state, () => true);
    state.busy = true;
    call(form, 'setAttribute', 'aria-busy', 'true');
    submitter?.setAttribute('aria-disabled', 'true');
    say(form, 'sending', ownText(form, 'data-sending', 0));
    const { answer, status } = await post(url, data, headers);
    state.busy = false;
    call(form, 'removeAttribute', 'aria-busy');
    submitter?.removeAttribute('aria-disabled');

    const isAnswer = typeof answer?.success === 'boolean';
    // Anything else may have been kept, so trying it again must carry the same key.
    if (isAnswer && status < 500 && answer.code !== 'idempotency_key_in_use') state.content = null;
    // Else the widget would go on showing that all is well.
    if (answer?.code === 'challenge_failed') call(form, 'querySelector', 'altcha-widget')?.reset?.();
    const detail = isAnswer ? answer : { success: false, message: ownText(form, 'data-failed', 1) };
    const type = `formstead:${detail.success ? 'success' : 'error'}`;
    const event = new CustomEvent(type, { bubbles: true, cancelable: true, detail });
    if (!call(form, 'dispatchEvent', event)) say(form, '', '');
    else if (detail.success) succeed(form, detail);
    else refuse(form, state, detail);
  };

  /** Fills hidden fields of this name with the present, signed by the instance: it tells how long filling in took. */
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

  document.addEventListener('focusin', ({ target }) => {
    const form = call(target, 'closest', 'form');
    if (isOurs(form)) statusOf(form);
  });

  document.addEventListener('input', ({ target }) => {
    const state = states.get(target.form);
    if (state) unmark(state, ({ controls }) => controls.includes(target));
  });

  document.addEventListener('submit', (event) => {
    const { target: form, submitter, defaultPrevented } = event;
    // A second copy of this script finds the event taken by the first.
    if (defaultPrevented || !isOurs(form) || /^(get|dialog)$/i.test(submitter?.getAttribute('formmethod'))) return;
    event.preventDefault();
    const state = stateOf(form);
    if (!state.busy) send(form, state, submitter);
  });
})();
