import { afterAll, describe, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import { blobNames, expectNothingLeft, fileHead, filePart, formData, noise, shown } from './files.ts';
import { BOUNDARY, expectAccepted, expectRefused, kept, multipart, pause, send, textPart, used } from './helpers.ts';
import { HTML, png } from './samples.ts';
import { breakOff, exchange, head } from './wire.ts';

const instance = await startInstance({
  env: {
    MAX_FILES: '2',
    MAX_FILE_BYTES: '300000',
    MAX_UPLOAD_BYTES: '400000',
    MAX_BODY_BYTES: '100000',
    PLANS: '{"closed":{"api_access":true,"submissions_limit":0}}',
  },
});
afterAll(instance.stop);

const type = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`;
const good = filePart('cv', 'cv.bin', 'x'.repeat(150_000));
const text = textPart('a', '1');

/** The beginning of a body with a file, after which an upload is in progress. */
const begun = `--${BOUNDARY}\r\n${text}\r\n--${BOUNDARY}\r\n${fileHead('cv', 'cv.bin')}${'x'.repeat(150_000)}`;

describe('a refused post with files leaves nothing behind if', () => {
  test.each<[string, string[], number, string]>([
    ['a file behind is too large', [good, filePart('f', 'f', 'x'.repeat(300_001))], 413, 'body_too_large'],
    ['a file is too large', [text, filePart('f', 'f', 'x'.repeat(300_001))], 413, 'file_too_large'],
    ['there are too many files', [filePart('f', 'f', 'x'), good, filePart('f', 'f', 'x')], 413, 'too_many_files'],
    ['a text behind is too large', [good, textPart('t', 'x'.repeat(100_001))], 413, 'body_too_large'],
    ['a text before is too large', [textPart('t', 'x'.repeat(100_001)), good], 413, 'body_too_large'],
    ['a name behind is too long', [good, textPart('x'.repeat(257), 'x')], 400, 'name_too_long'],
    ["a file's field has too long a name", [good, filePart('x'.repeat(257), 'f', 'x')], 400, 'name_too_long'],
    ['there are too many fields', [good, ...Array<string>(1_001).fill(text)], 400, 'too_many_fields'],
    ['a part behind cannot be read', [good, 'Content-Disposition: attachment\r\n\r\nx'], 400, 'unreadable_body'],
    ["a file's part is cut short by its own header", [good, `${fileHead('f', 'f')}`.trimEnd()], 400, 'unreadable_body'],
  ])('%s', async (_why, parts, status, code) => {
    const owner = await instance.makeOwner();
    await expectRefused(await send(instance, owner, multipart(parts)), status, code);
    await expectNothingLeft(instance, owner);
  });

  test('its closing boundary is missing', async () => {
    const owner = await instance.makeOwner();
    const { type, body } = multipart([good]);
    const cut = { type, body: String(body).slice(0, -6) };
    await expectRefused(await send(instance, owner, cut), 400, 'unreadable_body');
    await expectNothingLeft(instance, owner);
  });

  test('a file type is not allowed', async () => {
    const owner = await instance.makeOwner();
    const form = await instance.makeForm(owner, { allowedFileTypes: ['image/*'] });
    const files = formData([
      ['a', new File([png()], 'a.png', { type: 'image/png' })],
      ['b', new File([HTML], 'b.png', { type: 'image/png' })],
    ]);
    await expectRefused(await instance.post(form.id, files), 415, 'file_type_not_allowed');
    await expectNothingLeft(instance, owner);
  });

  test('a rule of the form is broken', async () => {
    const owner = await instance.makeOwner();
    const fields = [
      { name: 'email', label: 'E-mail', type: 'email', required: true },
      { name: 'cv', label: 'CV', type: 'file', required: true },
    ];
    const form = await instance.makeForm(owner, { fields, enforcesRules: true });
    const answer = await instance.post(form.id, formData([['cv', new File(['x'], 'x')]]));
    await expectRefused(answer, 400, 'invalid_fields');
    await expectNothingLeft(instance, owner);
  });

  test('the team has reached its cap', async () => {
    const owner = await instance.makeOwner('closed');
    await expectRefused(await send(instance, owner, multipart([good])), 429, 'submission_cap_reached');
    await expectNothingLeft(instance, owner);
  });

  test('the form was paused while it arrived', async () => {
    const owner = await instance.makeOwner();
    const body = `${begun}\r\n--${BOUNDARY}--\r\n`;
    const start = `${head(owner.form.id, type, `Content-Length: ${body.length}`)}${begun}`;
    const rest = Promise.withResolvers<void>();
    const answer = exchange(
      instance,
      start,
      rest.promise.then(() => body.slice(begun.length)),
    );
    await until(() => blobNames(instance).length > 0, 'the file to be begun');
    await pause(instance, owner);
    rest.resolve();
    await expectRefused(await answer, 403, 'form_paused');
    await expectNothingLeft(instance, owner);
  });

  test('its Idempotency-Key is invalid', async () => {
    const owner = await instance.makeOwner();
    const { type, body } = multipart([good]);
    const answer = await instance.post(owner.form.id, body, { 'Content-Type': type, 'Idempotency-Key': '' });
    await expectRefused(answer, 400, 'invalid_idempotency_key');
    await expectNothingLeft(instance, owner);
  });
});

describe('a post with files leaves nothing behind if', () => {
  test('it fills in a honeypot, which gets a success response', async () => {
    const owner = await instance.makeOwner();
    for (const parts of [
      [textPart('_honey', 'x'), good],
      [good, textPart('_gotcha', 'x')],
    ]) {
      await expectAccepted(await send(instance, owner, multipart(parts)));
      await expectNothingLeft(instance, owner);
    }
  });

  test.each([
    ['in the middle of a file', begun],
    ['in the head of a second file', `${begun}\r\n--${BOUNDARY}\r\nContent-Dispo`],
    ['behind a file', `${begun}\r\n--${BOUNDARY}`],
  ])('the client disconnects %s', async (_where, sent) => {
    const owner = await instance.makeOwner();
    await breakOff(instance, `${head(owner.form.id, type, 'Content-Length: 390000')}${sent}`);
    await until(() => blobNames(instance).length === 0, 'the file to be removed');
    await expectNothingLeft(instance, owner);
  });

  test('a hundred clients disconnect at once', async () => {
    const owner = await instance.makeOwner();
    const start = head(owner.form.id, type, 'Content-Length: 390000');
    await breakOff(instance, `${start}${begun}`, 100);
    await until(() => blobNames(instance).length === 0, 'the files to be removed');
    await expectNothingLeft(instance, owner);
  });
});

describe('a post with files under an Idempotency-Key', () => {
  const bytes = noise(100_000);
  const post = (owner: typeof instance.owner, key: string, content = bytes) => {
    const body = formData([['cv', new File([content], 'cv', { type: 'application/x-test' })]]);
    return instance.post(owner.form.id, body, { 'Idempotency-Key': key });
  };

  test('that is repeated with another boundary is stored once with one file', async () => {
    const owner = await instance.makeOwner();
    const before = blobNames(instance).length;
    for (let time = 0; time < 3; time++) await expectAccepted(await post(owner, 'key'));
    expect(await kept(instance, owner)).toHaveLength(1);
    expect(blobNames(instance)).toHaveLength(before + 1);
    expect(await used(instance, owner)).toBe(1);
  });

  test('that is repeated with other bytes is refused, and its file is deleted', async () => {
    const owner = await instance.makeOwner();
    await expectAccepted(await post(owner, 'key'));
    const before = blobNames(instance);
    await expectRefused(await post(owner, 'key', noise(100_000)), 422, 'idempotency_key_reused');
    expect(blobNames(instance)).toEqual(before);
    expect((await shown(instance, owner))[0]?.file_metadata?.files).toHaveLength(1);
  });

  test('that is sent fifty times at once is stored once with one file', async () => {
    const owner = await instance.makeOwner();
    const before = blobNames(instance).length;
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(owner, 'key')));
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses.has(200)).toBe(true);
    expect([...statuses].every((status) => status === 200 || status === 409)).toBe(true);
    expect(await kept(instance, owner)).toHaveLength(1);
    expect(blobNames(instance)).toHaveLength(before + 1);
  });
});
