import type { Command } from 'commander';
import { SetupError } from '../domain/errors.ts';
import { reachableHost } from '../lib/reachable-host.ts';
import { CliCommand, type CliContext, printOne } from './command.ts';
import { httpGet } from './http-get.ts';

/** `formstead health`: opens nothing, so it is cheap enough for a container's health check. */
export function healthCommand(cli: CliContext): Command {
  return new CliCommand(cli, 'health')
    .description('check that the server at HOST and PORT answers')
    .option('--ready', 'also check that it can store submissions')
    .action(async ({ ready }: { ready?: boolean }) => {
      const { host, port } = cli.listenAddress();
      const url = `http://${reachableHost(host)}:${port}/${ready ? 'readyz' : 'healthz'}`;
      const response = await httpGet(url);
      if (typeof response === 'string') throw new SetupError(`${url} does not answer (${response}).`);
      if (response.status !== 200) throw new SetupError(`${url} does not answer with 200 (${errorIn(response)}).`);
      printOne(cli, { url, status: ready ? 'ready' : 'ok' });
    });
}

/** Returns the `error` property of a JSON body, or else the status code. */
function errorIn({ status, text }: Readonly<{ status: number; text: string }>): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === 'string' ? error : String(status);
  } catch {
    return String(status);
  }
}
