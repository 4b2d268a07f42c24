// The inbox: selection, new submissions, searches, two panes and keyboard shortcuts. Every page works without it.

const byId = (id) => document.getElementById(id);
const parse = (markup) => new DOMParser().parseFromString(markup, 'text/html');
const list = () => byId('submissions');
const rows = () => Array.from(list()?.querySelectorAll(':scope > [data-id]') ?? []);
const announce = (text) => {
  byId('said').textContent = text;
};

const sayOffline = () => {
  const toast = byId('offline');
  toast.hidden = true;
  // Shows it again, with its animation from the start.
  requestAnimationFrame(() => {
    toast.hidden = false;
  });
};

/** Returns the page at an address; null if it can't be read. Without a connection, says so and throws. */
const fetchPage = async (address, options = {}) => {
  const answer = await fetch(address, options).catch(() => null);
  if (!answer && !navigator.onLine) {
    sayOffline();
    throw new DOMException('offline', 'NetworkError');
  }
  return answer?.ok ? { url: answer.url, page: parse(await answer.text()) } : null;
};

addEventListener('unhandledrejection', (event) => {
  if (event.reason?.message === 'offline') event.preventDefault();
});

// Selection: boxes that check all others of a name, later ones included.
const showSelectAll = () => {
  for (const all of document.querySelectorAll('input[data-select-all]')) all.closest('label').hidden = false;
  showSelected();
};
const showSelected = () => {
  const shown = byId('selected');
  const count = document.querySelectorAll('#submissions [name="submission"]:checked').length;
  if (shown && count > 0) shown.textContent = shown.dataset.text.replace('{}', count);
  const empty = document.querySelector('.pane-hint');
  if (!empty) return;
  empty.dataset.text ??= empty.textContent;
  empty.textContent = count > 0 ? shown.textContent : empty.dataset.text;
};
document.addEventListener('change', ({ target }) => {
  const form = target.form;
  const elements = Array.from(form?.elements ?? []);
  const all = elements.find(({ dataset }) => dataset.selectAll);
  if (!all) return;
  const boxes = elements.filter(({ name }) => name === all.dataset.selectAll);
  const matching = elements.find(({ name }) => name === 'all');
  if (target === all || target === matching) for (const box of boxes) box.checked = target.checked;
  if (target === matching) all.checked = matching.checked;
  else if (matching && (target === all || boxes.includes(target))) matching.checked = false;
  if (boxes.includes(target)) all.checked = boxes.every(({ checked }) => checked);
  showSelected();
});
showSelectAll();

/** Adds rows that the list does not have; `place` is `prepend` or `append`. */
const add = (added, place) => {
  const shown = new Set(rows().map(({ dataset }) => dataset.id));
  list()[place](...Array.from(added).filter(({ dataset }) => !shown.has(dataset.id)));
  const isEmpty = rows().length === 0;
  list().hidden = isEmpty;
  if (byId('bulk')) byId('bulk').hidden = isEmpty;
  if (!isEmpty) byId('empty')?.remove();
};

// Notifications have the number of submissions and the names of their forms only.
const isNotifying = () => localStorage.getItem('notify') === 'yes' && Notification.permission === 'granted';
const showNotify = () => {
  const button = byId('notify');
  if (!button || !('Notification' in window) || !list()?.dataset.live || Notification.permission === 'denied') return;
  button.hidden = false;
  button.setAttribute('aria-pressed', String(isNotifying()));
  button.addEventListener('click', async () => {
    const isWanted = !isNotifying() && (await Notification.requestPermission()) === 'granted';
    localStorage.setItem('notify', isWanted ? 'yes' : 'no');
    button.setAttribute('aria-pressed', String(isWanted));
  });
};
showNotify();
const notify = ({ textContent, dataset }) => {
  if (!document.hidden || !('Notification' in window) || !isNotifying()) return;
  const notification = new Notification(dataset.forms, { body: textContent, tag: 'formstead' });
  notification.addEventListener('click', () => {
    window.focus();
    notification.close();
  });
};

