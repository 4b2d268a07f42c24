import { rmSync } from 'node:fs';
import { temporaryDir } from '../support/instance.ts';
import { createInstance, formstead } from '../support/process.ts';
import { startSmtp } from '../support/smtp.ts';

/** Creates an instance with a form that notifies `owner@x.example`, and a mail server. The caller stops it. */
export async function mailingForm(options: readonly string[]) {
  const dir = await createInstance(temporaryDir());
  const smtp = await startSmtp();
  const create = async (...args: string[]) =>
    JSON.parse((await formstead(dir, [...args, '--json'])).stdout) as { id: string };
  const team = await create('team', 'create', '--name', 'Team');
  const workspace = await create('workspace', 'create', '--team', team.id, '--name', 'Workspace');
  const place = ['--workspace', workspace.id, '--notify', 'owner@x.example'];
  const form = await create('form', 'create', '--name', 'Form', ...place, ...options);
  const stop = async () => {
    await smtp.stop();
    rmSync(dir, { recursive: true });
  };
  return { dir, smtp, form, stop };
}
