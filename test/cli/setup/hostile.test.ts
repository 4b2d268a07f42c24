import { expect, test } from 'bun:test';
import { linkSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createTeamWithForm, instances, run } from '../command-line.ts';
import { setupFile } from './setup-file.ts';

const fresh = instances();
const MIB = 1024 * 1024;

const form = (lines: string) => `workspaces:\n  - name: Site\n    forms:\n      - name: Contact\n        ${lines}\n`;
const bomb = () => {
  const levels = Array.from({ length: 12 }, (_, n) => `x${n + 1}: &x${n + 1} [${`*x${n},`.repeat(10)}]`);
  return `x0: &x0 [lol]\n${levels.join('\n')}\nworkspaces: []\n`;
};

/** Files that must change nothing, with the place and the message of their first fault. */
const FILES: ReadonlyArray<readonly [name: string, text: string | Uint8Array, place: string, message: RegExp]> = [
  ['an empty file', '', '1:1', /The file must be a group of properties, not null/],
  ['a text', 'hello', '1:1', /The file must be a group of properties, not this text/],
  ['a list', '- a\n- b\n', '1:1', /The file must be a group of properties, not a list/],
  ['a file without workspaces', 'forms: []\n', '1:1', /"workspaces" is missing/],
  ['an unknown property', form('redirect: https://example.com'), '5:9', /no property "redirect" here/],
  ['__proto__', `${form('state: active')}__proto__: {admin: true}\n`, '6:1', /no property "__proto__" here/],
  ['a tab as indentation', 'workspaces:\n\t- name: Site\n', '2:1', /Tabs are not allowed as indentation/],
  ['a property given twice', form('state: active\n        state: paused'), '6:9', /given twice/],
  [
    '60,000 properties',
    `{${Array.from({ length: 60_000 }, (_, n) => `k${n}: 1`).join(', ')}}`,
    '1:',
    /"workspaces" is missing/,
  ],
  [
    'a number as a name',
    'workspaces:\n  - name: 2024\n',
    '2:5',
    /"name" must be text, not a number\. Put it in quotes/,
  ],
  ['a text for a switch', form('enforces_rules: "yes"'), '5:9', /must be true or false, not this text/],
  ['a text for a list', form('notify: ada@example.com'), '5:9', /must be a list, not this text/],
  ['an unknown state', form('state: deleted'), '5:9', /must be active, paused, archived, not this text/],
  ['a merge key', `${form('<<: {state: paused}')}`, '5:9', /no property "<<" here/],
  ['a merge key of YAML 1.1', `%YAML 1.1\n---\n${form('<<: {state: paused}')}`, '7:9', /no property "<<" here/],
  ['an anchor bomb', bomb(), '2:10', /aliases of this file expand to too many values/],
  ['an alias of itself', `a: &a [*a]\n${form('state: active')}`, '1:1', /no property "a" here/],
  ['an alias without an anchor', form('notify: *people'), '5:17', /alias has no anchor/],
  ['a tag', form('name2: !!js/function "() => 1"'), '5:16', /Unresolved tag/],
  ['binary data', form('thanks_title: !!binary aGVsbG8='), '5:9', /must be text or null, not a group/],
  ['several documents', `${form('state: active')}---\n${form('state: paused')}`, '6:1', /several documents/],
  ['a list as the name of a property', '? [a, b]\n: c\n', '1:3', /name of a property must be text/],
  ['20,000 open brackets', `workspaces: ${'['.repeat(20_000)}`, '1:', /nested too deeply/],
  ['20,000 lists in a line', `workspaces:\n  ${'- '.repeat(20_000)}`, '2:', /nested too deeply/],
  ['a NUL', form('thanks_title: "a\0b"'), '5:25', /control character/],
  ['an escaped NUL', form('thanks_title: "a\\0b"'), '5:23', /contains the character U\+0000/],
  ['an escape sequence', form('thanks_title: "\u001b[2J"'), '5:24', /control character/],
  ['Latin-1', Buffer.from(form('thanks_title: café'), 'latin1'), '5:26', /This is not UTF-8/],
  ['10 MB', `workspaces: []\n${'# filler line\n'.repeat((10 * MIB) / 14)}`, '74899:', /more than 1 MiB/],
  ['an unclosed quotation mark', form('thanks_title: "Thanks'), '6:1', /Missing closing "quote/],
  [
    'an unknown field type with options',
    form('fields: [{name: a, options: [x]}]'),
    '5:9',
    /"options", but not the type/,
  ],
  ['a pattern that cannot be matched', form('fields: [{name: a, pattern: "("}]'), '5:9', /the pattern of entry 1/],
  [
    'too many options in all fields',
    form(
      `fields: ${JSON.stringify(Array.from({ length: 11 }, (_, n) => ({ name: `f${n}`, type: 'select', options: Array.from({ length: 200 }, (_, m) => `o${m}`) })))}`,
    ),
    '5:9',
    /more than 2000 options in all. Remove some/,
  ],
  ['a time without an offset', form('opens_at: "2026-12-24 18:00"'), '5:9', /is not a time/],
  [
    'a form that closes before it opens',
    form('opens_at: "2026-12-24T18:00:00Z"\n        closes_at: "2026-12-24T18:00:00Z"'),
    '6:',
    /would never be open/,
  ],
  ['a field without a name', form('fields: [{label: A}]'), '5:18', /"name" is missing/],
  ['two fields of a name', form('fields: [{name: a}, {name: a}]'), '5:9', /two entries have the same name/],
  ['a comma in a list of texts', form('blocked_words: ["a,b"]'), '5:25', /text without commas/],
  ['a wrong condition', form('notify_when: {ada@example.com: [{field: a}]}'), '5:41', /must be a condition such as/],
  ['conditions of a stranger', form('notify_when: {ada@example.com: []}'), '5:9', /is no recipient of the form/],
  [
    'a secret in the file',
    form('challenge: {kind: turnstile, secret: abc}'),
    '5:38',
    /must be env:NAME, file:PATH or keep/,
  ],
  ['a missing variable', form('challenge: {kind: turnstile, secret: env:NONE}'), '5:38', /variable NONE is not set/],
  ['a missing file', form('challenge: {kind: turnstile, secret: file:none}'), '5:38', /Could not read none \(ENOENT\)/],
  [
    'an endless file',
    form('challenge: {kind: turnstile, secret: file:/dev/zero}'),
    '5:38',
    /\/dev\/zero is not in the folder of this file/,
  ],
  ['nothing to keep', form('challenge: {kind: turnstile, secret: keep}'), '5:38', /no stored secret to keep/],
  ['a webhook of a private address', form('webhooks: [{url: https://127.0.0.1/}]'), '5:', /ALLOWED_PRIVATE_HOSTS/],
  ['a webhook without a URL', form('webhooks: [{kind: slack}]'), '5:', /URL/],
  ['11 webhooks', form(`webhooks: [${'{url: https://example.com/}, '.repeat(11)}]`), '5:9', /webhooks" is wrong/],
  [
    'a repeated event',
    form('webhooks: [{url: "https://example.com/", events: [submission.created, submission.created]}]'),
    '5:50',
    /"events" has a value twice\. Remove one\.$/,
  ],
  [
    'a setting of another kind',
    form('webhooks: [{url: "https://example.com/", template_format: json}]'),
    '5:20',
    /webhook takes no template_format\. Only template webhooks do/,
  ],
  ['an unknown id of a form', form('id: frm_unknown'), '5:9', /no form with this id in this team/],
  ['a form given twice', `${form('state: paused')}      - name: Contact\n`, '6:9', /in the file twice/],
];

test('a file that is broken or hostile changes nothing and says where and why', async () => {
  const dataDir = fresh();
  await createTeamWithForm(dataDir);
  const { path, write, pull } = setupFile(dataDir);
  const before = await pull();
  for (const command of ['apply', 'diff']) {
    const wrong = [];
    for (const [name, text, place, message] of FILES) {
      write(text);
      const { code, stdout, stderr } = await run(dataDir, [command, path]);
      const [first = ''] = stderr.split('\n');
      const isPlaced = first.startsWith(`formstead: forms.yaml:${place}`) && message.test(first);
      if (code !== 1 || stdout !== '' || !isPlaced) wrong.push({ name, code, stdout, first });
    }
    expect(wrong).toEqual([]);
  }
  expect(await pull()).toEqual(before);
});

/** A webhook whose header refers to a value outside of the file. */
const header = (reference: string) => form(`webhooks: [{url: https://m.example/x, headers: {X: "${reference}"}}]`);

test('a file outside of the folder of the YAML needs --allow-files-outside, also by a link', async () => {
  const dataDir = fresh();
  await createTeamWithForm(dataDir);
  const { path, write } = setupFile(dataDir);
  const parent = dirname(dataDir);
  write('from outside', 'outside.txt');
  write('from inside', 'setup/inside.txt');
  symlinkSync(join(parent, 'outside.txt'), join(parent, 'setup/link.txt'));
  symlinkSync(parent, join(parent, 'setup/folder'));
  const diff = (reference: string, ...options: string[]) => {
    const file = write(header(reference), 'setup/forms.yaml');
    return run(dataDir, ['diff', file, ...options]);
  };
  expect(await diff('file:inside.txt')).toMatchObject({ code: 2 });
  const wrong = ['../outside.txt', `${parent}/outside.txt`, 'link.txt', 'folder/outside.txt', path];
  write('x');
  for (const outside of wrong) {
    expect(await diff(`file:${outside}`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${outside} is not in the folder of this file. Move it there, or pass`),
    });
    expect(await diff(`file:${outside}`, '--allow-files-outside')).toMatchObject({ code: 2 });
  }
  expect(await diff('file:/dev/zero', '--allow-files-outside')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('more than 64 KiB'),
  });
});

test('secrets of the instance are refused by name, path, link and copy, also with --allow-files-outside', async () => {
  const dataDir = fresh();
  await createTeamWithForm(dataDir);
  const parent = dirname(dataDir);
  const key = join(dataDir, 'encryption.key');
  symlinkSync(key, join(parent, 'symbolic.txt'));
  linkSync(key, join(parent, 'hard.txt'));
  const smtp = 'smtp://forms:mail-password@mail.example';
  const env = { SMTP_URL: smtp, MAIL_FROM: 'forms@mail.example', METRICS_TOKEN_FILE: join(parent, 'token.txt') };
  const { apply, write } = setupFile(dataDir, { ...env, COPY: smtp, OWN: 'value of my own' });
  write('a-token-for-metrics-of-32-letters', 'token.txt');
  write(`A=1\nSMTP_URL=${smtp}\n`, 'formstead.env');
  write(`# a copy\n${readFileSync(key, 'utf8')}`, 'copy.txt');
  const refused = [
    ...['data/encryption.key', key, 'symbolic.txt', 'hard.txt', 'copy.txt', 'token.txt', 'formstead.env'].map(
      (name) => `file:${name}`,
    ),
    ...['SMTP_URL', 'DATABASE_URL', 'ENCRYPTION_KEY', 'METRICS_TOKEN', 'COPY'].map((name) => `env:${name}`),
  ];
  for (const reference of refused) {
    for (const options of [[], ['--allow-files-outside']]) {
      expect(await apply(header(reference), ...options)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/forms\.yaml:5:\d+: .*a secret of this instance, which is never sent/),
      });
    }
  }
  expect(await apply(header('env:OWN'))).toMatchObject({ code: 0 });
});

test('a path that is no readable file says so', async () => {
  const dataDir = fresh();
  await createTeamWithForm(dataDir);
  for (const path of [`${dataDir}/none.yaml`, dataDir]) {
    expect(await run(dataDir, ['apply', path])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Could not read .* \((?:ENOENT|EISDIR)\)\. (?:Check|Pass)/),
    });
  }
  expect(await run(dataDir, ['apply', '/dev/zero'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('1 MiB'),
  });
});
