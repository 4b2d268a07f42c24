// Progressive enhancement of the manual. Pages work without it.

// Adds copy buttons to code blocks.
if (navigator.clipboard) {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.setAttribute('aria-live', 'polite');
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    block.querySelector('.bar').append(button);
  }
}

// Focuses the search box on the key "/".
{
  const field = document.getElementById('search-query');
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('input, textarea, select')) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}

// Highlights the current section in the table of contents.
{
  const links = new Map(Array.from(document.querySelectorAll('.toc a'), (link) => [link.hash.slice(1), link]));
  const headings = Array.from(links.keys(), (id) => document.getElementById(decodeURIComponent(id))).filter(Boolean);
  const update = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120);
    const isAtEnd = scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const current = (isAtEnd ? headings : passed).at(-1)?.id;
    for (const [id, link] of links) link.toggleAttribute('data-here', decodeURIComponent(id) === current);
  };
  update();
  addEventListener('scroll', update, { passive: true });
}

// Closes a navigation list after a click on one of its links.
for (const list of document.querySelectorAll('.side details, .toc details')) {
  list.addEventListener('click', (event) => {
    if (event.target.closest('a')) list.open = false;
  });
}
