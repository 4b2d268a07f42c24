import { Command } from 'commander';
import { AppError, SetupError } from '../domain/errors.ts';
import { formatTime } from '../lib/clock.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop';
import type { Note } from '../services/audit.ts';
import { adoptKey, countUsesOf, newResealProgress, resealAll } from '../services/rotation.ts';
import { type CheckCounts, findUnreadable, type Unreadable } from '../services/vault-check.ts';
import { addKeyToFile, removeKeyFromFile } from '../vault/key-file.ts';
import { keyName, type MasterKey, masterKeyText, newMasterKey } from '../vault/key-ring.ts';
import { type CliContext, type CommandContext, printList, printOne, withContext } from './command.ts';
import { telling } from './progress.ts';

/** A server looks for a new key every second. */
const SERVER_MS = 10_000;
const POLL_MS = 100;

type Options = Readonly<{ json?: boolean }>;

/** `formstead vault …` */
export function vaultCommand(surroundings: CliContext): Command {
  const { ask, stderr } = surroundings;
  const vault = new Command('vault').description('the encryption keys, and what is sealed under them');

  vault
    .command('rotate')
    .description('seal everything anew under a new key; goes on with what was broken off')
    .action(({ json }: Options) =>
      withContext(surroundings, (context) => withKeyLock(context, () => rotate(surroundings, context, json === true))),
    );

  vault
    .command('list')
    .description('list the keys, oldest first, with how many records are sealed under each')
    .action(({ json }: Options) =>
      withContext(surroundings, async (context) => {
        const rows = await listKeys(context);
        printList(surroundings, json === true, rows, ['id', 'state', 'records', 'created_at']);
      }),
    );

  vault
    .command('check')
    .description('open everything that is sealed, files too, and list what does not open')
    .action(({ json }: Options) =>
      withContext(surroundings, async (context) => {
        const counts: CheckCounts = { records: 0, files: 0 };
        const opened = () => `${counts.records} records and ${counts.files} files open`;
        const found: Unreadable[] = [];
        const look = async () => {
          for await (const one of findUnreadable(context, counts)) found.push(one);
        };
        await telling(stderr, opened, look());
        stderr(`${opened()}, ${found.length} do not.\n`);
        if (found.length > 0 || json) printList(surroundings, json === true, found, ['table', 'row', 'what', 'says']);
        if (found.length > 0) {
          throw new AppError('invalid_input', 'not everything opens; what is listed is in a backup, if there is one.');
        }
      }),
    );

  vault
    .command('remove <id>')
    .description('forget a key that nothing is sealed under any more')
    .option('--yes', 'do not ask before')
    .action((id: string, { yes, json }: Options & { yes?: boolean }, command: Command) => {
      if (!yes && !ask) command.error('error: nobody can be asked here; --yes says that it is meant');
      return withContext(surroundings, (context) =>
        withKeyLock(context, async () => {
          const keyId = await requireUnused(context, id);
          stderr(
            `Backups made before it was replaced open with the key ${id} alone: keep a copy for as long as you keep them.\n`,
          );
          if (!yes && (await ask?.('Remove it here? Type "yes": '))?.trim() !== 'yes') {
            context.note({}, { action: null });
            stderr('Nothing was removed.\n');
            return;
          }
          if (context.keyFile) removeKeyFromFile(context.keyFile.path, keyId);
          else
            stderr(`Now take the old key out of ENCRYPTION_KEY, or out of the file that ENCRYPTION_KEY_FILE names.\n`);
          await context.store.removeVaultKey(keyId);
          context.note({ key: id });
          printOne(surroundings, json === true, { removed: id });
        }),
      );
    });

  return vault;
}

async function rotate(
  surroundings: CliContext,
  context: CommandContext & Readonly<{ note: Note }>,
  asJson: boolean,
): Promise<void> {
  const { vault, keyFile, note } = context;
  const key = await keyToRotateTo(context);
  if (!key) {
    note({}, { action: null });
    tellToConfigure(surroundings, asJson);
    return;
  }
  const isNew = key.id !== vault.keyId;
  note({ key: keyName(key.id) }, isNew ? {} : { action: null });
  const serverLock = context.takeLock('server');
  try {
    if (serverLock && isNew) await adoptKey(context, key);
  } finally {
    serverLock?.release();
  }
  if (!serverLock) await waitForServer(context, key);
  if (isNew && keyFile) surroundings.stderr(newKeyNotice(keyFile.path));
  if (serverLock) {
    await resealHere(surroundings, context, asJson);
  } else {
    surroundings.stderr('The server seals everything anew meanwhile; "vault list" shows how far it is.\n');
    printOne(surroundings, asJson, { key: keyName(key.id), done: false });
  }
}

