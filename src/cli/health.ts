import { Command } from 'commander';
import { SetupError } from '../domain/errors.ts';
import { reachableHost } from '../lib/reachable-host.ts';
import { ask } from './ask.ts';
import { type CliContext, printOne } from './command.ts';

/** `formstead health`: opens nothing, so that a container may run it every few seconds. */
export function healthCommand(surroundings: CliContext): Command {
  return new Command('health')
    .description('ask the server at HOST and PORT whether it answers')
    .option('--ready', 'and whether it can keep what is sent')
    .action(async ({ ready, json }: { ready?: boolean; json?: boolean }) => {
      const { host, port } = surroundings.address();
      const url = `http://${reachableHost(host)}:${port}/${ready ? 'readyz' : 'healthz'}`;
      const answer = await ask(url);
      if (typeof answer === 'string') throw new SetupError(`${url} does not answer (${answer}).`);
      if (answer.status !== 200) throw new SetupError(`${url} does not answer with 200 (${reasonIn(answer)}).`);
      printOne(surroundings, json === true, { url, status: ready ? 'ready' : 'ok' });
    });
}

/** What the envelope says where there is one. */
function reasonIn({ status, text }: Readonly<{ status: number; text: string }>): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === 'string' ? error : String(status);
  } catch {
    return String(status);
  }
}
