// Counts and charts of the forms, as submissions arrive.
const update = async () => {
  const answer = await fetch(location.pathname, { redirect: 'error' });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const part of document.querySelectorAll('[data-live]')) {
    const fresh = page.getElementById(part.id);
    if (fresh && fresh.innerHTML !== part.innerHTML && !part.contains(document.activeElement)) part.replaceWith(fresh);
  }
};
setInterval(() => document.hidden || update().catch(() => {}), 5000);
