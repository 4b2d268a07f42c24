import { expect, test } from 'bun:test';
import { highlight } from '../../../src/lib/highlight.ts';

const CODE = {
  markup: `<!-- a\n  b --><form action="/f?a&b" method='post' data-formstead>\n<p>Don't <b hidden>it's</b></p><input required></form>
<script type="module">\nconst a = "x < y"; // why\nform.addEventListener('input', () => { key = \`a\nb\`; });\n</script>`,
  script: `'use client';\nexport function A() {\n  return <form {...props} className="a">{/* b */}<input name='c' /></form>;\n}\n/* d\n e */`,
  other: `# note\ncurl -X POST http://localhost/#a \\\n  --data-urlencode 'a=b "c"'\n{"key": "value", "n": 1}\nname: Contact`,
} as const;

const text = (html: string) => html.replace(/<[^>]*>/g, '');
const parts = (html: string, kind: string) =>
  Array.from(html.matchAll(new RegExp(`<span class="hl-${kind}">([^<]*)</span>`, 'g')), ([, part]) => part);

test.each(['markup', 'script', 'other'] as const)('keeps the text of %s, with no span over two lines', (language) => {
  const html = highlight(CODE[language], language);
  expect(text(html)).toBe(Bun.escapeHTML(CODE[language]));
  for (const line of html.split('\n')) {
    expect(line.match(/<span/g)?.length ?? 0).toBe(line.match(/<\/span>/g)?.length ?? 0);
  }
});

test('colors tags, attributes, strings and comments', () => {
  const html = highlight(CODE.markup, 'markup');
  expect(parts(html, 'tag')).toEqual(
    expect.arrayContaining(['&lt;form', '&gt;', '&lt;/form', '&lt;script', 'const', '&lt;/script']),
  );
  expect(parts(html, 'attribute')).toEqual(['action', 'method', 'data-formstead', 'hidden', 'required', 'type']);
  expect(parts(html, 'string')).toEqual(
    expect.arrayContaining(['&quot;/f?a&amp;b&quot;', '&#x27;post&#x27;', '`a', 'b`']),
  );
  expect(parts(html, 'comment')).toEqual(['&lt;!-- a', '  b --&gt;', '// why']);
  expect(parts(highlight(CODE.script, 'script'), 'attribute')).toEqual(['{...props}', 'className', 'name']);
  expect(parts(highlight(CODE.other, 'other'), 'attribute')).toEqual([
    '-X',
    '--data-urlencode',
    '&quot;key&quot;',
    '&quot;n&quot;',
    'name',
  ]);
});

test.each(['markup', 'script', 'other'] as const)('is safe and takes little time for hostile %s', (language) => {
  for (const part of [
    '<',
    '<a ',
    '"',
    "'",
    '`',
    '<!--',
    '</script>',
    '<script>',
    '{',
    '\\',
    '/*',
    '# ',
    'a: ',
    '-- ',
  ]) {
    const hostile = part.repeat(20_000);
    expect(text(highlight(hostile, language))).toBe(Bun.escapeHTML(hostile));
  }
});