function newKeyNotice(path: string): string {
  return `${path} has a new key, before the old one. Keep a new copy of it elsewhere: earlier ones do not open what is sealed from now on.\n`;
}

/** Of two commands that change the keys at the same moment one is refused. */
async function withKeyLock(context: CommandContext, work: () => Promise<void>): Promise<void> {
  const lock = context.takeLock('keys');
  if (!lock) throw new AppError('conflict', 'another command is changing the keys; "vault list" shows how far it is.');
  try {
    await work();
  } finally {
    lock.release();
  }
}

/** A new key, or the one of a rotation that was begun; null where a new one has to be configured first. */
async function keyToRotateTo({ store, vault, keyFile, wantedKey }: CommandContext): Promise<MasterKey | null> {
  const wanted = await wantedKey();
  const keys = await store.listVaultKeys();
  const isBegun = wanted.id !== vault.keyId || keys.some(({ state }) => state === 'retiring');
  if (isBegun) return wanted;
  return keyFile ? addKeyToFile(keyFile.path) : null;
}

function tellToConfigure(surroundings: CliContext, asJson: boolean): void {
  const key = masterKeyText(newMasterKey());
  const next = [
    'Nothing has changed yet: the keys come from ENCRYPTION_KEY, which only you can set.',
    'Put the new key before the old one, with a comma between, and keep a copy of it: ENCRYPTION_KEY=NEW,OLD',
    'Restart the server. It seals everything anew, and "vault list" shows how far it is.',
    'Once the old key is unused, "vault remove" forgets it, and ENCRYPTION_KEY needs the new one alone.',
  ];
  if (asJson) printOne(surroundings, true, { new_key: key, next });
  else surroundings.stdout(`New key: ${key}\n\n${next.map((line) => `${line}\n`).join('')}`);
}

/** Until the server seals under the key. */
async function waitForServer({ store, keyFile }: CommandContext, { id }: MasterKey): Promise<void> {
  const end = performance.now() + SERVER_MS;
  while (performance.now() < end) {
    const keys = await store.listVaultKeys();
    if (keys.some((key) => key.id === id && key.state === 'current')) return;
    if (!keyFile) break;
    await Bun.sleep(POLL_MS);
  }
  throw new SetupError(
    `the running server has not taken up the key ${keyName(id)} and seals under the one before; restart it with the same settings as this command.`,
  );
}

async function resealHere(surroundings: CliContext, context: CommandContext, asJson: boolean): Promise<void> {
  const progress = newResealProgress();
  const { rows } = await context.store.countSealed();
  const how = () => `${progress.resealed} sealed anew, ${progress.scanned} of ${rows} rows looked at`;
  const done = await telling(surroundings.stderr, how, resealAll(context, progress, { rest: yieldToEventLoop }));
  if (progress.damaged > 0) {
    surroundings.stderr(`${progress.damaged} records do not open and stay as they are; "vault check" lists them.\n`);
  }
  const { resealed, damaged } = progress;
  printOne(surroundings, asJson, { key: keyName(context.vault.keyId), done, resealed, damaged });
}

async function listKeys({ store }: CommandContext) {
  const keys = await store.listVaultKeys();
  const { records } = await store.countSealed();
  const noted = keys.map(({ id, state, createdAt }) => ({
    id: keyName(id),
    state,
    records: records.get(id) ?? 0,
    created_at: formatTime(createdAt),
  }));
  const strays = [...records].filter(([id]) => !keys.some((key) => key.id === id));
  return [
    ...noted,
    ...strays.map(([id, count]) => ({ id: keyName(id), state: 'unknown', records: count, created_at: null })),
  ];
}

/** The id of the key that goes by this name. Throws `AppError` unless nothing is sealed under it. */
async function requireUnused(context: CommandContext, name: string): Promise<number> {
  const keys = await context.store.listVaultKeys();
  const key = keys.find(({ id }) => keyName(id) === name);
  if (!key) throw new AppError('not_found', `there is no key "${name}"; see "vault list".`);
  if (key.state === 'current') {
    throw new AppError('conflict', `everything is sealed under the key ${name}; "vault rotate" makes a new one first.`);
  }
  const current = keys.find(({ state }) => state === 'current');
  const uses = await countUsesOf(context, key.id, current?.id ?? context.vault.keyId);
  if (uses > 0 || key.state !== 'unused') {
    throw new AppError(
      'conflict',
      `${uses} records are still sealed under the key ${name}; wait until the server has sealed them anew, or run "vault rotate" where none runs.`,
    );
  }
  return key.id;
}
