import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { PLAIN_DEFAULTS, serializeSettings } from '../../src/domain/forms/form-settings.ts';
import { expectRefused, instances, json, type Refusal, type Resource, run } from './command-line.ts';

const fresh = instances();
const MAIN = join(import.meta.dir, '../../src/main.ts');

async function makeWorkspace(dataDir: string) {
  const { id: team } = await json<Resource>(dataDir, ['team', 'create', '--name', 'Acme']);
  const { id: workspace } = await json<Resource>(dataDir, ['workspace', 'create', '--team', team, '--name', 'Site']);
  return { team, workspace };
}

const create = (dataDir: string, workspace: string, ...options: string[]) =>
  json<Resource>(dataDir, ['form', 'create', '--workspace', workspace, '--name', 'Contact', ...options]);
const update = (dataDir: string, id: string, ...options: string[]) =>
  json<Resource>(dataDir, ['form', 'update', id, ...options]);
const list = (dataDir: string, team: string) => json<Resource[]>(dataDir, ['form', 'list', '--team', team]);

describe('form', () => {
  test('is created active, without redirect and fields, by default', async () => {
    const dataDir = fresh();
    const { team, workspace } = await makeWorkspace(dataDir);
    const form = await create(dataDir, workspace);
    expect(form).toEqual({
      id: expect.stringMatching(/^frm_\w+$/) as unknown as string,
      name: 'Contact',
      short_id: expect.stringMatching(/^[2-9a-z]{8}$/),
      created_at: expect.stringMatching(/Z$/),
      is_active: true,
      archived_at: null,
      trashed_at: null,
      ...serializeSettings(PLAIN_DEFAULTS),
      workspace_id: workspace,
      fields: [],
      notify_when: {},
      challenge: null,
      challenge_verify_url: null,
    });
    expect(await list(dataDir, team)).toEqual([form]);
  });

  test('accepts a redirect URL, and fields whose label, type and required are optional', async () => {
    const dataDir = fresh();
    const { team, workspace } = await makeWorkspace(dataDir);
    const rules = { max_length: 200, pattern: '.+@example\\.com' };
    const fields = [{ name: 'email', label: 'E-mail', type: 'email', required: true, ...rules }, { name: 'message' }];
    const options = ['--redirect-url', 'https://example.com/thanks?a=b#c', '--fields', JSON.stringify(fields)];
    const form = await create(dataDir, workspace, ...options);
    expect(form).toMatchObject({
      redirect_url: 'https://example.com/thanks?a=b#c',
      fields: [fields[0], { name: 'message', label: 'message', type: 'text', required: false }],
    });
    expect(await list(dataDir, team)).toEqual([form]);
  });

  test('changes only the given settings', async () => {
    const dataDir = fresh();
    const { team, workspace } = await makeWorkspace(dataDir);
    const other = await create(dataDir, workspace);
    const form = await create(
      dataDir,
      workspace,
      '--redirect-url',
      'https://example.com/',
      '--fields',
      '[{"name":"a"}]',
    );
    const renamed = await update(dataDir, form.id, '--name', 'Sales');
    expect(renamed).toEqual({ ...form, name: 'Sales' });
    const paused = await update(dataDir, form.id, '--active', 'false');
    expect(paused).toEqual({ ...renamed, is_active: false });
    const bare = await update(dataDir, form.id, '--redirect-url', '', '--fields', '[]', '--active', 'true');
    expect(bare).toEqual({ ...renamed, redirect_url: null, fields: [] });
    expect(await list(dataDir, team)).toEqual([other, bare]);
  });

  test('is listed only for its own team, as a table without --json', async () => {
    const dataDir = fresh();
    const [mine, other] = [await makeWorkspace(dataDir), await makeWorkspace(dataDir)];
    const form = await create(dataDir, mine.workspace);
    expect(await list(dataDir, other.team)).toEqual([]);
    const { stdout } = await run(dataDir, ['form', 'list', '--team', mine.team]);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ +/)),
    ).toEqual([
      ['id', 'short_id', 'name', 'is_active', 'created_at'],
      [form.id, form.short_id, 'Contact', 'true', form.created_at].map(String),
    ]);
  });

  test.each([
    ['turnstile', 'https://challenges.cloudflare.com/turnstile/v0/siteverify'],
    ['hcaptcha', 'https://api.hcaptcha.com/siteverify'],
    ['recaptcha', 'https://www.google.com/recaptcha/api/siteverify'],
  ])('with the challenge %s uses the URL of its service by default', async (kind, address) => {
    const dataDir = fresh();
    const { team, workspace } = await makeWorkspace(dataDir);
    const challenge = ['--challenge', kind, '--challenge-secret', 'secret'];
    const form = await create(dataDir, workspace, ...challenge);
    expect(form).toMatchObject({ challenge: kind, challenge_verify_url: address });
    const other = ['--challenge-verify-url', 'https://proxy.example.com/siteverify'];
    const changed = await update(dataDir, form.id, ...challenge, ...other);
    expect(changed).toEqual({ ...form, challenge_verify_url: 'https://proxy.example.com/siteverify' });
    expect(await list(dataDir, team)).toEqual([changed]);
  });

  test('takes the settings of visitor pages, of senders and of the source, and drops them', async () => {
    const dataDir = fresh();
    const { workspace } = await makeWorkspace(dataDir);
    const bare = await create(dataDir, workspace);
    const given = [
      ...['--public-name', ' Ask us ', '--closed-message', 'Back on Monday.', '--accent-color', '#0B6655'],
      ...['--sender-name', 'Harp workshop', '--reply-to', 'desk@bücher.example'],
      ...['--hosted-page', 'true', '--keep-source', 'true', '--accept-files', 'false'],
    ];
    const changed = await update(dataDir, bare.id, ...given);
    expect(changed).toEqual({
      ...bare,
      public_name: 'Ask us',
      closed_message: 'Back on Monday.',
      accent_color: '#0b6655',
      sender_name: 'Harp workshop',
      reply_to: 'desk@xn--bcher-kva.example',
      has_hosted_page: true,
      keeps_source: true,
      accepts_files: false,
    });
    const names = ['--public-name', '--closed-message', '--accent-color', '--sender-name', '--reply-to'];
    const switches = ['--hosted-page', 'false', '--keep-source', 'false', '--accept-files', 'true'];
    const none = [...names.flatMap((name) => [name, '']), ...switches];
    expect(await update(dataDir, bare.id, ...none)).toEqual(bare);
  });

  test('turns notifications and automatic replies on and off', async () => {
    const dataDir = fresh();
    const { team, workspace } = await makeWorkspace(dataDir);
    const bare = await create(dataDir, workspace);
    const mails = {
      notify: ['ada@shop.example', 'bob@xn--bcher-kva.example'],
      attach_files: true,
      thread_mails: true,
      auto_reply_subject: 'Thank you, {{name}}',
      auto_reply_text: 'Dear {{name}},\n\nwe got it.',
    };
    const recipients = ' ada@shop.example ,bob@bücher.example,, ADA@shop.example,ada@shop.example';
    const notifying = await update(
      dataDir,
      bare.id,
      ...['--notify', recipients, '--attach-files', 'true', '--thread-mails', 'true'],
      ...['--auto-reply-subject', ' Thank you, {{name}} ', '--auto-reply-text', 'Dear {{name}},\n\nwe got it.\n'],
    );
    expect(notifying).toEqual({ ...bare, ...mails });
    const created = await create(dataDir, workspace, '--notify', 'ada@shop.example', '--auto-reply-text', 'Thanks');
    expect(created).toMatchObject({
      notify: ['ada@shop.example'],
      auto_reply_subject: null,
      auto_reply_text: 'Thanks',
    });
    const renamed = await update(dataDir, bare.id, '--name', 'Contact us');
    expect(renamed).toEqual({ ...notifying, name: 'Contact us' });
    const silent = await update(
      dataDir,
      bare.id,
      ...['--notify', '', '--attach-files', 'false', '--thread-mails', 'false'],
      ...['--auto-reply-subject', '', '--auto-reply-text', '', '--name', 'Contact'],
    );
    expect(silent).toEqual(bare);
    expect(await list(dataDir, team)).toEqual([silent, created]);
  });

  test('keeps conditions of its recipients while they are recipients', async () => {
    const dataDir = fresh();
    const { workspace } = await makeWorkspace(dataDir);
    const [sales, support] = [[{ field: 'topic', is: 'sales' }], [{ field: 'topic', contains: 'help' }]];
    const notify = ['--notify', 'ada@shop.example,bob@shop.example'];
    const when = JSON.stringify({ 'ADA@shop.example': sales, 'bob@shop.example': support });
    const form = await create(dataDir, workspace, ...notify, '--notify-when', when);
    expect(form.notify_when).toEqual({ 'ada@shop.example': sales, 'bob@shop.example': support });
    const left = await update(dataDir, form.id, '--notify', 'Bob@shop.example,cleo@shop.example');
    expect(left.notify_when).toEqual({ 'Bob@shop.example': support });
    expect((await update(dataDir, form.id, ...notify)).notify_when).toEqual({ 'bob@shop.example': support });
    expect((await update(dataDir, form.id, '--notify-when', '{}')).notify_when).toEqual({});
  });

  test('says what happens to submissions that may be spam', async () => {
    const dataDir = fresh();
    const { workspace } = await makeWorkspace(dataDir);
    const { id } = await create(dataDir, workspace, '--maybe-spam-action', 'hold');
    expect(await json(dataDir, ['form', 'show', id])).toMatchObject({ maybe_spam_action: 'hold' });
    const { code } = await run(dataDir, ['form', 'update', id, '--maybe-spam-action', 'delete']);
    expect(code).toBe(2);
  });

  test('has its own retention in days or that of the instance', async () => {
    const dataDir = fresh();
    const { workspace } = await makeWorkspace(dataDir);
    const form = await create(dataDir, workspace, '--retention-days', '30');
    expect(form).toMatchObject({ retention_days: 30 });
    expect(await update(dataDir, form.id, '--retention-days', '36500')).toEqual({ ...form, retention_days: 36_500 });
    expect(await update(dataDir, form.id, '--retention-days', 'none')).toEqual({ ...form, retention_days: null });
    const bad = ['0', '-1', '1.5', '36501', 'a week', ''];
    await expectRefused(
      dataDir,
      bad.map(
        (days) =>
          [['form', 'update', form.id, '--retention-days', days], /whole number of days from 1 to 36500/] as const,
      ),
    );
  });

  test('turns hourly and daily digests in its time zone on and off', async () => {
    const dataDir = fresh();
    const { team, workspace } = await makeWorkspace(dataDir);
    const form = await create(dataDir, workspace, '--digest', 'daily', '--time-zone', 'europe/berlin');
    expect(form).toMatchObject({ digest: 'daily', time_zone: 'Europe/Berlin' });
    const hourly = await update(dataDir, form.id, '--digest', 'hourly');
    expect(hourly).toEqual({ ...form, digest: 'hourly' });
    const none = await update(dataDir, form.id, '--digest', 'none', '--time-zone', 'Asia/Kathmandu');
    expect(none).toEqual({ ...form, digest: null, time_zone: 'Asia/Kathmandu' });
    expect(await list(dataDir, team)).toEqual([none]);
    const weekly = await run(dataDir, ['form', 'update', form.id, '--digest', 'weekly']);
    expect(weekly).toMatchObject({ code: 2, stderr: expect.stringContaining('hourly, daily, none') });
  });

  test('changes its challenge and removes it', async () => {
    const dataDir = fresh();
    const { workspace } = await makeWorkspace(dataDir);
    const form = await create(dataDir, workspace, '--challenge', 'altcha');
    expect(form).toMatchObject({ challenge: 'altcha', challenge_verify_url: null });
    const cap = ['--challenge', 'cap', '--challenge-secret', 's', '--challenge-verify-url', 'http://cap.example.com/k'];
    expect(await update(dataDir, form.id, ...cap)).toEqual({
      ...form,
      challenge: 'cap',
      challenge_verify_url: 'http://cap.example.com/k',
    });
    expect(await update(dataDir, form.id, '--name', 'New')).toMatchObject({ challenge: 'cap' });
    expect(await update(dataDir, form.id, '--challenge', 'altcha', '--name', 'Contact')).toEqual(form);
    expect(await update(dataDir, form.id, '--challenge', 'none')).toEqual({ ...form, challenge: null });
  });

  test('refuses an unknown challenge', async () => {
    const dataDir = fresh();
    const { team, workspace } = await makeWorkspace(dataDir);
    for (const options of [['--challenge', 'friendly'], ['--challenge', ''], ['--challenge']]) {
      const args = ['form', 'create', '--workspace', workspace, '--name', 'Contact', ...options];
      expect(await run(dataDir, args)).toMatchObject({ code: 2, stdout: '' });
    }
    expect(await list(dataDir, team)).toEqual([]);
  });

  test('stores each allowed origin once, as browsers send it', async () => {
    const dataDir = fresh();
    const { team, workspace } = await makeWorkspace(dataDir);
    const written =
      'HTTPS://A.Example:443/, http://localhost:80 ,https://a.example,http://[::1]:3000,https://münchen.example';
    const form = await create(dataDir, workspace, '--allowed-origins', written);
    expect(form.allowed_origins).toEqual([
      'https://a.example',
      'http://localhost',
      'http://[::1]:3000',
      'https://xn--mnchen-3ya.example',
    ]);
    expect(await list(dataDir, team)).toEqual([form]);
    const other = await update(dataDir, form.id, '--allowed-origins', 'https://b.example:8443');
    expect(other).toEqual({ ...form, allowed_origins: ['https://b.example:8443'] });
    expect(await update(dataDir, form.id, '--allowed-origins', '')).toEqual({ ...form, allowed_origins: [] });
  });

  test('turns the enforcement of field rules on and off', async () => {
    const dataDir = fresh();
    const { team, workspace } = await makeWorkspace(dataDir);
    const fields = '[{"name":"a","label":"A","type":"text","required":true,"max_length":9,"pattern":"[a-z]+"}]';
    const form = await create(dataDir, workspace, '--enforce-rules', 'true', '--fields', fields);
    expect(form).toMatchObject({ enforces_rules: true, fields: JSON.parse(fields) as unknown[] });
    expect(await list(dataDir, team)).toEqual([form]);
    expect(await update(dataDir, form.id, '--enforce-rules', 'false')).toEqual({ ...form, enforces_rules: false });
    expect(await update(dataDir, form.id, '--enforce-rules', 'true')).toEqual(form);
  });

  test.each(['yes', '1', 'TRUE', ''])('refuses --enforce-rules %p', async (text) => {
    const dataDir = fresh();
    const { team, workspace } = await makeWorkspace(dataDir);
    const form = await json<Resource>(dataDir, ['form', 'create', '--workspace', workspace, '--name', 'F']);
    const { code, stdout, stderr } = await run(dataDir, ['form', 'update', form.id, '--enforce-rules', text]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Expected true or false.');
    expect(await list(dataDir, team)).toEqual([form]);
  });

  test('trims the title and text of its thank-you page', async () => {
    const dataDir = fresh();
    const { team, workspace } = await makeWorkspace(dataDir);
    const [title, text] = ['x'.repeat(200), `First\nsecond ${'x'.repeat(487)}`];
    const own = ['--thanks-title', ` ${title} `, '--success-message', `\n${text}\n`];
    const form = await create(dataDir, workspace, ...own);
    expect(form).toMatchObject({ thanks_title: title, success_message: text });
    expect(await list(dataDir, team)).toEqual([form]);
    const untitled = await update(dataDir, form.id, '--thanks-title', '');
    expect(untitled).toEqual({ ...form, thanks_title: null });
    expect(await update(dataDir, form.id, '--success-message', ' ')).toEqual({ ...untitled, success_message: null });
  });

  test('is printed completely to a slow pipe, also in a long list', async () => {
    const dataDir = fresh();
    const { team, workspace } = await makeWorkspace(dataDir);
    const fields = JSON.stringify(Array.from({ length: 250 }, (_, n) => ({ name: `${n}${'x'.repeat(90)}` })));
    const create = ['form', 'create', '--workspace', workspace, '--name', 'F', '--fields', fields];
    const forms: Resource[] = [];
    for (let count = 0; count < 3; count++) forms.push(await json<Resource>(dataDir, create));
    expect(JSON.stringify(forms).length).toBeGreaterThan(128 * 1024);
    // The reader takes one byte, pauses, and then reads on; no assertion depends on the pause.
    const reader = '(dd bs=1 count=1 2>/dev/null; sleep 0.3; cat)';
    const slowly = ['sh', '-c', `bun "$0" "$@" | ${reader}`, MAIN, 'form', 'list', '--team', team, '--json'];
    const child = Bun.spawn(slowly, { env: { PATH: Bun.env.PATH ?? '', DATA_DIR: dataDir }, stdout: 'pipe' });
    expect(JSON.parse(await child.stdout.text())).toEqual(forms);
  });

  test('is neither created nor changed with invalid values', async () => {
    const dataDir = fresh();
    const { team, workspace } = await makeWorkspace(dataDir);
    const form = await create(dataDir, workspace, '--redirect-url', 'https://example.com/');
    const badOptions: readonly Refusal[] = [
      [['--redirect-url', 'javascript:alert(1)'], /redirect URL .*http or https/],
      [['--redirect-url', 'ftp://example.com/'], /redirect URL .*http or https/],
      [['--redirect-url', '/thanks'], /redirect URL .*http or https/],
      [['--redirect-url', 'example.com'], /redirect URL .*http or https/],
      [['--redirect-url', '//example.com'], /redirect URL .*http or https/],
      [['--redirect-url', 'https://ada:pw@example.com'], /redirect URL/],
      [['--redirect-url', `https://example.com/${'x'.repeat(2000)}`], /redirect URL/],
      [['--fields', ''], /Invalid fields: not JSON\./],
      [['--fields', '[{name:"a"}]'], /Invalid fields: not JSON\./],
      [['--fields', '{"name":"a"}'], /Invalid fields: not a JSON array\./],
      [['--fields', '["a"]'], /Invalid fields: entry 1 is invalid/],
      [['--fields', '[null]'], /Invalid fields: entry 1/],
      [['--fields', '[{"name":"a"},{"label":"b"}]'], /Invalid fields: entry 2 is invalid/],
      [['--fields', '[{"name":""}]'], /entry 1 .*name/],
      [['--fields', '[{"name":7}]'], /entry 1 .*name/],
      [['--fields', '[{"name":"a","type":"<b>"}]'], /entry 1 .*type/],
      [['--fields', '[{"name":"a","required":"yes"}]'], /entry 1 .*required/],
      [['--fields', '[{"name":"a","colour":"red"}]'], /entry 1 .*colour/],
      [['--fields', '[{"name":"a"},{"name":"a"}]'], /Invalid fields: two entries have the same name/],
      [['--fields', '[{"name":"a","max_length":0}]'], /entry 1 .*max_length/],
      [['--fields', '[{"name":"a","max_length":262145}]'], /entry 1 .*max_length/],
      [['--fields', '[{"name":"a","max_length":1.5}]'], /entry 1 .*max_length/],
      [['--fields', '[{"name":"a","max_length":"5"}]'], /entry 1 .*max_length/],
      [['--fields', '[{"name":"a","pattern":""}]'], /entry 1 .*pattern/],
      [['--fields', `[{"name":"a","pattern":"${'x'.repeat(501)}"}]`], /entry 1 .*pattern/],
      [['--fields', '[{"name":"a"},{"name":"b","pattern":"["}]'], /the pattern of entry 2 does not compile .*RE2/],
      [['--fields', '[{"name":"a","type":"select"}]'], /entry 1 has the type "select" and needs "options"/],
      [['--fields', '[{"name":"a","options":["x"]}]'], /entry 1 has "options", but not the type select, radio/],
      [['--fields', '[{"name":"a","type":"radio","options":["x","x"]}]'], /entry 1 is invalid .*options/],
      [['--fields', '[{"name":"a","type":"radio","options":[" x"]}]'], /entry 1 is invalid .*options/],
      [['--fields', '[{"name":"a","type":"rating","max":11}]'], /entry 1 is invalid .*max/],
      [['--fields', '[{"name":"a","max":5}]'], /entry 1 has "max", but not the type rating/],
      [['--fields', '[{"name":"a","pattern":"(?=a)b"}]'], /the pattern of entry 1 .*without look-around/],
      [
        ['--fields', '[{"name":"a","pattern":"(a)\\\\1"}]'],
        /the pattern of entry 1 .*without look-around and backreferences/,
      ],
      [['--fields', '[{"name":"a","pattern":"(.*a){90}"}]'], /the pattern of entry 1 is too large/],
      ...[
        '*',
        'null',
        'a.example',
        'localhost:3000',
        '//a.example',
        'ftp://a.example',
        'file:///a',
        'https://',
        'https://*.a.example',
        'https://a.example/contact',
        'https://a.example?a=1',
        'https://a.example#top',
        'https://ada@a.example',
        'https://a.example:99999',
        'https://b.example https://c.example',
      ].map(
        (item): Refusal => [
          ['--allowed-origins', `https://fine.example,${item}`],
          new RegExp(`The allowed origin "${RegExp.escape(item)}" is invalid\\. Use .* such as https://example\\.com`),
        ],
      ),
      [['--allowed-origins', 'https://a.example\nhttps://b.example'], /"https:\/\/a\.example\\nhttps:\/\/b\.example"/],
      [['--allowed-file-types', 'image\npng'], /allowed file type "image\\npng"/],
      [['--thanks-title', 'x'.repeat(201)], /The thanks title must have at most 200 characters \(got 201\)/],
      [['--success-message', 'x'.repeat(501)], /The success message must have at most 500 characters \(got 501\)/],
      ...['ada', 'ada@', 'Ada <ada@shop.example>', 'jörg@shop.example', 'a@b\nc', 'a@b;c@d'].map(
        (address): Refusal => [
          ['--notify', `bob@shop.example, ${address}`],
          new RegExp(`${RegExp.escape(JSON.stringify(address))} is not an email address\\. Use addresses such as`),
        ],
      ),
      [
        ['--notify', Array.from({ length: 21 }, (_, n) => `a${n}@x.example`).join()],
        /Too many addresses \(21\)\. The limit is 20/,
      ],
      [['--notify-when', '{"eve@shop.example":[]}'], /"eve@shop.example" has conditions but is no recipient/],
      [['--notify-when', 'sales'], /The conditions of recipients must be JSON such as \{"ada@example\.com"/],
      [
        ['--auto-reply-subject', 'x'.repeat(201)],
        /The auto-reply subject must have at most 200 characters \(got 201\)/,
      ],
      [['--auto-reply-subject', 'one\ntwo'], /The auto-reply subject must be a single line/],
      [['--auto-reply-text', 'x'.repeat(5_001)], /The auto-reply text must have at most 5000 characters \(got 5001\)/],
      ...['', 'Berlin', 'Mars/Phobos', 'UTC+25'].map(
        (zone): Refusal => [
          ['--time-zone', zone],
          new RegExp(`Unknown time zone ${RegExp.escape(JSON.stringify(zone))}\\. Use a name such as Europe/Berlin`),
        ],
      ),
      [['--public-name', 'x'.repeat(201)], /The name must have 1 to 200 characters \(got 201\)/],
      [['--closed-message', 'x'.repeat(501)], /The message of a closed form must have at most 500 characters/],
      [['--opens-at', '2026-12-24 18:00'], /is not a time. Use a date, a time and an offset/],
      [['--max-submissions', '0'], /The limit of submissions must be a whole number from 1 to 10000000/],
      [
        ['--opens-at', '2026-12-24T18:00:00Z', '--closes-at', '2026-12-24T19:00:00+01:00'],
        /The form would never be open/,
      ],
      [['--accent-color', 'green'], /The accent color must be # and six hexadecimal digits, such as #0b6655/],
      [['--sender-name', 'Ada <ada@example.com>'], /The sender name must be one line of at most 100 characters/],
      [['--sender-name', 'Ada\nBcc: eve'], /The sender name must be one line/],
      [['--reply-to', 'ada@example.com,bob@example.com'], /The reply-to address must be one email address/],
      [['--challenge', 'turnstile'], /turnstile needs a challenge secret/],
      [['--challenge', 'hcaptcha', '--challenge-secret', ''], /hcaptcha needs a challenge secret/],
      [['--challenge', 'cap', '--challenge-secret', 's'], /cap needs a challenge verify URL/],
      [['--challenge', 'custom', '--challenge-secret', 's'], /custom needs a challenge verify URL/],
      [['--challenge', 'custom', '--challenge-verify-url', 'https://example.com/'], /custom needs a challenge secret/],
      [['--challenge', 'altcha', '--challenge-secret', 's'], /altcha needs no challenge secret/],
      [['--challenge', 'altcha', '--challenge-verify-url', 'https://example.com/'], /altcha needs no challenge secret/],
      [['--challenge-secret', 's'], /require --challenge/],
      [['--challenge-verify-url', 'https://example.com/'], /require --challenge/],
      [['--challenge', 'none', '--challenge-secret', 's'], /require --challenge/],
      [['--challenge-secret-file', import.meta.path], /require --challenge/],
      [['--challenge', 'turnstile', '--challenge-secret-file', '/dev/null'], /turnstile needs a challenge secret/],
      [['--challenge', 'turnstile', '--challenge-secret-file', '-'], /turnstile needs a challenge secret/],
      [['--challenge', 'turnstile', '--challenge-secret-file', '/no/file'], /Could not read \/no\/file \(ENOENT\)/],
      ...['ftp://example.com/', 'javascript:1', '/siteverify', 'example.com', '', 'https://a:b@example.com/'].map(
        (url): Refusal => [
          ['--challenge', 'custom', '--challenge-secret', 's', '--challenge-verify-url', url],
          /challenge verify URL .*http or https/,
        ],
      ),
    ];
    await expectRefused(dataDir, [
      ...badOptions.map(([options, says]): Refusal => [['form', 'update', form.id, '--name', 'New', ...options], says]),
      ...badOptions
        .filter((_, index) => index % 4 === 0)
        .map(
          ([options, says]): Refusal => [
            ['form', 'create', '--workspace', workspace, '--name', 'New', ...options],
            says,
          ],
        ),
      [['form', 'create', '--workspace', workspace, '--name', ' '], /name must have 1 to 200 characters/],
      [['form', 'create', '--workspace', 'wsp_1', '--name', 'New'], /no workspace "wsp_1"\. See "workspace list/],
      [['form', 'create', '--workspace', team, '--name', 'New'], /no workspace/],
      [['form', 'update', form.id, '--name', ''], /name must have 1 to 200 characters/],
      [['form', 'update', 'frm_1', '--active', 'false'], /no form "frm_1"; see "form list/],
      [['form', 'list', '--team', 'team_1'], /no team "team_1"\. See "team list"/],
    ]);
    expect(await list(dataDir, team)).toEqual([form]);
  });
});
