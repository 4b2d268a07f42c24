import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../command-line.ts';

/** A file of `apply` beside the data directory. `env` are the variables of its secrets. */
export function setupFile(dataDir: string, env: Record<string, string> = {}) {
  const path = join(dirname(dataDir), 'forms.yaml');
  const write = (text: string | Uint8Array, name = 'forms.yaml') => {
    const target = join(dirname(dataDir), name);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    return target;
  };
  const command =
    (name: 'apply' | 'diff') =>
    async (text: string | Uint8Array, ...options: string[]) => {
      write(text);
      return run(dataDir, [name, path, ...options], env);
    };
  return { path, write, apply: command('apply'), diff: command('diff'), pull: () => run(dataDir, ['pull'], env) };
}
