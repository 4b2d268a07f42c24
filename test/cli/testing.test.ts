import { afterAll, describe, expect, expectTypeOf, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTING_NAMES, type SettingName } from '../../src/domain/forms/form-settings.ts';
import { snakeCase } from '../../src/lib/snake-case.ts';
import { WEBHOOK_SETTING_NAMES, type WebhookInput } from '../../src/outbox/targets/index.ts';
import { SetupFile } from '../../src/services/setup/setup-file.ts';
import {
  type FieldSettings,
  type FormSettings,
  startFormstead,
  type TestForm,
  type WebhookSettings,
} from '../../src/testing/index.js';
import { temporaryDir } from '../support/instance.ts';
import { until } from '../support/until.ts';

const folder = temporaryDir();
afterAll(() => rmSync(folder, { recursive: true }));

const MESSAGE = { email: 'ada@example.com', message: 'Hello' };

async function post({ url }: TestForm, fields: Record<string, string> = MESSAGE): Promise<number> {
  const { status } = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  return status;
}

const dataOf = (submissions: ReadonlyArray<{ data: unknown }>) => submissions.map(({ data }) => data);

/** Returns the message of the error of a call. */
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    (error: Error) => error.message,
  );

test('a form accepts submissions, and its mails are kept', async () => {
  await using forms = await startFormstead({
    forms: [
      { name: 'contact', notify: ['grace@example.com'], auto_reply_subject: 'Thanks', auto_reply_text: 'Soon\u2028.' },
    ],
  });
  expect(await forms.contact.submissions()).toEqual([]);
  expect(await post(forms.contact)).toBe(200);
  expect(await post(forms.contact, { message: 'Second' })).toBe(200);
  const submissions = await forms.contact.submissions();
  expect(dataOf(submissions)).toEqual([MESSAGE, { message: 'Second' }]);
  expect(submissions[0]).toMatchObject({ id: expect.stringMatching(/^sub_/), is_spam: false, file_metadata: null });

  const mails = (await forms.mails()).toSorted((a, b) => a.subject.localeCompare(b.subject));
  expect(mails.map(({ to, replyTo }) => ({ to, replyTo }))).toEqual([
    { to: 'grace@example.com', replyTo: MESSAGE.email },
    { to: 'grace@example.com', replyTo: null },
    { to: MESSAGE.email, replyTo: null },
  ]);
  expect(mails[0]?.text).toContain('Hello');
  expect(mails[0]?.html).toContain('Hello');
  expect(mails[2]).toMatchObject({ subject: 'Thanks', text: expect.stringContaining('Soon') });
});

test('nextSubmission waits, returns each submission once in order, and throws after its timeout', async () => {
  await using forms = await startFormstead({ forms: [{ name: 'contact' }, { name: 'other' }] });
  const waiting = [forms.contact.nextSubmission(), forms.contact.nextSubmission()];
  await post(forms.other);
  await post(forms.contact, { message: 'First' });
  await post(forms.contact, { message: 'Second' });
  await post(forms.contact, { message: 'Third' });
  const received = dataOf(await Promise.all(waiting)).toSorted((a, b) =>
    JSON.stringify(a) < JSON.stringify(b) ? -1 : 1,
  );
  expect(received).toEqual([{ message: 'First' }, { message: 'Second' }]);
  expect(await forms.contact.nextSubmission()).toMatchObject({ data: { message: 'Third' } });
  expect(await refusal(forms.contact.nextSubmission({ timeout: 20 }))).toBe(
    'No submission to the form "contact" arrived within 20 ms. Check the response to the post.',
  );
});

test('clear deletes submissions and mails, and keeps forms and key', async () => {
  await using forms = await startFormstead({
    forms: [{ name: 'contact', auto_reply_subject: 'Thanks', auto_reply_text: 'Soon.' }],
  });
  const { id } = forms.contact;
  await post(forms.contact);
  await post(forms.contact, { message: 'Second' });
  await forms.clear();
  expect(await forms.contact.submissions()).toEqual([]);
  expect(await forms.mails()).toEqual([]);
  // A visitor gets one auto-reply a day, and another one after clear.
  await post(forms.contact);
  expect(await forms.contact.nextSubmission()).toMatchObject({ data: MESSAGE });
  expect(await forms.mails()).toHaveLength(1);
  const answer = await fetch(`${forms.url}/v1/forms/${id}`, { headers: { Authorization: `Bearer ${forms.apiKey}` } });
  expect(await answer.json()).toMatchObject({ data: { id, name: 'contact' } });
});

test('a webhook reaches a server of the test, at an address from the environment', async () => {
  const bodies: unknown[] = [];
  const receiver = Bun.serve({
    port: 0,
    fetch: async (request) => {
      bodies.push(await request.json());
      return new Response();
    },
  });
  process.env.TEST_HOOK_URL = `http://localhost:${receiver.port}/hook`;
  try {
    await using forms = await startFormstead({
      forms: [{ name: 'contact', webhooks: [{ url: 'env:TEST_HOOK_URL' }] }],
    });
    await post(forms.contact);
    await until(() => bodies.length > 0, 'the webhook');
    expect(bodies).toMatchObject([{ type: 'submission.created', data: { submission: { data: MESSAGE } } }]);
  } finally {
    delete process.env.TEST_HOOK_URL;
    await receiver.stop();
  }
});