// Shows new submissions while the page is visible, and less often while it is not but may notify.
const SECONDS = 4;
const SECONDS_HIDDEN = 30;
const MAX_SECONDS = 300;
const showArrivals = async () => {
  const address = new URL(list().dataset.live, location.href);
  address.searchParams.set('after', list().dataset.after);
  const answer = await fetch(address, { redirect: 'manual' });
  if (answer.status === 204) return true;
  // Signed out, no longer a member, or the form was deleted.
  if (answer.type === 'opaqueredirect' || [403, 404].includes(answer.status)) return false;
  if (!answer.ok) throw new Error(answer.statusText);
  const part = parse(await answer.text());
  const arrived = part.querySelector('ul');
  list().dataset.after = arrived.dataset.after;
  add(arrived.children, 'prepend');
  byId('unread-count').replaceWith(part.getElementById('unread-count'));
  announce(part.querySelector('p').textContent);
  notify(part.querySelector('p'));
  return true;
};
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
const untilVisible = () =>
  new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
const watch = async () => {
  for (let wait = SECONDS; ; ) {
    await pause(wait);
    if (document.hidden) {
      const isPolling = 'Notification' in window && isNotifying();
      await Promise.race([untilVisible(), ...(isPolling ? [pause(SECONDS_HIDDEN)] : [])]);
    }
    try {
      if (list()?.dataset.live && !(await showArrivals())) return;
      wait = SECONDS;
    } catch {
      wait = Math.min(wait * 2, MAX_SECONDS);
    }
  }
};
if (list()?.dataset.live) watch();

// Continues a search to its end, until it has found many more matches, or is stopped.
const MAX_FOUND = 200;
let searchRun = 0;
const search = async (state, next, stop) => {
  const run = ++searchRun;
  const isRunning = () => run === searchRun;
  next.hidden = true;
  stop.hidden = false;
  const most = rows().length + MAX_FOUND;
  while (isRunning() && rows().length < most) {
    const came = (await fetchPage(next.href, { redirect: 'manual' }))?.page;
    if (!came?.getElementById('search')) break;
    if (run !== searchRun && !state.isConnected) return;
    const found = came.getElementById('search');
    const address = found.querySelector('[data-search-on]')?.getAttribute('href');
    add(came.querySelectorAll('#submissions > [data-id]'), 'append');
    state.querySelector('p').replaceWith(found.querySelector('p'));
    document.querySelector('.pager [rel=next]')?.remove();
    if (address) {
      next.href = address;
      continue;
    }
    if (state.contains(document.activeElement)) state.focus();
    next.parentElement.remove();
    break;
  }
  if (isRunning()) searchRun++;
  next.hidden = false;
  stop.hidden = true;
  announce(state.querySelector('p').textContent);
};
const startSearch = () => {
  const state = byId('search');
  const next = state?.querySelector('[data-search-on]');
  if (!next) return;
  const stop = state.querySelector('[data-search-stop]');
  stop.addEventListener('click', () => {
    searchRun++;
    next.hidden = false;
    stop.hidden = true;
    next.focus();
  });
  next.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (stop.hidden) search(state, next, stop);
    stop.focus();
  });
  search(state, next, stop);
};
startSearch();

// The row that keys act on.
const currentRow = () =>
  document.activeElement?.closest('#submissions > [data-id]') ?? list()?.querySelector('[data-current]');
const setCurrent = (row, { focus = true } = {}) => {
  for (const other of rows()) delete other.dataset.current;
  if (!row) return;
  row.dataset.current = '';
  if (focus) (row.querySelector('a.title') ?? row.querySelector('input'))?.focus();
};

