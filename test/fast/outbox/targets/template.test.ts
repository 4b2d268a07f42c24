import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type TemplateFormat, template } from '../../../../src/outbox/targets/template.ts';
import { eventOf, URL_IN_DASHBOARD, withData } from './events.ts';

const render = (text: string, format: string, event = eventOf()) => {
  const templateFormat = format as TemplateFormat;
  return template.format(template.check({ url: 'https://example.com/x', template: text, templateFormat }), event);
};

test('fields and built-in names are filled in', () => {
  const names = ['email', ' message ', 'unknown', 'event.type', 'form.id', 'form.name', 'submission.id'];
  const more = ['submission.created_at', 'submission.is_spam', 'submission.url', 'submission.text'];
  const { url, headers, body } = render(JSON.stringify([...names, ...more].map((name) => `{{${name}}}`)), 'json');
  expect([url, headers]).toEqual(['https://example.com/x', { 'Content-Type': 'application/json' }]);
  expect(JSON.parse(body)).toEqual([
    ...['ada@example.com', 'Hello\nworld', '', 'submission.created', 'frm_1', 'Contact', 'sub_1'],
    ...['2026-11-22T08:30:00.000000Z', 'false', URL_IN_DASHBOARD],
    'Form: Contact\nEmail: ada@example.com\nmessage: Hello\n  world\nFiles: photo.jpg (12.5 KiB)',
  ]);
});

test('events without a submission leave names empty', () => {
  const event = eventOf({ type: 'form.cap_reached', submission: null, url: null });
  expect(render('{{event.type}} {{email}}{{submission.id}}{{submission.url}} {{form.name}}', 'text', event).body).toBe(
    'form.cap_reached  Contact',
  );
});

test('a maximum length shortens a value', () => {
  expect(render('{{email|4}} {{ email | 4 }} {{email|400}}', 'text').body).toBe('ada… ada… ada@example.com');
});

test('a value of 1 MiB is cut', () => {
  const { body } = render('{{a}}', 'text', withData([['a', 'x'.repeat(2 ** 20)]]));
  expect(body).toBe(`${'x'.repeat(19_999)}…`);
});

test.each([
  ['text', 'a'.repeat(20_000), '{{a}}'],
  ['form', '€'.repeat(20_000), 'a={{a}}&'],
  ['json', '"'.repeat(20_000), '{{a}}'],
  ['text', 'a'.repeat(20_000), '{{submission.text}}'],
])('as %s a hundred long values end at 256 KiB, and the cut is marked', (format, value, placeholder) => {
  const repeated = placeholder.repeat(100);
  const text = format === 'json' ? JSON.stringify([repeated]) : repeated;
  const { body } = render(text, format, withData([['a', value]]));
  const bytes = Buffer.byteLength(body);
  expect([bytes > 200 * 1024, bytes <= 256 * 1024]).toEqual([true, true]);
  expect(decodeURIComponent(body.replace(/%(?![0-9A-F]{2})/g, ''))).toContain('…');
  if (format === 'json') expect(JSON.parse(body)).toHaveLength(1);
});

test.each([
  [{ template: '{{a}}'.repeat(101), templateFormat: 'text' }, 'at most 100 placeholders'],
  [{ template: '' }, 'A template has'],
  [{ template: ' '.repeat(20_000) }, 'A template has'],
  ...[
    '{{message}}',
    '{"a": {{message}}}',
    '{"a": "\\{{message}}"}',
    '{"a": "\\u00{{message}}"}',
    '{"a": "{{message}}"',
  ].map((text): [object, string] => [{ template: text }, 'placeholders in quotes']),
])('%j is refused with a remedy', (options, text) => {
  expect(() => template.check({ url: 'https://example.com', ...options })).toThrow(text);
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      '"',
      '\\',
      '{{b}}',
      '{{',
      '}}',
      '&',
      '=',
      '%',
      '+',
      '\n',
      '\u2028',
      '\ud83d',
      '</x>',
      ',',
      '}',
    ),
  }),
);

test('no value leaves its place', () => {
  fc.assert(
    fc.property(hostile, hostile, (a, b) => {
      const event = withData([
        ['a', a],
        ['b', b],
      ]);
      const [text] = JSON.parse(render('["{{a}}"]', 'json', event).body);
      const json = JSON.parse(render('{"x": "<{{a}}>", "{{b}}": 1, "z": "{{b}}"}', 'json', event).body);
      expect([json.x, json.z]).toEqual([`<${text}>`, expect.any(String)]);
      const form = new URLSearchParams(render('x={{a}}&y={{b}}', 'form', event).body);
      expect([...form]).toEqual([
        ['x', text],
        ['y', json.z],
      ]);
      expect(render('{{a}}', 'text', event).body).toBe(text);
    }),
    { numRuns: 300 },
  );
});
