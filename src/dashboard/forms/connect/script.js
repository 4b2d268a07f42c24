// The panel that waits for the first submission: looks every two seconds, for half an hour, while the page is visible.
const POLL_MS = 2000;
const MAX_POLLS = 900;
const panel = document.querySelector('[data-waiting]');
const isArrived = async () => {
  const answer = await fetch(panel.dataset.waiting, { redirect: 'manual' });
  if (!answer.ok) return false;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const current = page.getElementById('waiting');
  if (current?.matches('[data-waiting]')) return false;
  if (!current) {
    location.href = panel.dataset.waiting;
    return true;
  }
  const hadFocus = panel.contains(document.activeElement);
  panel.replaceWith(current);
  if (hadFocus) current.querySelector('a').focus();
  return true;
};
const watch = async () => {
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (document.hidden) {
      await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
    }
    if (await isArrived().catch(() => false)) return;
  }
};
if (panel) watch();