/** Replaces the list on the page by the list in an answer. The row at the same place becomes the current one. */
const showList = (page) => {
  const index = rows().indexOf(currentRow() ?? list()?.querySelector('[data-id]:has([name="submission"]:checked)'));
  const hadFocus = byId('inbox').contains(document.activeElement);
  byId('inbox').replaceChildren(...page.getElementById('inbox').childNodes);
  showSelectAll();
  showNotify();
  startSearch();
  const row = rows()[Math.min(index, rows().length - 1)];
  if (index >= 0) setCurrent(row, { focus: hadFocus });
  // The button that had the focus is gone.
  if (hadFocus && document.activeElement === document.body) byId('main').focus({ preventScroll: true });
  // Screen readers announce changes of a region, but not a new region.
  const message = document.querySelector('#inbox [role=status], #inbox [role=alert]');
  message?.removeAttribute('role');
  announce(message?.textContent ?? '');
};

/** Collapses the rows that a new list does not have. */
const collapseLeaving = (page) => {
  const stays = new Set(Array.from(page.querySelectorAll('#submissions > [data-id]'), ({ dataset }) => dataset.id));
  const leaving = rows().filter(({ dataset }) => !stays.has(dataset.id));
  if (leaving.length > 10 || matchMedia('(prefers-reduced-motion: reduce)').matches) return Promise.resolve();
  const collapse = (row) => {
    const from = { height: `${row.offsetHeight}px`, minHeight: 0, opacity: 1, overflow: 'hidden' };
    const to = { ...from, height: 0, paddingBlock: 0, opacity: 0 };
    return row.animate([from, to], { duration: 120, easing: 'ease-out' }).finished.catch(() => {});
  };
  return Promise.all(leaving.map(collapse));
};

/** Actions after which the next submission opens in the pane. */
const LEAVING = ['trash', 'spam', 'genuine', 'restore'];

/** Posts an action of the list and shows the result. */
const post = async (action, body) => {
  const opensNext = isPaneOpen() && LEAVING.includes(body.get('do'));
  const wasOpen = currentRow()?.dataset.id;
  const answer = await fetchPage(action, { method: 'POST', body: new URLSearchParams(body) });
  if (!answer?.page.getElementById('inbox')) return location.reload();
  await collapseLeaving(answer.page);
  showList(answer.page);
  if (!opensNext || currentRow()?.dataset.id === wasOpen) return;
  const next = currentRow()?.querySelector('a.title');
  if (next) open(next.href, false);
  else closePane();
};

/** Runs an action of the list on one row, whatever is selected. */
const actOn = (row, name) => {
  const form = byId('list-form');
  const body = new URLSearchParams(new FormData(form));
  body.delete('all');
  body.set('do', name);
  body.set('submission', row.dataset.id);
  return post(form.action, body);
};

/** Adds or removes a star without a new list. */
const toggleStar = async (button, body) => {
  const answer = await fetch('/dashboard/submissions', { method: 'POST', body, redirect: 'manual' }).catch(() => null);
  if (!answer && !navigator.onLine) return sayOffline();
  if (answer?.type !== 'opaqueredirect') return location.reload();
  const isStarred = button.getAttribute('aria-pressed') !== 'true';
  const [, id] = button.value.split(' ');
  button.setAttribute('aria-pressed', String(isStarred));
  button.value = `${isStarred ? 'unstar' : 'star'} ${id}`;
};

/** Actions with their own page. */
const PAGES = ['delete', 'empty', 'export'];
document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented || !form.closest('main')) return;
  if (!navigator.onLine) {
    event.preventDefault();
    delete form.dataset.sent;
    return sayOffline();
  }
  if (!form.closest('#inbox')) return;
  const isUndo = form.closest('.toast') !== null;
  // A download leaves the page as it is.
  if (submitter?.value === 'export') delete form.dataset.sent;
  const isAction = submitter?.name === 'user' || (submitter?.name === 'do' && !PAGES.includes(submitter.value));
  if (!isUndo && (form.id !== 'list-form' || !isAction)) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, submitter));
  if (!submitter?.classList.contains('star')) return post(form.action, body);
  // The form stays, with its other buttons.
  delete form.dataset.sent;
  toggleStar(submitter, body);
});

