// Loads the summary of a form's answers into its overview.
for (const place of document.querySelectorAll('[data-summary]')) {
  const link = place.innerHTML;
  place.textContent = place.dataset.wait;
  fetch(place.dataset.summary)
    .then((answer) => (answer.ok ? answer.text() : Promise.reject(answer.status)))
    .then((markup) => {
      const summary = new DOMParser().parseFromString(markup, 'text/html').getElementById('summary');
      place.replaceChildren(...summary.childNodes);
    })
    .catch(() => {
      place.innerHTML = link;
    });
}
