import { afterAll, describe, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { formData, keepForm, shown } from './files.ts';
import { expectAccepted, expectRefused, kept, multipart, send } from './helpers.ts';
import { DOCX, docx, EXE, HTML, PDF, png, zip } from './samples.ts';

const instance = await startInstance();
afterAll(instance.stop);

type Content = string | Uint8Array<ArrayBuffer>;

const fileOf = (content: Content, type: string, name = 'file') => new File([content], name, { type });

/** Posts a file to a form with these allowed types and returns the response. */
async function post(allowedFileTypes: string[], content: Content, type: string, name?: string) {
  const owner = await instance.makeOwner();
  const form = await instance.makeForm(owner, { allowedFileTypes });
  const answer = await instance.post(form.id, formData([['scan[]', fileOf(content, type, name)]]));
  return { answer, owner, form };
}

const M4A = Buffer.from('\0\0\0\x18ftypM4A \0\0\0\0M4A mp42\0\0\0\0', 'latin1');

const PICTURES = ['image/*', 'application/pdf'];

describe('a form with allowed types accepts', () => {
  test.each<[string, string[], Content, string]>([
    ['a picture', PICTURES, png(), 'image/png'],
    ['a picture with much text in front of it', PICTURES, png(20_000), 'image/png'],
    ['a picture whose type is not said', PICTURES, png(), ''],
    ['a picture under a type of old', PICTURES, Buffer.from('ffd8ffe000104a464946000101', 'hex'), 'image/jpg'],
    ['a picture made of text', PICTURES, '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['a PDF', PICTURES, PDF, 'application/pdf'],
    ['a document', [DOCX], docx(), DOCX],
    ['a document with its text far behind', [DOCX], docx(5_000), DOCX],
    ['an archive', ['application/zip'], zip({ 'a.txt': 'a' }), 'application/zip'],
    ['an archive under a type of old', ['application/zip'], zip({ 'a.txt': 'a' }), 'application/x-zip-compressed'],
    ['a text', ['text/plain'], 'hello', 'text/plain;charset=utf-8'],
    ['a text in other letters', ['text/plain'], Buffer.from('gr\u00fc\u00dfe', 'latin1'), 'TEXT/Plain'],
    ['a text that begins like something else', ['text/*'], 'MZ and BM are short beginnings', 'text/plain'],
    ['a table', ['text/csv'], 'a,b\n1,2\n', 'text/csv'],
    ['an empty text', ['text/plain'], '', 'text/plain'],
    ['what no one can tell', ['application/x-own'], 'own', 'application/x-own'],
  ])('%s', async (_what, types, content, type) => {
    const { answer, owner, form } = await post(types, content, type);
    await expectAccepted(answer);
    expect(await kept(instance, owner, form)).toHaveLength(1);
  });
});

describe('a form with allowed types accepts the name', () => {
  test.each<[string, string[], Content, string]>([
    ['photo.png', PICTURES, png(), 'image/png'],
    ['Photo.PNG', PICTURES, png(), 'image/png'],
    ['photo.jpg', PICTURES, png(), 'image/png'],
    ['photo.v2.png', PICTURES, png(), 'image/png'],
    ['photo.jfif', ['image/jpeg'], Buffer.from('ffd8ffe000104a464946000101', 'hex'), 'image/jpeg'],
    ['photo', PICTURES, png(), 'image/png'],
    ['Prof. Dr', PICTURES, png(), 'image/png'],
    ['scan.pdf', PICTURES, PDF, 'application/pdf'],
    ['letter.docx', [DOCX], docx(), DOCX],
    ['sound.wav', ['audio/wav'], Buffer.from('RIFF\u0000\u0000\u0000\u0000WAVEfmt '), 'audio/wav'],
    ['sound.webm', ['audio/*'], 'webm', 'audio/webm;codecs=opus'],
    ['notes.txt', ['text/plain'], 'hello', 'text/plain'],
    ['table.csv', ['text/*'], 'a,b', 'text/csv'],
    ['thing.own', ['application/x-own'], 'own', 'application/x-own'],
    ['evil.exe', [], EXE, 'application/x-msdownload'],
    ['t.csv', ['application/vnd.ms-excel', 'text/csv'], 'a,b', 'application/vnd.ms-excel'],
    ['part.step', ['model/step'], 'ISO-10303-21;', 'model/step'],
    ['Foto 2024.05.11', PICTURES, png(), 'image/png'],
    ['Foto.2024', PICTURES, png(), 'image/png'],
    ['Smith.John', PICTURES, PDF, 'application/pdf'],
    ['Rechnung Nr.12', PICTURES, PDF, 'application/pdf'],
    ['Nr.123', PICTURES, PDF, 'application/pdf'],
    ['table.csv', ['text/plain'], 'a,b', 'text/plain'],
    ['notes.py', ['text/x-python'], 'a()', 'text/x-python'],
    ['notes.md', ['text/plain'], '# Notes', 'text/plain'],
    ['sound.mp4', ['audio/*', 'video/*'], M4A, 'audio/mp4'],
    ['sound.mp4', ['audio/*', 'video/*'], M4A, 'video/mp4'],
    ['photo.png\u202e', PICTURES, png(), 'image/png'],
    ['photo.png\u00a0', PICTURES, png(), 'image/png'],
    ['page.html', ['text/*'], HTML, 'text/html'],
    ['drawing.svg', PICTURES, '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['setup.exe', ['application/x-msdownload'], EXE, 'application/x-msdownload'],
    ['build.sh', ['application/x-sh'], 'make', 'application/x-sh'],
    ['widget.js', ['text/javascript'], 'a()', 'text/javascript'],
    ['setup.ps1', ['application/octet-stream'], 'a', ''],
  ])('%j', async (name, types, content, type) => {
    const { answer, owner, form } = await post(types, content, type, name);
    await expectAccepted(answer);
    expect(await kept(instance, owner, form)).toHaveLength(1);
  });
});

describe('a form with allowed types refuses', () => {
  test.each<[string, string[], Content, string]>([
    ['another type', PICTURES, 'hello', 'text/plain'],
    ['a type that is not said and not found', PICTURES, 'hello', ''],
    ['a program that is said to be a picture', PICTURES, EXE, 'image/png'],
    ['a page that is said to be a picture', PICTURES, HTML, 'image/png'],
    ['junk that is said to be a picture', PICTURES, 'junk', 'image/png'],
    ['an empty file that is said to be a picture', PICTURES, '', 'image/png'],
    ['an archive that is said to be a PDF', PICTURES, zip({ 'a.txt': 'a' }), 'application/pdf'],
    ['a program that is said to be a document', [DOCX], EXE, DOCX],
    ['a page that is said to be a document', [DOCX], HTML, DOCX],
    ['a program that is said to be a text', ['text/*'], EXE, 'text/plain'],
    ['a picture that is said to be a text', ['text/*'], png(), 'text/plain'],
    ['a type that only begins like one', ['image/png'], 'x', 'image/png-x'],
    ['a range that is sent as a type', PICTURES, 'x', 'image/*'],
  ])('%s', async (_what, types, content, type) => {
    const { answer, owner, form } = await post(types, content, type);
    const { message, errors } = await expectRefused(answer, 415, 'file_type_not_allowed');
    expect(message).toContain(types.join(', '));
    expect(errors).toEqual([{ field: 'scan', message: expect.stringMatching(/./) }]);
    expect(await kept(instance, owner, form)).toEqual([]);
  });

  test.each<[string, string[], Content, string]>([
    ['photo.html', PICTURES, png(), 'image/png'],
    ['photo.png.exe', PICTURES, png(), 'image/png'],
    ['photo.png.exe. ', PICTURES, png(), 'image/png'],
    ['photo.SCR', PICTURES, png(), 'image/png'],
    ['photo.pdf', PICTURES, png(), 'image/png'],
    ['scan.png', PICTURES, PDF, 'application/pdf'],
    ['letter.docm', [DOCX], docx(), DOCX],
    ['notes.bat', ['text/*'], 'del *', 'text/plain'],
    ['notes.ps1', ['text/*'], 'rm *', 'text/plain'],
    ['notes.js', ['text/plain'], 'alert(1)', 'text/plain'],
    ['notes.exe', ['application/x-own'], 'own', 'application/x-own'],
    ['photo\u202egnp.exe', PICTURES, png(), 'image/png'],
    ['photo.e\u202exe', PICTURES, png(), 'image/png'],
    ['C:\\photo.exe', PICTURES, png(), 'image/png'],
    ['letter.docm', ['application/x-own'], 'own', 'application/x-own'],
    ['notes.html', ['text/plain'], HTML, 'text/plain'],
    ['photo.svg', ['image/x-own'], '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/x-own'],
    ['notes.js', ['text/*'], 'alert(1)', 'text/javascript'],
    ['notes.sh', ['application/*'], 'rm *', 'application/x-sh'],
    ['scan.pdf', ['application/pdf', 'text/plain'], 'hello', 'text/plain'],
    ['setup.msi', PICTURES, png(), 'image/png'],
    ['photo.lnk', PICTURES, png(), 'image/png'],
  ])('the name %p', async (name, types, content, type) => {
    const { answer, owner, form } = await post(types, content, type, name);
    await expectRefused(answer, 415, 'file_type_not_allowed');
    expect(await kept(instance, owner, form)).toEqual([]);
  });

  test.each(['\t', '\u00a0', '\u3000', '\u2028', '\ufeff', '\u200b', '\u0085', '.\u2003. ', '\u202e\t'])(
    'a name that ends in .exe%j',
    async (end) => {
      const { answer } = await post(PICTURES, png(), 'image/png', `photo.exe${end}`);
      await expectRefused(answer, 415, 'file_type_not_allowed');
    },
  );

  test('a second file of another type after an allowed one', async () => {
    const owner = await instance.makeOwner();
    const form = await instance.makeForm(owner, { allowedFileTypes: PICTURES });
    const files = formData([
      ['a', '1'],
      ['good', fileOf(png(), 'image/png')],
      ['bad', fileOf(EXE, 'image/png')],
    ]);
    const { errors } = await expectRefused(await instance.post(form.id, files), 415, 'file_type_not_allowed');
    expect(errors).toMatchObject([{ field: 'bad' }]);
    expect(await kept(instance, owner, form)).toEqual([]);
  });
});

describe('a form without allowed types detects', () => {
  test.each<[string, Content, string, string]>([
    ['what it was said to be', 'x', 'application/x-own', 'application/x-own'],
    ['what it was said to be, in small letters and alone', 'x', 'Text/CSV; charset=utf-8; header=present', 'text/csv'],
    ['what it is, where it was said to be something else', png(), 'application/pdf', 'image/png'],
    ['what it is, where nothing was said', png(), '', 'image/png'],
    ['that it is a document, where the archive around it is found', docx(), DOCX, DOCX],
    ['that it is of no known type, where nothing is said or found', 'x', '', 'application/octet-stream'],
  ])('%s', async (_what, content, type, expected) => {
    const { kept: row } = await keepForm(instance, formData([['f', fileOf(content, type)]]));
    expect(row.file_metadata?.files[0]?.content_type).toBe(expected);
  });

  test.each([
    'garbage',
    'a/b/c',
    'text/',
    '/plain',
    'text/pl ain',
    '\u00fc/\u00fc',
    'a'.repeat(9_000),
    `a/${'b'.repeat(128)}`,
    '*/*;',
    '',
  ])('no type for the declared type %j', async (type) => {
    const owner = await instance.makeOwner();
    const part = `Content-Disposition: form-data; name="f"; filename="f"\r\nContent-Type: ${type}\r\n\r\nx`;
    await expectAccepted(await send(instance, owner, multipart([part])));
    const [row] = await shown(instance, owner);
    expect(row?.file_metadata?.files[0]?.content_type).toBe('application/octet-stream');
  });
});
