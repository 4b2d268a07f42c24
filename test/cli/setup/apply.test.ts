import { describe, expect, test } from 'bun:test';
import { Ajv } from 'ajv';
import { setupFileJsonSchema } from '../../../src/services/setup/setup-file.ts';
import { formstead } from '../../support/process.ts';
import { instances, json, type Resource, refused, run, typing } from '../command-line.ts';
import { setupFile } from './setup-file.ts';

const fresh = instances();

const SECRETS = { TURNSTILE: 'turnstile-secret', TOKEN: 'token-secret', BOT: 'https://hooks.example.com/secret-path' };

const FULL = `
workspaces:
  - name: Site
    forms:
      - name: Contact
        redirect_url: https://example.com/thanks
        thanks_title: Thank you
        enforces_rules: true
        accepts_files: false
        allowed_origins: [https://example.com, https://www.example.com]
        notify: [ada@example.com, bob@example.com]
        notify_when:
          bob@example.com: [{field: topic, is: sales}]
        digest: daily
        time_zone: Europe/Berlin
        retention_days: 30
        consent_text: "I agree: to 'all' of it.\\nReally."
        accent_color: '#0b6655'
        logo: file:logo.png
        fields:
          - {name: email, label: Email, type: email, required: true}
          - {name: topic, type: select, options: [sales, support]}
          - {name: stars, type: rating, max: 7}
        challenge: {kind: turnstile, secret: env:TURNSTILE}
        webhooks:
          - url: env:BOT
            events: [submission.deleted, submission.created]
            headers: {X-Token: env:TOKEN, X-Source: site}
            when: [{field: topic, is: sales}]
          - kind: template
            url: https://chat.example.com/x
            template: '{"text": "{{email}}"}'
          - kind: sheets
            sheet: 1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms
            credentials: file:account.json
      - name: Old
        state: archived
  - name: Shop
`;

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

const ACCOUNT = JSON.stringify({
  type: 'service_account',
  client_email: 'forms@project.iam.gserviceaccount.com',
  private_key: (await newPrivateKey()).toString(),
});

async function newPrivateKey(): Promise<string> {
  const { generateKeyPairSync } = await import('node:crypto');
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }) as string;
}

async function makeTeam(dataDir: string): Promise<string> {
  return (await json<Resource>(dataDir, ['team', 'create', '--name', 'Acme'])).id;
}

/** Creates a team with the objects of `FULL`. */
async function makeSetup() {
  const dataDir = fresh();
  const team = await makeTeam(dataDir);
  const file = setupFile(dataDir, SECRETS);
  file.write(PNG, 'logo.png');
  file.write(ACCOUNT, 'account.json');
  const applied = await file.apply(FULL);
  return { dataDir, team, ...file, applied };
}

const listForms = (dataDir: string, team: string) => json<Resource[]>(dataDir, ['form', 'list', '--team', team]);
const listWebhooks = (dataDir: string, form: string) => json<Resource[]>(dataDir, ['webhook', 'list', '--form', form]);
const fieldNames = (form: Resource | undefined) => (form?.fields as Resource[] | undefined)?.map(({ name }) => name);
const auditOf = async (dataDir: string) =>
  (await run(dataDir, ['audit', 'export'])).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { action: string; details: Record<string, unknown>; team_id: string | null })
    .filter(({ action }) => action !== 'audit.exported');

/** The references of `FULL` and the hosts that get their values. */
const REFERENCES = `Values from outside the file:
  env:TURNSTILE → challenges.cloudflare.com ("Site / Contact", challenge.secret)
  file:logo.png → pages for visitors ("Site / Contact", logo)
  env:BOT → hooks.example.com ("Site / Contact / standard", url)
  env:TOKEN → hooks.example.com ("Site / Contact / standard", headers.X-Token)
  file:account.json → sheets.googleapis.com ("Site / Contact / sheets", credentials)
`;

const NOTHING = { code: 0, stdout: 'No changes.\n', stderr: '' };

