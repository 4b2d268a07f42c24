import { afterAll, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse } from 'content-disposition';
import { databaseOf, startInstance } from '../../support/instance.ts';
import { download, filePart, formData, keepForm, shown } from './files.ts';
import { expectAccepted, multipart, send } from './helpers.ts';

const instance = await startInstance();
afterAll(instance.stop);

/** Returns all paths under the data directory except the temporary files of the databases. */
function paths(): string[] {
  const entries = readdirSync(instance.dataDir, { recursive: true, withFileTypes: true });
  return entries
    .map(({ parentPath, name }) => relative(instance.dataDir, join(parentPath, name)))
    .filter((path) => !/^(formstead\.db|server\.lock)/.test(path));
}

/** Uploads one file whose part has these headers, and downloads it again. */
async function keepNamed(head: string) {
  const owner = await instance.makeOwner();
  await expectAccepted(await send(instance, owner, multipart([`${head}\r\n\r\ncontent`])));
  const [row] = await shown(instance, owner);
  const file = row?.file_metadata?.files[0];
  const answer = await download(instance, owner.readKey, row?.id ?? '', file?.id ?? '');
  expect(await answer.text()).toBe('content');
  return { file, disposition: answer.headers.get('content-disposition') ?? '' };
}

/** Escapes a name like browsers (WHATWG HTML, "multipart/form-data encoding algorithm"). */
function escaped(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

const RIGHT_TO_LEFT = '\u202e';

describe('a file name is stored unchanged, affects no path and is safe in a download:', () => {
  test.each([
    ['cv.pdf', 'cv.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\windows\\win.ini', 'win.ini'],
    ['/etc/passwd', 'passwd'],
    ['C:\\cv.pdf', 'cv.pdf'],
    ['..', null],
    ['.', null],
    ['/', null],
    ['a/..', null],
    ['\0', null],
    ['a\0.pdf', 'a.pdf'],
    ['.env', '.env'],
    ['con', 'con'],
    ['x'.repeat(300), 'x'.repeat(300)],
    [`cv${RIGHT_TO_LEFT}fdp.exe`, 'cvfdp.exe'],
    ['the "best" one.pdf', 'the "best" one.pdf'],
    ['a\r\nSet-Cookie: b=c.pdf', 'aSet-Cookie: b=c.pdf'],
    ['a; filename=b.pdf', 'a; filename=b.pdf'],
    ['a\\".pdf', '".pdf'],
    ['100%.pdf', '100%.pdf'],
    ['%41%2e.pdf', '%41%2e.pdf'],
    ['%E4%.pdf', '%E4%.pdf'],
    ['naïve café.pdf', 'naïve café.pdf'],
    ['履歴書 👩‍💻.pdf', '履歴書 👩‍💻.pdf'],
    [' spaced ', ' spaced '],
    ['-rf', '-rf'],
  ])('%j', async (name, saved) => {
    const { file, disposition } = await keepNamed(
      `Content-Disposition: form-data; name="cv"; filename="${escaped(name)}"`,
    );
    expect(file?.name).toBe(name);
    expect(disposition).toMatch(/^attachment; [\x20-\x7e]+$/);
    expect(parse(disposition)).toMatchObject({ type: 'attachment', parameters: { filename: saved ?? file?.id } });
  });

  test('on disk all files have random names in one folder', () => {
    const others = paths().filter((path) => !/^files\/[0-9a-f]{32}$/.test(path));
    expect(others.sort()).toEqual(databaseOf(instance.dataDir) ? ['files'] : ['encryption.key', 'files']);
  });
});

describe('a file name in RFC 8187 encoding is decoded', () => {
  const withParameters = (parameters: string) => `Content-Disposition: form-data; name="cv"; ${parameters}`;

  test.each([
    ['alone', "filename*=UTF-8''na%C3%AFve%20cv.pdf", 'naïve cv.pdf'],
    ['before the other', 'filename*=utf-8\'en\'%E2%82%AC.pdf; filename="EUR.pdf"', '€.pdf'],
    ['behind the other', 'filename="EUR.pdf"; filename*=UTF-8\'\'%E2%82%AC.pdf', '€.pdf'],
    ['in Latin-1', "filename*=ISO-8859-1''na%EFve.pdf", 'naïve.pdf'],
    ['with a quote, a line break and a percent sign in it', "filename*=UTF-8''%22%0D%0A%25.pdf", '"\r\n%.pdf'],
    ['with an escape of an escape in it', "filename*=UTF-8''%2522.pdf", '%22.pdf'],
  ])('%s', async (_how, parameters, name) => {
    expect((await keepNamed(withParameters(parameters))).file?.name).toBe(name);
  });

  test.each([
    ['not of UTF-8', "filename*=UTF-8''%FF.pdf"],
    ['of an unknown charset', "filename*=EBCDIC''cv.pdf"],
    ['without a charset', 'filename*=cv.pdf'],
    ['empty', 'filename*='],
  ])('only if it is valid: one that is %s falls back to the plain name, or to none', async (_what, extended) => {
    expect((await keepNamed(withParameters(`${extended}; filename="plain.pdf"`))).file?.name).toBe('plain.pdf');
    expect((await keepNamed(withParameters(extended))).file?.name).toBe('');
  });
});

test('a field name is stored unchanged except for its [] suffix', async () => {
  const names = ['a b', '"', '__proto__', 'x[0]', 'y[]', '[]', 'ü', 'a.b'];
  const owner = await instance.makeOwner();
  const parts = names.map((name) => filePart(escaped(name), 'f', 'x'));
  await expectAccepted(await send(instance, owner, multipart(parts)));
  const [row] = await shown(instance, owner);
  expect(row?.file_metadata?.files.map(({ field }) => field)).toEqual([
    'a b',
    '"',
    '__proto__',
    'x[0]',
    'y',
    '',
    'ü',
    'a.b',
  ]);
});

test('a file name from a real client arrives unchanged', async () => {
  const name = 'Ärzte "café" 履歴書 100%\n.pdf';
  const { kept } = await keepForm(instance, formData([['cv', new File(['x'], name)]]));
  expect(kept.file_metadata?.files[0]?.name).toBe(name);
});