test('forms are found by name, and names that hide a property are refused', async () => {
  await using forms = await startFormstead({ forms: [{ name: 'Join us!' }] });
  expect(forms.form('Join us!')).toBe(forms['Join us!']);
  // @ts-expect-error: there is no such form
  expect(() => forms.form('contact')).toThrow('There is no form "contact". The forms are: "Join us!".');
  for (const name of ['stop', 'then', 'toString', '__proto__']) {
    expect(await refusal(startFormstead({ forms: [{ name: 'contact' }, { name }] }))).toBe(
      `forms[1] must not be named "${name}": the server has a property of this name. Rename the form.`,
    );
  }
});

test('wrong settings are refused with the messages of the setup file', async () => {
  const wrong = (...forms: unknown[]) => refusal(startFormstead({ forms: forms as FormSettings[] }));
  expect(await wrong({ name: 'contact', redirect: 'x' }, { name: 'b', state: 'x', notify: 'a@example.com' })).toBe(
    [
      'forms[0] ("contact"): There is no property "redirect" here. Remove or correct it.',
      'forms[1] ("b"): "state" must be active, paused, archived, not this text.',
      'forms[1] ("b"): "notify" must be a list, not this text.',
    ].join('\n'),
  );
  expect(await wrong({})).toBe('forms[0]: The property "name" is missing. Add it.');
  expect(await wrong({ name: 'a' }, { name: 'a' })).toStartWith('forms[1] ("a"): This form is in the file twice.');
  expect(await wrong({ name: 'a', challenge: { kind: 'turnstile', secret: 'env:NO_SUCH_SECRET' } })).toBe(
    'forms[0] ("a"): The variable NO_SUCH_SECRET is not set. Set it, or name another one.',
  );
  expect(await refusal(startFormstead({} as { forms: [] }))).toBe(
    "forms must be a list of settings, such as [{ name: 'contact' }].",
  );
});

test('the types know the names and settings of forms', async () => {
  const start = () => startFormstead({ forms: [{ name: 'contact' }, { name: 'sign-up', notify: ['a@example.com'] }] });
  type Forms = Awaited<ReturnType<typeof start>>;
  expectTypeOf<Forms['contact']>().toEqualTypeOf<TestForm>();
  expectTypeOf<Forms['sign-up']>().toEqualTypeOf<TestForm>();
  expectTypeOf<Parameters<Forms['form']>[0]>().toEqualTypeOf<'contact' | 'sign-up'>();
  expectTypeOf<Forms>().not.toHaveProperty('other');
  // @ts-expect-error: settings are those of the setup file
  expectTypeOf<FormSettings<'a'>>().toHaveProperty('redirectUrl');
});

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

/** All properties of the types but those that are generated. The compiler asks for new ones. */
const SETTINGS = { name: 1, state: 1, notify_when: 1, logo: 1, fields: 1, challenge: 1, webhooks: 1 } satisfies Record<
  Exclude<keyof FormSettings, SnakeCase<SettingName>>,
  1
>;
const FIELD = {
  ...{ name: 1, label: 1, type: 1, required: 1, max_length: 1, pattern: 1, options: 1, max: 1 },
  ...{ help: 1, placeholder: 1, heading: 1 },
} satisfies Record<keyof FieldSettings, 1>;
const WEBHOOK = { kind: 1 } satisfies Record<Exclude<keyof WebhookSettings, SnakeCase<keyof WebhookInput>>, 1>;

test('the types have all properties of the setup file except ids', () => {
  const form = SetupFile.properties.workspaces.items.properties.forms.items.properties;
  const entries = [form, form.fields.items.properties, form.webhooks.items.properties];
  const known = entries.map((properties) => Object.keys(properties).filter((name) => name !== 'id'));
  const typed = [
    [...Object.keys(SETTINGS), ...SETTING_NAMES.map(snakeCase)],
    Object.keys(FIELD),
    [...Object.keys(WEBHOOK), ...WEBHOOK_SETTING_NAMES.map(snakeCase)],
  ];
  expect(typed.map((names) => names.toSorted())).toEqual(known.map((names) => names.toSorted()));
});

const TESTING = join(import.meta.dir, '../../src/testing/index.js');

/** A program that uses `formstead/testing`, with its own folder for temporary files. */
class Program {
  readonly #tmpDir = temporaryDir(folder);
  readonly #child;
  #output = '';