describe('apply', () => {
  test('creates everything in the file and prints signing secrets once; a second apply changes nothing', async () => {
    const { dataDir, team, apply, diff, pull, applied } = await makeSetup();
    expect([applied.code, applied.stderr]).toEqual([0, expect.stringContaining('Copy the signing secrets now')]);
    expect(applied.stdout).toMatch(/standard hooks\.example\.com \(whk_[0-9a-f]+\): whsec_/);
    expect(applied.stdout.match(/whsec_/g)).toHaveLength(1);
    const [contact, old] = await listForms(dataDir, team);
    expect(contact).toMatchObject({
      name: 'Contact',
      is_active: true,
      redirect_url: 'https://example.com/thanks',
      thanks_title: 'Thank you',
      enforces_rules: true,
      accepts_files: false,
      allowed_origins: ['https://example.com', 'https://www.example.com'],
      notify: ['ada@example.com', 'bob@example.com'],
      notify_when: { 'bob@example.com': [{ field: 'topic', is: 'sales' }] },
      digest: 'daily',
      time_zone: 'Europe/Berlin',
      retention_days: 30,
      accent_color: '#0b6655',
      challenge: 'turnstile',
      fields: [
        { name: 'email', label: 'Email', type: 'email', required: true },
        { name: 'topic', label: 'topic', type: 'select', required: false, options: ['sales', 'support'] },
        { name: 'stars', label: 'stars', type: 'rating', required: false, max: 7 },
      ],
    });
    expect(old).toMatchObject({ name: 'Old', is_active: false });
    expect(await listWebhooks(dataDir, contact?.id ?? '')).toMatchObject([
      {
        kind: 'standard',
        url: 'https://hooks.example.com',
        events: ['submission.created', 'submission.deleted'],
        when: [{ field: 'topic', is: 'sales' }],
      },
      { kind: 'template', url: 'https://chat.example.com' },
      { kind: 'sheets' },
    ]);
    expect(await apply(FULL)).toEqual({ ...NOTHING, stderr: REFERENCES });
    expect(await diff(FULL)).toEqual({ ...NOTHING, stdout: NOTHING.stdout + REFERENCES });
    const pulled = (await pull()).stdout;
    expect(await apply(pulled)).toEqual(NOTHING);
    expect(await diff(pulled, '--prune')).toEqual(NOTHING);
    expect((await pull()).stdout).toBe(pulled);
  });

  test('lists each reference with the host that gets its value, and before the question of --prune', async () => {
    const { dataDir, path, write, applied, diff } = await makeSetup();
    expect(applied.stderr).toStartWith(REFERENCES);
    expect(JSON.parse((await diff(FULL, '--json')).stdout).references).toContainEqual({
      reference: 'env:TOKEN',
      host: 'hooks.example.com',
      name: 'Site / Contact / standard',
      setting: 'headers.X-Token',
    });
    write(FULL.replace('  - name: Shop', ''));
    const questions: string[] = [];
    const { stderr } = await run(dataDir, ['apply', path, '--prune'], SECRETS, typing('no', questions));
    expect([stderr, questions]).toEqual([expect.stringContaining(REFERENCES), [expect.any(String)]]);
    expect(stderr).toEndWith('Nothing was changed.\n');
  });

  test('never prints secrets other than new signing secrets', async () => {
    const { applied, pull, diff } = await makeSetup();
    const changed = FULL.replace('env:TURNSTILE', 'env:TOKEN').replace('env:TOKEN, X', 'env:TURNSTILE, X');
    const outputs = [applied.stdout, (await pull()).stdout, (await diff(changed)).stdout];
    outputs.push((await diff(changed, '--json')).stdout);
    for (const output of outputs) {
      for (const secret of [SECRETS.TURNSTILE, SECRETS.TOKEN, 'secret-path', 'PRIVATE KEY']) {
        expect(output).not.toContain(secret);
      }
    }
    expect(outputs[2]).toContain('challenge.secret: changed');
    expect(outputs[2]).toContain('headers: changed');
  });

  test('is audited change by change, in the team and without values', async () => {
    const { dataDir, team, apply } = await makeSetup();
    const before = await auditOf(dataDir);
    expect(before.map(({ action }) => action)).toEqual([
      'team.created',
      'workspace.created',
      'workspace.created',
      'form.created',
      'webhook.created',
      'webhook.created',
      'webhook.created',
      'form.created',
    ]);
    await apply('workspaces: [{name: Site, forms: [{name: Contact, thanks_title: Bye, state: paused}]}]');
    const [form] = await listForms(dataDir, team);
    expect((await auditOf(dataDir)).slice(before.length)).toMatchObject([
      { action: 'form.changed', team_id: team, details: { form_id: form?.id, settings: 'isActive, thanksTitle' } },
    ]);
    expect(JSON.stringify(await auditOf(dataDir))).not.toContain('Bye');
  });

  test('leaves what the file leaves out, and removes it with --prune after a question', async () => {
    const { dataDir, team, path, apply, diff } = await makeSetup();
    const less = `
workspaces:
  - name: Site
    forms:
      - name: Contact
        fields: [{name: topic, type: select, options: [sales, support]}, {name: stars, type: rating, max: 7}]
        webhooks: [{kind: template, url: https://chat.example.com/x}]`;
    const { code, stdout } = await apply(less);
    expect([code, stdout.split('\n')]).toEqual([
      0,
      expect.arrayContaining([
        '  form "Site / Old" is not in the file; --prune removes it',
        '  workspace "Shop" is not in the file; --prune removes it',
        '  webhook "Site / Contact / standard hooks.example.com" is not in the file; --prune removes it',
        '  field "Contact / email" is not in the file; --prune removes it',
      ]),
    ]);
    const [contact] = await listForms(dataDir, team);
    expect(fieldNames(contact)).toEqual(['topic', 'stars', 'email']);
    expect(await listWebhooks(dataDir, contact?.id ?? '')).toHaveLength(3);

    expect(await apply(less, '--prune')).toMatchObject({ code: 2, stderr: expect.stringContaining('pass --yes') });
    expect((await diff(less, '--prune')).code).toBe(2);
    const refusal = await run(dataDir, ['apply', path, '--prune'], SECRETS, async () => 'no');
    expect(refusal).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/- form.*Nothing was changed\./s),
    });
    expect(await listForms(dataDir, team)).toHaveLength(2);
    const pruned = await run(dataDir, ['apply', path, '--prune'], SECRETS, async () => 'yes');
    expect([pruned.code, pruned.stdout]).toEqual([0, expect.stringContaining('- workspace "Shop"')]);
    const [left, ...others] = await listForms(dataDir, team);
    expect([left?.name, others]).toEqual(['Contact', []]);
    expect(fieldNames(left)).toEqual(['topic', 'stars']);
    expect(await listWebhooks(dataDir, left?.id ?? '')).toMatchObject([{ kind: 'template' }]);
    expect(await json<Resource[]>(dataDir, ['workspace', 'list', '--team', team])).toMatchObject([{ name: 'Site' }]);
    expect(await apply(less, '--prune', '--yes')).toEqual(NOTHING);
  });

  test('finds forms by id, and renames, moves and restores them', async () => {
    const { dataDir, team, apply, pull } = await makeSetup();
    const [contact, old] = await listForms(dataDir, team);
    const saved = (await pull()).stdout;
    await apply('workspaces: [{name: Site, forms: []}, {name: Shop}]', '--prune', '--yes');
    expect(await listForms(dataDir, team)).toEqual([]);
    const moved = `workspaces: [{name: Shop, forms: [{id: ${contact?.id}, name: Sales}]}, {name: Site}]`;
    expect((await apply(moved)).stdout).toContain(`+ form "Shop / Sales" (${contact?.id}), from the trash`);
    const [sales] = await listForms(dataDir, team);
    expect(sales).toMatchObject({ id: contact?.id, name: 'Sales', thanks_title: 'Thank you' });
    expect(sales?.workspace_id).not.toBe(contact?.workspace_id);
    expect(await json<Resource[]>(dataDir, ['workspace', 'list', '--team', team])).toMatchObject([
      { name: 'Shop' },
      { name: 'Site' },
    ]);
    expect(await apply(moved)).toEqual(NOTHING);
    expect((await apply(saved)).code).toBe(0);
    expect(await listForms(dataDir, team)).toEqual([contact, old] as Resource[]);
    expect((await pull()).stdout).toBe(saved);
  });

  test('keeps ids of another instance for what it creates, but no other unknown ids', async () => {
    const { pull } = await makeSetup();
    const saved = (await pull()).stdout.replace('url: keep', `url: ${SECRETS.BOT}`);
    const [workspace, form, webhook] = ['wsp', 'frm', 'whk'].map(
      (prefix) => saved.match(`${prefix}_[0-9a-v]{16,32}`)?.[0],
    );
    const dataDir = fresh();
    const team = await makeTeam(dataDir);
    const { apply, ...other } = setupFile(dataDir);
    const hook = (id: string | undefined, url = 'https://hooks.example.com/2') => `{id: ${id}, url: "${url}"}`;
    const site = (id: string | undefined, hooks = '') =>
      `workspaces: [{id: ${workspace}, name: Site, forms: [{id: ${id}, name: Contact, webhooks: [${hooks}]}]}]`;
    expect(await apply(site(form, `${hook(webhook)}, ${hook(webhook)}`))).toEqual(
      refused(/no other webhook with this id/),
    );
    expect((await apply(site(form, hook(webhook)))).code).toBe(0);
    expect(await apply(site(form, hook(webhook)))).toEqual(NOTHING);
    const pulled = (await other.pull()).stdout;
    for (const id of [workspace, form, webhook]) expect(pulled).toContain(`id: ${id}`);
    const [unknownForm, unknownHook] = [`frm_${'0'.repeat(32)}`, `whk_${'0'.repeat(32)}`];
    expect(await apply(site(unknownForm))).toEqual(refused(/no form with this id in this team/));
    const sameAddress = apply(site(form, hook(unknownHook)));
    expect(await sameAddress).toEqual(refused(/no other webhook with this id/));
    const second = await makeTeam(dataDir);
    expect(second).not.toBe(team);
    expect(await apply(site(form), '--team', second)).toEqual(refused(/no workspace with this id in this team/));
  });

  test('needs --team only where there are several teams', async () => {
    const dataDir = fresh();
    const { apply, diff, path } = setupFile(dataDir);
    expect(await apply('workspaces: []')).toEqual(refused(/no team yet. Create one with "team create/));
    const first = await makeTeam(dataDir);
    expect((await apply('workspaces: [{name: A}]')).code).toBe(0);
    const second = await makeTeam(dataDir);
    for (const args of [['apply', path], ['diff', path], ['pull']]) {
      expect(await run(dataDir, args)).toEqual(refused(/several teams\. Pass --team/));
    }
    expect((await diff('workspaces: [{name: A}]', '--team', first)).code).toBe(0);
    expect((await diff('workspaces: [{name: A}]', '--team', second)).code).toBe(2);
    expect(await diff('workspaces: []', '--team', 'team_x')).toEqual(refused(/There is no team "team_x"/));
  });

  test('changes a webhook by id, keeps its secrets, and asks for headers again before another host gets them', async () => {
    const { dataDir, team, apply, pull } = await makeSetup();
    const saved = (await pull()).stdout;
    const [contact] = await listForms(dataDir, team);
    const [hook] = await listWebhooks(dataDir, contact?.id ?? '');
    const change = (lines: string) =>
      apply(`workspaces: [{name: Site, forms: [{name: Contact, webhooks: [{id: ${hook?.id}, ${lines}}]}]}]`);
    expect(await change('is_active: false, include_spam: true')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/is_active: true → false/),
    });
    expect(await change('url: https://other.example.com/, headers: {X-Token: keep}')).toEqual(
      refused(/forms\.yaml:1:\d+: The URL leads to another host\. Pass the headers again/),
    );
    expect(await change('kind: slack, url: keep')).toEqual(refused(/has the kind standard\. Remove the id/));
    expect((await apply(saved)).code).toBe(0);
    expect((await pull()).stdout).toBe(saved);
  });

  test('changes nothing if one part cannot be made', async () => {
    const { dataDir, team, apply, pull } = await makeSetup();
    const saved = await pull();
    const audit = await auditOf(dataDir);
    const broken = `
workspaces:
  - name: New
    forms:
      - name: Fine
      - name: Broken
        time_zone: Mars/Olympus`;
    expect(await apply(broken)).toEqual(refused(/forms\.yaml:7:9: Unknown time zone/));
    expect(await pull()).toEqual(saved);
    expect(await auditOf(dataDir)).toEqual(audit);
    expect(await json<Resource[]>(dataDir, ['workspace', 'list', '--team', team])).toHaveLength(2);
  });
});

