import { getExcerpt, SectionIndex } from '../../src/docs/search.ts';

// Runs in browsers, so it is not checked with Bun's types. SECTIONS is filled in by the build.

/** Searches the sections of a page's edition for the query of its address, and lists the results as the server does. */

const query = (new URLSearchParams(location.search).get('q') ?? '').trim();
const field = document.querySelector('#search-query');
if (field) field.value = query;

const { results, total } = new SectionIndex(SECTIONS).find(query);
const lead = document.querySelector('main .lead');
if (lead && query !== '') {
  const isGerman = document.documentElement.lang === 'de';
  const count = isGerman ? `${total} Abschnitte für „${query}“.` : `${total} sections for “${query}”.`;
  lead.textContent = count;
}
if (results.length > 0) {
  const list = document.createElement('ol');
  list.className = 'results';
  list.append(...results.map(({ section, words }) => toItem(section, words)));
  document.querySelector('main .contents')?.replaceWith(list);
}

function toItem({ path, chapter, title, text }, words) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = path;
  link.append(...mark(title, words));
  item.append(link);
  if (title !== chapter) {
    const place = document.createElement('span');
    place.className = 'soft';
    place.textContent = chapter;
    item.append(' ', place);
  }
  const excerpt = getExcerpt(text, words);
  const paragraph = document.createElement('p');
  paragraph.append(excerpt.isStart ? '' : '… ', ...mark(excerpt.text, words), excerpt.isEnd ? '' : ' …');
  item.append(paragraph);
  return item;
}

/** Splits a text into nodes, with the words marked. */
function mark(text, words) {
  const escaped = words.map((word) => `\\b${word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}[\\p{L}\\d]*`);
  return text.split(new RegExp(`(${escaped.join('|')})`, 'giu')).map((piece, index) => {
    if (index % 2 === 0) return document.createTextNode(piece);
    const marked = document.createElement('mark');
    marked.textContent = piece;
    return marked;
  });
}
