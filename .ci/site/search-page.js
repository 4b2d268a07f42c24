import { getExcerpt, SectionIndex } from '../../src/docs/search.ts';

// Runs in browsers, so it is not checked with Bun's types. SECTIONS is filled in by the build.

/** Searches the sections of a page's edition for the query of its address, and lists the results as the server does. */

const query = (new URLSearchParams(location.search).get('q') ?? '').trim();
const field = document.querySelector('#search-query');
if (field) field.value = query;

const results = new SectionIndex(SECTIONS).find(query);
const lead = document.querySelector('main .lead');
if (lead && query !== '') {
  const isGerman = document.documentElement.lang === 'de';
  const { length } = results;
  lead.textContent = isGerman ? `${length} Abschnitte für „${query}“.` : `${length} sections for “${query}”.`;
}
if (results.length > 0) {
  const list = document.createElement('ol');
  list.className = 'results';
  list.append(...results.map(({ section, words }) => toItem(section, words)));
  document.querySelector('main .contents')?.replaceWith(list);
}

function toItem(section, words) {
  const { path, chapter, title } = section;
  const item = document.createElement('li');
  const place = document.createElement('small');
  place.textContent = chapter;
  const link = document.createElement('a');
  link.href = path;
  link.textContent = title;
  item.append(place, link);
  const excerpt = getExcerpt(section, words);
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
