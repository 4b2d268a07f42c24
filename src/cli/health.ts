import { Command } from 'commander';
import { SetupError } from '../domain/errors.ts';
import { reachableHost } from '../lib/reachable-host.ts';
import { printOne, type Surroundings } from './command.ts';

const PATIENCE_MS = 5_000;

/** `formstead health`: opens nothing, so that a container may run it every few seconds. */
export function healthCommand(surroundings: Surroundings): Command {
  return new Command('health')
    .description('ask the server at HOST and PORT whether it answers')
    .action(async ({ json }: { json?: boolean }) => {
      const { host, port } = surroundings.address();
      const url = `http://${reachableHost(host)}:${port}/healthz`;
      const answer = await ask(url);
      if (answer !== 200) throw new SetupError(`${url} does not answer with 200 (${answer}).`);
      printOne(surroundings, json === true, { url, status: 'ok' });
    });
}

/** The status of the answer, or what went wrong. Not by `fetch`, which would go through a proxy that HTTP_PROXY names. */
async function ask(url: string): Promise<number | string> {
  const { get } = await import('node:http');
  return new Promise((resolve) => {
    get(url, { signal: AbortSignal.timeout(PATIENCE_MS) }, (answer) => resolve(answer.resume().statusCode ?? 0)).on(
      'error',
      (error) => resolve(error.message),
    );
  });
}
