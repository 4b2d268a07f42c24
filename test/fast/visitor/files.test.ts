import { afterAll, describe, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { download, fileHead, filePart, formData, keepForm, MiB, noise, sha256, shown } from './files.ts';
import { BOUNDARY, expectAccepted, expectRefused, kept, multipart, send, textPart } from './helpers.ts';
import { chunked, exchange, head } from './wire.ts';

const instance = await startInstance();
afterAll(instance.stop);

describe('a file', () => {
  test.each([0, 1, 65_535, 65_536, 65_537, 131_072, MiB, 10 * MiB])(
    'of %i bytes comes back as it was sent',
    async (size) => {
      const bytes = noise(size);
      const file = new File([bytes], 'a b.bin', { type: 'application/x-test' });
      const { owner, kept } = await keepForm(instance, formData([['cv', file]]));
      expect(kept.file_metadata).toEqual({
        files: [
          {
            id: expect.stringMatching(/^file_[0-9a-f]{32}$/),
            field: 'cv',
            name: 'a b.bin',
            content_type: 'application/x-test',
            size,
            sha256: sha256(bytes),
          },
        ],
      });
      const answer = await download(instance, owner.readKey, kept.id, kept.file_metadata?.files[0]?.id ?? '');
      expect(answer.status).toBe(200);
      expect(Buffer.compare(bytes, await answer.bytes())).toBe(0);
    },
    20_000,
  );

  test('alone is a valid submission with empty data', async () => {
    const { kept } = await keepForm(instance, formData([['cv', new File(['x'], 'x')]]));
    expect(kept.data).toEqual({});
  });

  test('keeps bytes that look like a boundary or a line break', async () => {
    const owner = await instance.makeOwner();
    const content = `\r\n--${BOUNDARY.slice(0, -1)}\r\n\r--\r\n\r\n-\r`;
    await expectAccepted(await send(instance, owner, multipart([filePart('cv', 'x', content)])));
    const [row] = await shown(instance, owner);
    const answer = await download(instance, owner.readKey, row?.id ?? '', row?.file_metadata?.files[0]?.id ?? '');
    expect(await answer.text()).toBe(content);
  });

  test('is downloaded unchanged however the network splits it', async () => {
    const owner = await instance.makeOwner();
    const bytes = noise(200_000);
    const start = `--${BOUNDARY}\r\n${fileHead('cv', 'x')}`;
    const length = start.length + bytes.length + BOUNDARY.length + 8;
    const type = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`;
    const cuts = [0, 1, 2, 65_530, 65_537, 131_071, 199_999, bytes.length];
    const pieces = cuts.map((at, index) => bytes.subarray(at, cuts[index + 1]));
    const answer = await exchange(
      instance,
      head(owner.form.id, type, `Content-Length: ${length}`),
      ...[start, ...pieces, '\r\n', `--${BOUNDARY}`, '--', '\r\n'],
    );
    await expectAccepted(answer);
    const [row] = await shown(instance, owner);
    expect(row?.file_metadata?.files[0]).toMatchObject({ size: bytes.length, sha256: sha256(bytes) });
  });
});

describe('files and fields', () => {
  const a = ['a', '1'] as const;
  const b = ['b', '2'] as const;
  const cv = ['cv', new File(['cv'], 'cv.txt')] as const;
  const photo = ['photos[]', new File(['photo'], 'photo.txt')] as const;

  test.each([[[a, b, cv, photo]], [[cv, photo, a, b]], [[cv, a, photo, b]]])(
    'in any order give the same data and files',
    async (entries) => {
      const { owner, kept: row } = await keepForm(instance, formData(entries));
      expect(await kept(instance, owner)).toEqual([
        [
          ['a', '1'],
          ['b', '2'],
        ],
      ]);
      expect(row.file_metadata?.files.map(({ field, name }) => [field, name])).toEqual([
        ['cv', 'cv.txt'],
        ['photos', 'photo.txt'],
      ]);
    },
  );

  test('may share a name: texts are in the data, files in their order', async () => {
    const files = ['one', 'two', 'three'].map((name) => ['x[]', new File([name], name)] as const);
    const { owner, kept: row } = await keepForm(instance, formData([['x[]', 'text'], ...files]));
    expect(await kept(instance, owner)).toEqual([[['x', ['text']]]]);
    expect(row.file_metadata?.files.map(({ field, name }) => [field, name])).toEqual([
      ['x', 'one'],
      ['x', 'two'],
      ['x', 'three'],
    ]);
  });

  test('are distinguished by the file name only, not by their type', async () => {
    const owner = await instance.makeOwner();
    const text = 'Content-Disposition: form-data; name="t"\r\nContent-Type: application/pdf\r\n\r\nx';
    await expectAccepted(await send(instance, owner, multipart([text, filePart('f', 'f', 'y', 'text/plain')])));
    expect((await shown(instance, owner))[0]).toMatchObject({
      data: { t: 'x' },
      file_metadata: { files: [{ field: 'f', size: 1 }] },
    });
  });
});

describe("a browser's empty file input", () => {
  const empty =
    'Content-Disposition: form-data; name="cv"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n';

  test('is neither a file nor a field', async () => {
    const owner = await instance.makeOwner();
    await expectAccepted(await send(instance, owner, multipart([textPart('a', '1'), empty, empty])));
    expect(await shown(instance, owner)).toMatchObject([{ data: { a: '1' }, file_metadata: null }]);
  });

  test('alone is an empty submission', async () => {
    const owner = await instance.makeOwner();
    await expectRefused(await send(instance, owner, multipart([empty])), 400, 'empty_submission');
  });

  test('differs from an empty file, which has a name, and from a file without name, which has bytes', async () => {
    const owner = await instance.makeOwner();
    const parts = [empty, filePart('named', 'x.txt', ''), filePart('nameless', '', 'bytes')];
    await expectAccepted(await send(instance, owner, multipart(parts)));
    const [row] = await shown(instance, owner);
    expect(row?.file_metadata?.files).toMatchObject([
      { field: 'named', name: 'x.txt', size: 0 },
      { field: 'nameless', name: '', size: 5 },
    ]);
  });
});

describe('limits:', () => {
  const file = (size: number) => new File([noise(size)], 'x', { type: 'application/x-test' });
  const posted = (owner: { form: { id: string } }, entries: Parameters<typeof formData>[0]) =>
    instance.post(owner.form.id, formData(entries));

  test('a file one byte over the limit is refused with the name of its field', async () => {
    const owner = await instance.makeOwner();
    const answer = await posted(owner, [['cv[]', file(10 * MiB + 1)]]);
    const { errors } = await expectRefused(answer, 413, 'file_too_large');
    expect(errors).toEqual([{ field: 'cv', message: expect.stringMatching(/./) }]);
  });

  test('ten files are accepted and an eleventh is refused; empty inputs do not count', async () => {
    const owner = await instance.makeOwner();
    const part = filePart('f', 'f', 'x');
    const empty = filePart('e', '', '');
    const ten = [empty, ...Array<string>(10).fill(part), empty];
    await expectAccepted(await send(instance, owner, multipart(ten)));
    expect((await shown(instance, owner))[0]?.file_metadata?.files).toHaveLength(10);
    const answer = await send(instance, owner, multipart([...ten, filePart('last', 'f', '')]));
    const { errors } = await expectRefused(answer, 413, 'too_many_files');
    expect(errors).toEqual([{ field: 'last', message: expect.stringMatching(/./) }]);
  });

  test('all files together are refused above 25 MiB, with and without a declared length', async () => {
    const owner = await instance.makeOwner();
    const answer = await posted(
      owner,
      [1, 2, 3].map((n) => [`f${n}`, file(9 * MiB)] as const),
    );
    await expectRefused(answer, 413, 'body_too_large');
    const part = filePart('f', 'f', 'x'.repeat(9 * MiB));
    const body = chunked(String(multipart([part, part, part]).body));
    const type = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`;
    const undeclared = await exchange(instance, head(owner.form.id, type, 'Transfer-Encoding: chunked'), body);
    await expectRefused(undeclared, 413, 'body_too_large');
    expect(await kept(instance, owner)).toEqual([]);
  });

  test('texts beside a file are refused above 1 MiB, not counting the file', async () => {
    const owner = await instance.makeOwner();
    const texts = (count: number) =>
      Array.from({ length: count }, (_, n) => [`t${n}`, 'x'.repeat(200 * 1024)] as const);
    await expectAccepted(await posted(owner, [...texts(5), ['f', file(2 * MiB)]]));
    await expectRefused(await posted(owner, [['f', file(2 * MiB)], ...texts(6)]), 413, 'body_too_large');
  });

  test('with a limit of 0, files are refused and empty inputs are accepted', async () => {
    const none = await startInstance({ env: { MAX_FILES: '0' } });
    const parts = (name: string) => multipart([textPart('a', '1'), filePart('f', name, '')]);
    await expectRefused(await send(none, none.owner, parts('x')), 413, 'too_many_files');
    await expectAccepted(await send(none, none.owner, parts('')));
    await none.stop();
  });
});