describe('diff', () => {
  test('exits with 0 without changes, 2 with some and 1 for a broken file, as a process too', async () => {
    const dataDir = fresh();
    await makeTeam(dataDir);
    const { write, diff } = setupFile(dataDir);
    const path = write('workspaces: [{name: Site, forms: [{name: Contact, fields: [{name: email}]}]}]');
    expect(await formstead(dataDir, ['diff', path])).toEqual({
      code: 2,
      stdout: '+ workspace "Site"\n+ form "Site / Contact"\n    fields: + email\n',
      stderr: '',
    });
    expect((await formstead(dataDir, ['apply', path])).code).toBe(0);
    expect(await formstead(dataDir, ['diff', path])).toEqual(NOTHING);
    const changed = await diff(
      'workspaces: [{name: Site, forms: [{name: Contact, notify: [a@example.com]}]}]',
      '--json',
    );
    expect([changed.code, JSON.parse(changed.stdout)]).toMatchObject([
      2,
      {
        changes: [
          {
            action: 'update',
            type: 'form',
            name: 'Site / Contact',
            settings: [{ name: 'notify', before: [], after: ['a@example.com'] }],
          },
        ],
        kept: [],
      },
    ]);
    write('workspaces: [');
    expect((await formstead(dataDir, ['diff', path])).code).toBe(1);
    const { code, stderr } = await formstead(dataDir, ['diff', path, '--json']);
    expect([code, JSON.parse(stderr)]).toMatchObject([1, { code: 'invalid_input', faults: [{ line: 1 }] }]);
  });
});

