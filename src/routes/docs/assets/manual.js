// Conveniences of the manual's pages. Each page is complete without them.

// Copies a code block.
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
    block.append(button);
  }
}

// The key "/" leads to the search box.
{
  const field = document.getElementById('search-query');
  document.querySelector('kbd[hidden]').hidden = false;
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('input, textarea, select')) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}

// Marks the section in view in the table of contents.
{
  const links = new Map(Array.from(document.querySelectorAll('.toc a'), (link) => [link.hash.slice(1), link]));
  const headings = Array.from(links.keys(), (id) => document.getElementById(decodeURIComponent(id))).filter(Boolean);
  const mark = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120);
    const isAtEnd = scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const current = (isAtEnd ? headings : passed).at(-1)?.id;
    for (const [id, link] of links) link.toggleAttribute('data-here', decodeURIComponent(id) === current);
  };
  mark();
  addEventListener('scroll', mark, { passive: true });
}

// A link to a section closes the list it was chosen from.
for (const list of document.querySelectorAll('.side details, .toc details')) {
  list.addEventListener('click', (event) => {
    if (event.target.closest('a')) list.open = false;
  });
}