// Two panes: opens submissions next to the list where there is room.
const pane = byId('pane');
const isWide = matchMedia('(min-width: 900px)');
const hint = pane?.innerHTML;
let opened = 0;
const isPaneOpen = () => pane !== null && isWide.matches && pane.querySelector('h1') !== null;

const rowOf = (path) => rows().find(({ dataset }) => path.includes(dataset.id));
pane?.addEventListener('read', ({ detail }) => {
  const row = rowOf(detail);
  row?.querySelector('.unread')?.classList.remove('unread');
  row?.querySelector('.dot')?.remove();
});
/** Notes the opened submission in the address, in a new entry of the history for one that was opened by the user. */
const setOpen = (id, isNew = false) => {
  const address = new URL(location.href);
  if (id) address.searchParams.set('open', id);
  else address.searchParams.delete('open');
  if (isNew && address.href !== location.href) history.pushState(null, '', address);
  else history.replaceState(null, '', address);
};
const closePane = () => {
  const hadFocus = pane.contains(document.activeElement);
  opened++;
  pane.innerHTML = hint;
  setOpen(null);
  if (hadFocus) setCurrent(currentRow());
};
const showInPane = ({ url, page }, isNew = false) => {
  const path = new URL(url).pathname;
  const row = rowOf(path);
  for (const part of page.querySelectorAll('main > .banner, #offline')) part.remove();
  const hadFocus = pane.contains(document.activeElement);
  pane.replaceChildren(...page.querySelector('main').childNodes);
  pane.scrollTop = 0;
  if (hadFocus) pane.focus();
  setCurrent(row ?? currentRow(), { focus: false });
  setOpen(/^\/dashboard\/submissions\/([^/]+)$/.exec(path)?.[1], isNew);
  // Other scripts prepare what the page has for them, and mark the submission as read.
  document.dispatchEvent(new CustomEvent('part', { detail: pane }));
};
const open = async (address, isNew = true) => {
  const turn = ++opened;
  const answer = await fetchPage(address);
  if (turn !== opened) return;
  if (answer?.page.querySelector('main')) showInPane(answer, isNew);
  else location.href = address;
};
const isSubmission = ({ pathname, origin }) =>
  origin === location.origin && pathname.startsWith('/dashboard/submissions/') && !pathname.includes('/files/');
document.addEventListener('click', (event) => {
  const link = event.target.closest('#submissions a.title, #pane a[href], a[rel=next], a[rel=prev]');
  if (link && !navigator.onLine) {
    event.preventDefault();
    return sayOffline();
  }
  if (!pane || !link || !isWide.matches || event.button > 0 || event.defaultPrevented) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || link.download || link.target) return;
  if (isSubmission(link)) {
    event.preventDefault();
    open(link.href);
  } else if (link.pathname === location.pathname && link.hash === '' && link.closest('#pane')) {
    event.preventDefault();
    const row = currentRow();
    closePane();
    setCurrent(row);
  }
});
pane?.addEventListener('submit', async (event) => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented || form.method !== 'post' || !isWide.matches || form.enctype.startsWith('multipart'))
    return;
  event.preventDefault();
  if (form.dataset.sent) return;
  const body = new URLSearchParams(new FormData(form, submitter));
  const action = submitter?.hasAttribute('formaction') ? submitter.formAction : form.action;
  const [, name] = /\/(trash|spam|genuine)$/.exec(action) ?? [];
  if (name && byId('list-form') && rowOf(action)) return actOn(rowOf(action), name);
  const answer = await fetchPage(action, { method: 'POST', body });
  if (!answer) return location.reload();
  if (answer.page.getElementById('inbox')) {
    closePane();
    showList(answer.page);
    return;
  }
  showInPane(answer);
  const address = new URL(location.href);
  address.searchParams.delete('done');
  const refreshed = await fetchPage(address);
  if (refreshed?.page.getElementById('inbox')) showList(refreshed.page);
});
/** Shows the submission that the address names, or none. */
const showNamed = () => {
  const id = new URLSearchParams(location.search).get('open');
  const link = id && rowOf(id)?.querySelector('a.title');
  if (link) open(link.href, false);
  else if (isPaneOpen()) closePane();
};
if (pane) {
  addEventListener('popstate', () => isWide.matches && showNamed());
  if (isWide.matches) showNamed();
}

