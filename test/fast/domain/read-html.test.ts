import { describe, expect, test } from 'bun:test';
import { parseFields } from '../../../src/domain/fields/parse-fields.ts';
import { readHtmlFields } from '../../../src/domain/fields/read-html.ts';

const names = (markup: string) => readHtmlFields(markup).map(({ name }) => name);
const field = (name: string, label: string, type: string, more: object = {}) => {
  return { name, label, type, required: false, ...more };
};

describe('pasted HTML', () => {
  test('becomes fields with labels, types, choices and rules', () => {
    const fields = readHtmlFields(`<p><input name="before"><form action="/x">
      <label for="n">Ihr Name: *</label><input id=n name="name" required maxlength=80>
      <label>E&#45;Mail <input type=EMAIL name=email placeholder="you@example.com"></label>
      <fieldset><legend>Will you <b>come</b>?</legend>
        <label><input type=radio name=come value=yes> Yes</label>
        <label><input type=radio name=come value=no> No</label></fieldset>
      <label>Size <select name=size><option value="">Choose<option>S</option><option value=M>Medium</option></select></label>
      <input type=checkbox id=c name=ok required><label for=c>I agree</label>
      <input type=checkbox name="days[]" value=sat><input type=checkbox name="days[]" value=sun>
      <input type=password name=pw><input type=hidden name=_gotcha><input type=hidden name=source><button name=go>Go</button>
      <label for=m>Gr&uuml;&szlig;e</label><textarea id=m name=msg><input name=fake></textarea>
      <input type=tel name=phone aria-label="Phone"></form><input name=after><form><input name=second></form>`);
    expect(fields).toEqual([
      field('name', 'Ihr Name', 'text', { required: true, max_length: 80 }),
      field('email', 'E-Mail', 'email', { placeholder: 'you@example.com' }),
      field('come', 'Will you come?', 'radio', { options: ['yes', 'no'] }),
      field('size', 'Size', 'select', { options: ['S', 'M'] }),
      field('ok', 'I agree', 'checkbox', { required: true }),
      field('days[]', 'days[]', 'checkboxes', { options: ['sat', 'sun'] }),
      field('source', 'source', 'hidden'),
      field('msg', 'Grüße', 'textarea'),
      field('phone', 'Phone', 'phone'),
    ]);
    expect(parseFields(JSON.stringify(fields))).toEqual(fields);
  });

  test.each([
    ['nothing', '', []],
    ['no form', '<label>A<input name=a></label>', ['a']],
    ['tags that are never closed', '<form><div><label>A<select name=a><option>1<option>2', ['a']],
    ['a tag cut off', '<form><input name=a><input name="b', ['a']],
    ['tags closed in the wrong order', '</form><label><fieldset></label><input name=a></fieldset></form>', ['a']],
    ['comments and scripts', '<!--<input name=x>--><script>"<input name=y>"</script><input name=a>', ['a']],
    ['an input without a name', '<input><input name=" "><input name=a>', ['a']],
    ['a select without options', '<select name=a></select>', ['a']],
    ['control characters and markup as names', '<input name="a\u0000&lt;b&gt;\n c">', ['a <b> c']],
    ['an impossible character reference', '<input name="a&#9999999;b&#xffffff;">', ['ab']],
  ])('is read with %s', (_, markup, expected) => {
    expect(names(markup)).toEqual(expected);
    expect(() => parseFields(JSON.stringify(readHtmlFields(markup)))).not.toThrow();
  });

  test('has a limit of fields, of options and of lengths', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `<input name=f${index} maxlength=99999999999>`).join('');
    expect(readHtmlFields(many)).toHaveLength(200);
    const options = Array.from({ length: 1_000 }, (_, index) => `<option>${index}</option>`).join('');
    expect(readHtmlFields(`<select name=a>${options}</select>`)[0]?.options).toHaveLength(200);
    const long = readHtmlFields(`<label>${'x '.repeat(9_000)}<input name=${'n'.repeat(9_000)}></label>`);
    expect(parseFields(JSON.stringify(long))).toHaveLength(1);
  });

  test('ends with 256 KiB of nested or unclosed elements', () => {
    for (const part of [
      '<label>',
      '<fieldset><legend>',
      '<form><select name=a>',
      '<label for=a>&#',
      '<input id=a name=',
    ]) {
      const markup = part.repeat(Math.floor((256 * 1024) / part.length));
      expect(readHtmlFields(markup).length).toBeLessThan(201);
    }
  });
});
