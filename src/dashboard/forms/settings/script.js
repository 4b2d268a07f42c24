// Settings of a form. `ui/script.js` marks a form with unsaved input and warns before it is lost.

const valuesOf = (form) =>
  JSON.stringify(Array.from(new FormData(form), ([name, value]) => [name, value.name ?? value]));
const saved = new Map();
for (const form of document.querySelectorAll('.settings form[data-part]:not([data-changed])')) {
  saved.set(form, valuesOf(form));
}

// Input that is as it was needs no saving.
document.addEventListener('input', ({ target }) => {
  const form = target.closest('form[data-part]');
  if (form && saved.get(form) === valuesOf(form)) delete form.dataset.changed;
});

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

// The current page in the rows of links on a phone.
for (const current of document.querySelectorAll(':is(.settings > nav, .tabs) [aria-current]')) {
  const row = current.closest('.tabs, nav');
  if (row.scrollWidth > row.clientWidth) row.scrollLeft = current.offsetLeft - row.clientWidth / 3;
}
