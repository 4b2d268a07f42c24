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

// The kinds of snippets become tabs. Arrow keys move among them.
const list = document.querySelector('.kinds nav');
const tabs = [...list.children];
const panelOf = (tab) => document.getElementById(tab.id.replace('kind', 'panel'));
const choose = (tab) => {
  for (const other of tabs) {
    other.ariaSelected = String(other === tab);
    other.tabIndex = other === tab ? 0 : -1;
    panelOf(other).hidden = other !== tab;
  }
  tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
};
const KEYS = { ArrowRight: 1, ArrowLeft: -1, Home: 'first', End: 'last' };
list.role = 'tablist';
for (const [index, tab] of tabs.entries()) {
  const panel = panelOf(tab);
  tab.role = 'tab';
  tab.setAttribute('aria-controls', panel.id);
  panel.role = 'tabpanel';
  panel.setAttribute('aria-labelledby', tab.id);
  tab.addEventListener('click', (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    choose(tab);
    history.replaceState(null, '', tab.href.replace(/#.*/, ''));
  });
  tab.addEventListener('keydown', (event) => {
    const step = KEYS[event.key];
    if (event.key === ' ') tab.click();
    else if (step === undefined) return;
    else {
      const next = step === 'first' ? tabs[0] : step === 'last' ? tabs.at(-1) : tabs.at((index + step) % tabs.length);
      next.click();
      next.focus();
    }
    event.preventDefault();
  });
}
choose(tabs.find((tab) => tab.ariaCurrent));
for (const tab of tabs) tab.removeAttribute('aria-current');