describe('pull', () => {
  test('writes what the JSON Schema for editors allows', async () => {
    const { dataDir, apply } = await makeSetup();
    await apply('workspaces: [{name: Shop, forms: [{name: Plain}]}]');
    const { stdout } = await run(dataDir, ['pull', '--json']);
    const validate = new Ajv().compile(setupFileJsonSchema());
    expect([validate(JSON.parse(stdout)), validate.errors]).toEqual([true, null]);
    expect(validate({ workspaces: [{ name: 'A', forms: [{ name: 'B', notifications: [] }] }] })).toBe(false);
  });

  test('names the schema of this instance, quotes where YAML asks for it, and escapes control characters', async () => {
    const dataDir = fresh();
    await makeTeam(dataDir);
    const { apply } = setupFile(dataDir);
    const names = [
      'yes',
      '2024',
      'null',
      ' x',
      '- a',
      'a: b # c',
      '#',
      '"',
      "it's",
      '\u001b[2J\u009b',
      'ü→🙂',
      '~',
      '1e3',
      '<<',
    ];
    const forms = names.map((name) => ({ name: `${name}.`, thanks_title: name, success_message: `${name}\n\n  b\n` }));
    const file = JSON.stringify({ workspaces: [{ name: '2024', forms }] }).replaceAll('\u009b', '\\u009b');
    expect((await apply(file)).code).toBe(0);
    const pulled = await run(dataDir, ['pull'], { BASE_URL: 'https://forms.example.com' });
    expect(pulled.stdout.split('\n')[0]).toBe(
      '# yaml-language-server: $schema=https://forms.example.com/docs/forms.schema.json',
    );
    expect(pulled.stdout).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(await apply(pulled.stdout)).toEqual(NOTHING);
    const { stdout } = await run(dataDir, ['pull', '--json']);
    expect(await apply(stdout)).toEqual(NOTHING);
  });
});
