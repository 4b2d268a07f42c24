// Settings of a form. `ui/script.js` marks a form with unsaved input and warns before it is lost.

const valuesOf = (form) =>
  JSON.stringify(Array.from(new FormData(form), ([name, value]) => [name, value.name ?? value]).filter(([, v]) => v));
const saved = new Map();
for (const form of document.querySelectorAll('.settings form[data-part]:not([data-changed])')) {
  saved.set(form, valuesOf(form));
}

// Input that is as it was needs no saving.
document.addEventListener('input', ({ target }) => {
  const form = target.closest('form[data-part]');
  if (form && saved.get(form) === valuesOf(form)) delete form.dataset.changed;
});

// A list of lines always ends with an empty one, and the others can be removed.
const showDrops = () => {
  for (const line of document.querySelectorAll('.lines > div'))
    line.lastElementChild.hidden = !line.firstElementChild.value;
};
document.addEventListener('input', ({ target }) => {
  const last = target.closest('.lines')?.querySelector('div:last-of-type');
  if (!last?.firstElementChild.value) return;
  const line = last.cloneNode(true);
  line.firstElementChild.value = '';
  for (const part of line.children) part.ariaLabel = part.ariaLabel.replace(/\d+$/, (number) => Number(number) + 1);
  last.after(line);
  showDrops();
});
document.addEventListener('click', ({ target }) => {
  const line = target.closest('[data-drop]')?.parentElement;
  if (!line) return;
  const input = line.nextElementSibling.firstElementChild;
  line.remove();
  input.focus();
  input.dispatchEvent(new Event('input', { bubbles: true }));
});
showDrops();

// "Discard" has asked enough.
document.addEventListener('click', ({ target }) => {
  if (target.closest('[data-discard]')) delete target.closest('form').dataset.changed;
});

// Files that are too large are refused before they are sent, which would lose the other input.
for (const input of document.querySelectorAll('input[data-max-bytes]')) {
  input.addEventListener('change', () => {
    const isTooLarge = (input.files[0]?.size ?? 0) > Number(input.dataset.maxBytes);
    input.setCustomValidity(isTooLarge ? input.dataset.tooLarge : '');
    input.reportValidity();
  });
}

// A picker next to a color's text. It has no name, so that the color can stay empty.
for (const picker of document.querySelectorAll('input[data-picks]')) {
  const text = document.getElementById(picker.dataset.picks);
  text.after(picker);
  picker.hidden = false;
  picker.addEventListener('input', () => {
    text.value = picker.value;
  });
  text.addEventListener('input', () => {
    if (/^#[0-9a-f]{6}$/i.test(text.value)) picker.value = text.value;
  });
}

// The title of a row follows its label.
document.addEventListener('input', ({ target }) => {
  const row = target.name === 'label' && target.closest('.rows li');
  if (!row) return;
  row.querySelector('[data-title]').textContent = target.value;
});

// Rows move by Alt and an arrow, or by dragging their grip.
document.addEventListener('keydown', (event) => {
  const row = event.altKey && /^Arrow(Up|Down)$/.test(event.key) && event.target.closest('.rows li');
  if (!row) return;
  event.preventDefault();
  row.querySelector(`button[name=${event.key.slice(5).toLowerCase()}]`).click();
});
let dragged = null;
const rowsOf = (row) => Array.from(row.parentElement.children);
const rowAt = ({ target }) => dragged && target.closest?.('.rows li');
document.addEventListener('pointerdown', ({ target }) => {
  const row = target.closest('.rows .grip')?.closest('li');
  if (row) row.draggable = true;
});
document.addEventListener('dragstart', ({ target }) => {
  dragged = target.matches?.('.rows li') ? target : null;
});
document.addEventListener('dragover', (event) => {
  const row = rowAt(event);
  if (!row) return;
  event.preventDefault();
  for (const other of rowsOf(row)) other.classList.toggle('is-target', other === row);
});
document.addEventListener('drop', (event) => {
  const row = rowAt(event);
  if (!row || row === dragged) return;
  event.preventDefault();
  const rows = rowsOf(row);
  const button = dragged.querySelector('button[name=down]');
  button.name = 'move';
  button.value = `${rows.indexOf(dragged)}-${rows.indexOf(row)}`;
  button.disabled = false;
  button.click();
});
document.addEventListener('dragend', ({ target }) => {
  target.draggable = false;
  dragged = null;
});

// The preview of the hosted page follows the input, and outlines the open field.
const frame = document.querySelector('iframe[data-preview]');
if (frame) {
  const OUTLINE = '.is-edited { outline: 2px solid var(--accent); outline-offset: 6px; border-radius: 6px; }';
  const section = document.querySelector('.settings > section');
  let timer;
  let latest = 0;
  const outline = () => {
    const fields = frame.contentDocument.querySelectorAll('form > :is(.field, input[type=hidden])');
    const rows = Array.from(section.querySelectorAll('.field-row')).filter((row) => row.querySelector('select'));
    for (const [index, row] of rows.entries()) {
      const field = fields[index];
      if (!field) continue;
      field.classList.toggle('is-edited', row.open);
      if (row.open) field.scrollIntoView({ block: 'nearest' });
      // The server names a field after its label until it has a name of its own.
      const { name } = field.querySelector('[name]') ?? field;
      row.querySelector('[name=name]').placeholder = name.replace(/\[]$/, '');
    }
  };
  const show = (styles) => {
    const sheet = new frame.contentWindow.CSSStyleSheet();
    sheet.replaceSync(styles + OUTLINE);
    frame.contentDocument.adoptedStyleSheets = [sheet];
    outline();
  };
  const load = async () => {
    const turn = ++latest;
    const inputs = Array.from(new FormData(section.querySelector('form')));
    const body = new URLSearchParams(inputs.filter(([, value]) => typeof value === 'string'));
    const answer = await fetch(frame.dataset.preview, { method: 'POST', body }).catch(() => null);
    if (!answer?.ok || turn < latest) return;
    const text = await answer.text();
    // The policy of this page refuses the styles of a document that it parses.
    const styles = Array.from(text.matchAll(/<style>([\s\S]*?)<\/style>/g), ([, style]) => style);
    const next = new DOMParser().parseFromString(text.replaceAll(/<style>[\s\S]*?<\/style>/g, ''), 'text/html');
    frame.contentDocument.body.replaceChildren(...next.body.childNodes);
    show(styles.join('\n'));
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(load, 250);
  };
  frame.addEventListener('load', () => show(''));
  if (frame.contentDocument?.readyState === 'complete') show('');
  section.addEventListener('input', soon);
  section.addEventListener('toggle', outline, true);
  new MutationObserver(soon).observe(section, { childList: true });
}