// Keyboard shortcuts, off while typing.
const move = (step) => {
  const all = rows();
  const index = all.indexOf(currentRow());
  const row = index < 0 ? all[step > 0 ? 0 : all.length - 1] : all[index + step];
  if (!row) return;
  setCurrent(row);
  if (isPaneOpen()) row.querySelector('a.title')?.click();
};
const press = (selector) => {
  const element = document.querySelector(selector);
  element?.click();
  return element !== null;
};
/** Runs an action on the selected rows, or on the current one. */
const act = (name) => {
  const form = byId('list-form');
  const button = form && document.querySelector(`.bulk-actions button[value="${name}"]`);
  if (!button) return;
  if (form.querySelector('[name="submission"]:checked, [name="all"]:checked')) return button.click();
  const row = currentRow();
  if (row) actOn(row, name);
};
const undoOrUp = () => {
  if (press('.toast form button')) return;
  const row = currentRow();
  if (isPaneOpen()) closePane();
  setCurrent(row);
};
/** Opens a part of the shown submission, such as its reply, and moves the focus there. */
const focusPart = (selector) => {
  const part = document.querySelector(selector);
  if (!part) return false;
  const details = part.closest('details');
  if (details) details.open = true;
  part.focus();
  return true;
};
/** Acts on the submission in the pane, after opening the current one if none is. */
const inPane = (act) => async () => {
  const link = currentRow()?.querySelector('a.title');
  if (!isPaneOpen() && link && isWide.matches) await open(link.href);
  act();
};
document.addEventListener('click', (event) => {
  if (event.target.closest('a[href="#reply-text"]') && focusPart('#reply-text')) event.preventDefault();
});
const PART_KEYS = {
  r: () => focusPart('#reply-text') || press('.actions a[href^="mailto:"]'),
  n: () => focusPart('#note-text'),
  a: () => focusPart('.assign > summary') && focusPart('.assign button'),
};
const LIST_KEYS = {
  ...Object.fromEntries(Object.entries(PART_KEYS).map(([key, act]) => [key, inPane(act)])),
  x: () => currentRow()?.querySelector('[name="submission"]')?.click(),
  '!': () => act('spam'),
  j: () => move(1),
  k: () => move(-1),
  o: () => currentRow()?.querySelector('a.title')?.click(),
  e: () => act('read'),
  s: () => currentRow()?.querySelector('button.star')?.click(),
  '#': () => act('trash'),
  u: undoOrUp,
};
/** Keys on the page of a submission. */
const SUBMISSION_KEYS = {
  ...PART_KEYS,
  '!': () => press('.actions form[action$="/spam"] button'),
  j: () => press('a[rel=next]'),
  k: () => press('a[rel=prev]'),
  e: () => press('.actions form[action$="/read"] button'),
  s: () => press('.actions button.star'),
  '#': () => press('.actions form[action$="/trash"] button'),
  u: () => press('.toast form button') || press('main .head a'),
};
const COMMON_KEYS = {
  '/': () => document.querySelector('input[type="search"]')?.focus(),
  '?': () => byId('shortcuts')?.showModal(),
};
const keys = byId('inbox')
  ? { ...COMMON_KEYS, ...LIST_KEYS }
  : location.pathname.startsWith('/dashboard/submissions/')
    ? { ...COMMON_KEYS, ...SUBMISSION_KEYS }
    : {};
const TYPING = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], dialog';
document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (ctrlKey || metaKey || altKey || event.defaultPrevented || !Object.hasOwn(keys, key)) return;
  if (target.closest?.(TYPING)) return;
  event.preventDefault();
  keys[key]();
});
