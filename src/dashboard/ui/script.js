// What pages of the dashboard do better where script runs. Each works without.

// Menus close on Escape, and on a click or the focus outside.
for (const name of ['click', 'focusin']) {
  document.addEventListener(name, ({ target }) => {
    for (const menu of document.querySelectorAll('.menu[open]')) menu.open = menu.contains(target);
  });
}
document.addEventListener('keydown', ({ key }) => {
  const menu = key === 'Escape' && document.querySelector('.menu[open]');
  if (!menu) return;
  menu.open = false;
  menu.firstElementChild.focus();
});

// A text that opens is ready to be written.
document.addEventListener(
  'toggle',
  ({ target }) => target.open && target.matches('.composer') && target.querySelector('textarea').focus(),
  true,
);

// The current page in the rows of links on a phone.
for (const current of document.querySelectorAll(':is(.settings > nav, .tabs, .parts) [aria-current]')) {
  const row = current.closest('.tabs, .parts, nav');
  if (row.scrollWidth > row.clientWidth) row.scrollLeft = current.offsetLeft - row.offsetLeft - row.clientWidth / 3;
}

// The time zone of the browser, for who has not set one.
for (const field of document.querySelectorAll('input[data-time-zone]')) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
}

// Buttons that copy what stands in the element they name, also in parts that a script adds.
const prepareCopy = (root) => {
  for (const button of root.querySelectorAll('button[data-copy]')) {
    const source = document.getElementById(button.dataset.copy);
    if (!navigator.clipboard || !source) continue;
    const before = button.textContent;
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(source.value ?? source.href ?? source.textContent);
      button.textContent = button.dataset.copied;
      setTimeout(() => {
        button.textContent = before;
      }, 2000);
    });
  }
};
prepareCopy(document);
document.addEventListener('part', ({ detail }) => prepareCopy(detail));

// Buttons that print the page.
for (const button of document.querySelectorAll('button[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}

// Buttons that show the password in the field they name. It is hidden again before it is sent, or browsers would offer
// it as a text that was typed before.
for (const button of document.querySelectorAll('button[data-shows]')) {
  const field = document.getElementById(button.dataset.shows);
  const show = (isShown) => {
    field.type = isShown ? 'text' : 'password';
    button.setAttribute('aria-pressed', String(isShown));
  };
  button.hidden = false;
  button.addEventListener('click', () => show(field.type === 'password'));
  field.form.addEventListener('submit', () => show(false));
}

// Buttons that change the fields of a form: they replace only their part of the page, so that no other input is lost.
document.addEventListener('click', async (event) => {
  const button = event.target.closest('form[data-part] button[formaction]');
  if (!button) return;
  event.preventDefault();
  const { form } = button;
  const body = new URLSearchParams(new FormData(form, button));
  // Nothing can be typed, or pressed again, that the answer would take away.
  form.inert = true;
  try {
    const answer = await fetch(button.formAction, { method: 'POST', body });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const part = page.getElementById(form.parentElement.id)?.querySelector('form');
    if (!answer.ok || !part) throw new Error(answer.statusText);
    form.replaceWith(part);
    part.dataset.changed = 'yes';
    document.getElementById(new URL(button.formAction).hash.slice(1))?.focus();
  } catch {
    form.inert = false;
    form.requestSubmit(button);
  }
});

// Asks before what was typed into another part of the page is lost.
document.addEventListener('input', (event) => {
  const form = event.target.closest('form[data-part]');
  if (form) form.dataset.changed = 'yes';
});
addEventListener('beforeunload', (event) => {
  if (document.querySelector('form[data-part][data-changed]:not([data-sent])')) event.preventDefault();
});

// Filters apply what is chosen with the pointer. Arrow keys pass by choices, so after keys the button applies.
let isByKey = false;
addEventListener('keydown', () => {
  isByKey = true;
});
addEventListener('pointerdown', () => {
  isByKey = false;
});
document.addEventListener('change', ({ target }) => {
  if (!isByKey) target.closest('form[data-apply]')?.requestSubmit();
});

// Exports: how far the file has come that the browser saves.
for (const form of document.querySelectorAll('form[data-progress]')) {
  const shown = form.querySelector('[data-shown]');
  const show = (text, share, isOver) => {
    shown.hidden = false;
    shown.querySelector('[data-text]').textContent = text;
    shown.querySelector('progress').value = share;
    shown.querySelector('[role=status]').textContent = isOver ? text : '';
  };
  const follow = async (run) => {
    show('', 0, false);
    for (let missed = 0; missed < 10; missed++) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      const progress = await fetch(`${form.dataset.progress}?run=${run}`)
        .then((answer) => (answer.ok ? answer.json() : null))
        .catch(() => null);
      if (form.elements.run.value !== run) return;
      if (!progress) continue;
      show(progress.text, progress.share, progress.isOver);
      if (progress.isOver) return;
      missed = -1;
    }
    show(form.dataset.lost, 0, true);
  };
  form.addEventListener('submit', () => {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    form.elements.run.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    follow(form.elements.run.value);
  });
}

// Work that goes on on the server: looks again how far it is.
{
  const follow = async (part) => {
    for (let missed = 0; part.hasAttribute('data-follow') && missed < 30; ) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const came = await fetch(location.href, { redirect: 'manual' })
        .then((answer) => (answer.ok ? answer.text() : null))
        .then((markup) => markup && new DOMParser().parseFromString(markup, 'text/html').getElementById(part.id))
        .catch(() => null);
      missed = came ? 0 : missed + 1;
      if (!came) continue;
      const hadFocus = part.contains(document.activeElement);
      part.replaceWith(came);
      part = came;
      if (hadFocus) part.querySelector('a, button, input:not([type=hidden])')?.focus();
    }
    document.getElementById(`${part.id}-said`).textContent = part.querySelector('p, h2').textContent;
  };
  for (const part of document.querySelectorAll('[data-follow]')) follow(part);
}

// One post for one click.
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (form.method !== 'post') return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = 'yes';
  setTimeout(() => delete form.dataset.sent, 5000);
});

// A submission that is opened is read from then on, also in a part that a script adds.
const markOpened = (root) => {
  for (const form of root.querySelectorAll('form[data-when-opened]')) {
    const body = new URLSearchParams(new FormData(form));
    fetch(form.action, { method: 'POST', body, redirect: 'manual', keepalive: true }).then(
      ({ type }) => {
        if (type !== 'opaqueredirect') return;
        form.hidden = true;
        const other = root.querySelector(`#${CSS.escape(form.dataset.whenOpened)}`);
        if (other) other.hidden = false;
        root.dispatchEvent(new CustomEvent('read', { detail: form.action }));
      },
      () => {},
    );
  }
};
markOpened(document);
document.addEventListener('part', ({ detail }) => markOpened(detail));
