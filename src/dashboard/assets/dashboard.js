// What pages of the dashboard do better where script runs. Each works without.

// Menus close on a click outside and on Escape.
document.addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll('.menu[open]')) menu.open = menu.contains(target);
});
document.addEventListener('keydown', ({ key }) => {
  const menu = key === 'Escape' && document.querySelector('.menu[open]');
  if (!menu) return;
  menu.open = false;
  menu.firstElementChild.focus();
});

// The time zone of the browser, for who has not set one.
for (const field of document.querySelectorAll('input[data-time-zone]')) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
}

// Buttons that copy what stands in the element they name.
for (const button of document.querySelectorAll('button[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  if (!navigator.clipboard || !source) continue;
  const before = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(source.value ?? source.textContent);
    button.textContent = button.dataset.copied;
    setTimeout(() => {
      button.textContent = before;
    }, 2000);
  });
}

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
      part.replaceWith(came);
      part = came;
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

// A submission that is opened is read from then on.
for (const form of document.querySelectorAll('form[data-when-opened]')) {
  const body = new URLSearchParams(new FormData(form));
  fetch(form.action, { method: 'POST', body, redirect: 'manual', keepalive: true }).then(
    ({ type }) => {
      if (type !== 'opaqueredirect') return;
      form.hidden = true;
      document.getElementById(form.dataset.whenOpened).hidden = false;
    },
    () => {},
  );
}

// Boxes that check all others of a name, also those that come later.
for (const all of document.querySelectorAll('input[data-select-all]')) {
  all.closest('label').hidden = false;
  all.addEventListener('change', () => {
    for (const box of all.form.querySelectorAll(`[name="${all.dataset.selectAll}"]`)) box.checked = all.checked;
  });
}

// Lists of submissions.
{
  const list = document.getElementById('submissions');
  const said = document.getElementById('said');
  const parse = (markup) => new DOMParser().parseFromString(markup, 'text/html');
  const idOf = (row) => row.dataset.id;
  /** Not there for who may only read. */
  const bulk = document.getElementById('bulk');

  /** `place` is `prepend` or `append`. Rows that the list has already are left out. */
  const add = (rows, place) => {
    const shown = new Set(Array.from(list.children, idOf));
    list[place](...Array.from(rows).filter((row) => !shown.has(idOf(row))));
    const isEmpty = list.children.length === 0;
    list.hidden = isEmpty;
    if (bulk) bulk.hidden = isEmpty;
    if (!isEmpty) document.getElementById('empty')?.remove();
  };

  // One that shows by itself what arrives, while somebody looks.
  const SECONDS = 4;
  const MOST_SECONDS = 300;
  const showArrivals = async () => {
    const address = new URL(list.dataset.live, location.href);
    address.searchParams.set('after', list.dataset.after);
    const answer = await fetch(address, { redirect: 'manual' });
    if (answer.status === 204) return true;
    // Signed out, no longer of the team, or the form is not there any more.
    if (answer.type === 'opaqueredirect' || [403, 404].includes(answer.status)) return false;
    if (!answer.ok) throw new Error(answer.statusText);
    const part = parse(await answer.text());
    const rows = part.querySelector('ul');
    list.dataset.after = rows.dataset.after;
    add(rows.children, 'prepend');
    document.getElementById('unread').replaceWith(part.getElementById('unread'));
    said.textContent = part.querySelector('p').textContent;
    return true;
  };
  const watch = async () => {
    for (let wait = SECONDS; ; ) {
      await new Promise((resolve) => setTimeout(resolve, wait * 1000));
      if (document.hidden) {
        await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
      }
      try {
        if (!(await showArrivals())) return;
        wait = SECONDS;
      } catch {
        wait = Math.min(wait * 2, MOST_SECONDS);
      }
    }
  };
  if (list?.dataset.live) watch();

  // A search that goes on by itself to the end, or until it has found so many more, or is stopped.
  const MOST_FOUND = 200;
  const state = document.getElementById('search');
  const next = state?.querySelector('[data-search-on]');
  const stop = state?.querySelector('[data-search-stop]');
  let isSearching = false;
  const setSearching = (is) => {
    isSearching = is;
    next.hidden = is;
    stop.hidden = !is;
  };
  const search = async () => {
    setSearching(true);
    const most = list.children.length + MOST_FOUND;
    while (isSearching && list.children.length < most) {
      const page = await fetch(next.href, { redirect: 'manual' })
        .then((answer) => (answer.ok ? answer.text() : null))
        .then((markup) => markup && parse(markup))
        .catch(() => null);
      if (!page) break;
      const came = page.getElementById('search');
      const address = came.querySelector('[data-search-on]')?.getAttribute('href');
      add(page.getElementById('submissions').children, 'append');
      state.querySelector('p').replaceWith(came.querySelector('p'));
      if (address) {
        next.href = address;
        continue;
      }
      if (state.contains(document.activeElement)) state.focus();
      next.parentElement.remove();
      break;
    }
    setSearching(false);
    said.textContent = state.querySelector('p').textContent;
  };
  if (next) {
    stop.addEventListener('click', () => {
      setSearching(false);
      next.focus();
    });
    next.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      if (!isSearching) search();
      stop.focus();
    });
    search();
  }
}