  constructor(runtime: 'bun' | 'node', code: string) {
    const path = join(this.#tmpDir, 'program.mjs');
    writeFileSync(path, `import { startFormstead } from ${JSON.stringify(TESTING)};\n${code}`);
    mkdirSync(join(this.#tmpDir, 'tmp'));
    // Settings of another server must not matter.
    const settings = { PORT: '1', DATA_DIR: '/dev/null', SMTP_URL: 'none', POSTS_PER_MINUTE: '1' };
    const env = { PATH: Bun.env.PATH, TMPDIR: join(this.#tmpDir, 'tmp'), ...settings };
    this.#child = Bun.spawn([runtime, path], { env, stdout: 'pipe', stderr: 'inherit' });
    this.#read();
  }

  async #read(): Promise<void> {
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) this.#output += text;
  }

  /** Waits for a number of lines of output and returns them. */
  lines(count: number): Promise<string[]> {
    const read = () => this.#output.split('\n').slice(0, -1);
    return until(() => (read().length >= count ? read() : null), `${count} lines of output`);
  }

  /** Returns the names of its temporary files. */
  files(): string[] {
    return readdirSync(join(this.#tmpDir, 'tmp'));
  }

  /** Returns the ids of the processes of its servers. */
  servers(): number[] {
    const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return processes.filter((pid) => commandOf(pid).includes(join(this.#tmpDir, 'tmp'))).map(Number);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Sends SIGINT to the program and its servers, as a terminal does. */
  interrupt(): void {
    for (const pid of this.servers()) process.kill(pid, 'SIGINT');
    this.#child.kill('SIGINT');
  }

  /** Waits for the end of the program, its servers and their files. Returns the exit code. */
  async end(): Promise<number> {
    const code = await this.#child.exited;
    await until(() => this.servers().length === 0, 'the servers to end');
    await until(() => this.files().length === 0, 'the temporary files to go');
    return code;
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

const START = `const forms = await startFormstead({ forms: [{ name: 'contact' }] });`;
const POST = `await fetch(forms.contact.url, { method: 'POST', body: new URLSearchParams({ message: 'Hello' }) });`;

describe.each(['bun', 'node'] as const)('in %s', (runtime) => {
  test('several servers run at once and leave nothing', async () => {
    const program = new Program(
      runtime,
      `const outcomes = Array.from({ length: 3 }, async () => {
        ${START}
        ${POST}
        const submissions = await forms.contact.submissions();
        return { forms, count: submissions.length };
      });
      const all = await Promise.all(outcomes);
      console.log(new Set(all.map(({ forms }) => forms.url)).size, all.reduce((sum, { count }) => sum + count, 0));
      await Promise.all(all.map(({ forms }) => forms.stop()));
      await all[0].forms.stop();
      console.log(await all[0].forms.mails().catch(({ message }) => message));`,
    );
    expect(await program.lines(2)).toEqual(['3 3', 'The server is stopped. Start another one with startFormstead().']);
    expect(await program.end()).toBe(0);
  });

  test('a program that forgets to stop its server ends, and the server with it', async () => {
    const program = new Program(
      runtime,
      `${START}\n${POST}\nawait forms.contact.nextSubmission();\nconsole.log('done');`,
    );
    expect(await program.lines(1)).toEqual(['done']);
    expect(await program.end()).toBe(0);
  });

  test('a server ends if its program is killed', async () => {
    const program = new Program(
      runtime,
      `${START}\n${POST}\nconsole.log(forms.url);\nawait forms.contact.nextSubmission();
      await forms.contact.nextSubmission({ timeout: 600_000 });`,
    );
    const [url = ''] = await program.lines(1);
    expect(program.files()).toHaveLength(1);
    program.kill();
    await program.end();
    expect(await fetch(url).catch(() => null)).toBe(null);
  });

  test('a server outlives Ctrl-C until its program ends', async () => {
    const program = new Program(
      runtime,
      `process.on('SIGINT', async () => {
        ${POST}
        console.log((await forms.contact.submissions()).length);
        process.exit(1);
      });
      ${START}\nconsole.log(forms.url);\nawait forms.contact.nextSubmission({ timeout: 600_000 });`,
    );
    await program.lines(1);
    program.interrupt();
    expect((await program.lines(2))[1]).toBe('1');
    expect(await program.end()).toBe(1);
  });

  test('a server ends if its program is killed while it starts', async () => {
    const program = new Program(runtime, START);
    await until(() => program.files().length > 0, 'the temporary files');
    program.kill();
    await program.end();
  });

  test('calls fail with the end of the log if the server is killed', async () => {
    const program = new Program(
      runtime,
      `${START}\n${POST}
      const next = () => forms.contact.nextSubmission({ timeout: 600_000 });
      await next();
      const waiting = next();
      console.log(forms.apiKey);
      console.log(JSON.stringify(await waiting.catch(({ message }) => message)));
      console.log(JSON.stringify(await forms.mails().catch(({ message }) => message)));`,
    );
    const [apiKey = ''] = await program.lines(1);
    for (const pid of program.servers()) process.kill(pid, 'SIGKILL');
    const [, ...messages] = await program.lines(3);
    for (const message of messages.map((line) => JSON.parse(line))) {
      expect(message).toStartWith('The Formstead server ended unexpectedly (SIGKILL). Its log ends with:\n');
      expect(message).toContain('"message":"listening"');
      expect(message).not.toContain(apiKey);
    }
    expect(await program.end()).toBe(0);
  });
});
