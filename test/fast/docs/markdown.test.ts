import { expect, test } from 'bun:test';
import { plainText, renderMarkdown } from '../../../src/docs/markdown.ts';

const render = (source: string) => renderMarkdown(source, (slug) => ['spam', 'mail'].includes(slug));

test('anchors match those of GitHub', () => {
  const source = [
    '# T',
    '## Files & types',
    '## `formstead restore` fails',
    '## A_b 2.0 – Ünï',
    '## Dup',
    '## Dup',
  ].join('\n\n');
  expect(render(source)).toMatchObject({
    title: 'T',
    headings: [
      { id: 'files--types', title: 'Files & types', level: 2 },
      { id: 'formstead-restore-fails' },
      { id: 'a_b-20--ünï' },
      { id: 'dup' },
      { id: 'dup-1' },
    ],
  });
});

test.each([
  ['[x](spam.md)', '<a href="/docs/spam">x</a>'],
  ['[x](./spam.md#a-b)', '<a href="/docs/spam#a-b">x</a>'],
  ['[x](#a)', '<a href="#a">x</a>'],
  ['[x](/openapi.json)', '<a href="/openapi.json">x</a>'],
  ['[x](https://example.com/?a&b "t")', '<a href="https://example.com/?a&amp;b">x</a>'],
  ['[x](../../test/bench/RESULTS.md)', 'x'],
  ['[x](other.md)', 'x'],
  ['[x](//example.com)', 'x'],
  ['[x](javascript:alert(1))', 'x'],
  ['[x](data:text/html,x)', 'x'],
  ['![x](y.png)', 'x'],
])('%s becomes %s', (source, markup) => {
  expect(render(source).markup).toBe(`<p>${markup}</p>\n`);
});

test('HTML is shown as text, and comments are omitted', () => {
  const { markup } = render(
    'a <b>x</b> & `<i>`\n\n<!-- settings -->\n\n<script>x</script>\n\n```html\n<p class="a">\n```\n\n| <u> |\n|---|\n| `a\\|b` |\n',
  );
  expect(markup).not.toMatch(/<(?:b|i|u|script|p class)/);
  expect(markup).not.toContain('settings');
  expect(markup.replace(/<\/?span[^>]*>/g, '')).toContain('&lt;p class=&quot;a&quot;&gt;');
  expect(markup).toContain('<code>a|b</code>');
});

test('plainText returns one line without tags, permalinks and entities', () => {
  const { markup } = render('# T\n\n## A `b` "c"\n\nOne *two*\nthree.\n\n- <x>\n- y & z\n');
  expect(plainText(markup)).toBe('A b "c" One two three. <x> y & z');
});
