import type { Command } from 'commander';
import type { Context } from '../context/context.ts';
import { conflict, notFound, SetupError } from '../domain/errors.ts';
import { formatTime } from '../lib/clock.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import { adoptKey, countUsesOf, newResealProgress, resealAll } from '../services/instance/rotation.ts';
import { encodeMasterKey, formatKeyId, generateMasterKey, type MasterKey } from '../vault/key-ring.ts';
import { addKeyToFile, removeKeyFromFile } from '../vault/master-key-file.ts';
import { checkInstance } from './check-instance.ts';
import { CliCommand, type CliContext, type CommandContext, printList, printOne, withLock } from './command.ts';
import { withProgress } from './progress.ts';

/** A server checks for a new key every second. */
const ADOPTION_TIMEOUT_MS = 10_000;
const POLL_INTERVAL_MS = 100;

const KEYS_CHANGING = 'another command is changing the keys. Run "vault list" to see its progress.';

export function vaultCommand(cli: CliContext): Command {
  const { stderr } = cli;
  const vault = new CliCommand(cli, 'vault').description('encryption keys and the records sealed under them');

  vault
    .command('rotate')
    .description('reseal all records under a new key; resumes an interrupted rotation')
    .run((context) => withLock(context, 'keys', KEYS_CHANGING, () => rotate(cli, context)));

  vault
    .command('list')
    .description('list the keys, oldest first, with the number of records sealed under each')
    .run(async (context) => {
      const rows = await listKeys(context);
      printList(cli, rows, ['id', 'state', 'records', 'created_at']);
    });

  vault
    .command('check')
    .description('open all sealed records and files, and list those that fail')
    .action(() => checkInstance(cli));

  vault
    .command('remove <id>')
    .description('remove a key that no record is sealed under')
    .confirmable()
    .run((context, id: string) =>
      withLock(context, 'keys', KEYS_CHANGING, async () => {
        const keyId = await requireUnused(context, id);
        stderr(
          `Backups from before the rotation can only be read with the key ${id}. Keep a copy of it as long as you keep them.\n`,
        );
        if (!(await context.confirm('Remove the key from this instance? Type "yes": '))) return;
        if (context.keyFile) removeKeyFromFile(context.keyFile.path, keyId);
        else stderr(`Now remove the old key from ENCRYPTION_KEY, or from the file that ENCRYPTION_KEY_FILE names.\n`);
        await context.store.vaultKeys.remove(keyId);
        context.note({ key: id });
        printOne(cli, { removed: id });
      }),
    );

  return vault;
}

async function rotate(cli: CliContext, context: CommandContext): Promise<void> {
  const { vault, keyFile, note } = context;
  const key = await nextKey(context);
  if (!key) {
    note({}, { action: null });
    printNewKey(cli, context.instanceName !== null);
    return;
  }
  const isNew = key.id !== vault.keyId;
  note({ key: formatKeyId(key.id) }, isNew ? {} : { action: null });
  const serverLock = await context.takeLock('server');
  try {
    if (serverLock && isNew) await adoptKey(context, key);
  } finally {
    await serverLock?.release();
  }
  if (!serverLock) await waitForServer(context, key);
  if (isNew && keyFile) {
    cli.stderr(
      `Added a new key to ${keyFile.path}. Keep a new copy of this file elsewhere: earlier copies cannot open records sealed from now on.\n`,
    );
  }
  if (serverLock) {
    await reseal(cli, context);
  } else {
    cli.stderr('The server now reseals all records in the background. Run "vault list" to see its progress.\n');
    printOne(cli, { key: formatKeyId(key.id), done: false });
  }
}

/**
 * Returns the key of an unfinished rotation, or else adds a new key to the key file. Returns null if keys come from
 * ENCRYPTION_KEY and none is new.
 */
async function nextKey({ store, vault, keyFile, readPrimaryKey }: Context): Promise<MasterKey | null> {
  const configured = await readPrimaryKey();
  const keys = await store.vaultKeys.list();
  if (configured.id !== vault.keyId || keys.some(({ state }) => state === 'retiring')) return configured;
  return keyFile ? addKeyToFile(keyFile.path) : null;
}

/** Prints a fresh key and how to configure it, for a database that one process serves, or several. */
function printNewKey(cli: CliContext, isShared: boolean): void {
  const key = encodeMasterKey(generateMasterKey());
  const next = [
    'Nothing has changed yet: the keys come from ENCRYPTION_KEY, which only you can change.',
    isShared &&
      'If several processes serve the database, first restart all of them with ENCRYPTION_KEY=OLD,NEW, so that each can read the new key.',
    'Put the new key before the old one, separated by a comma, and keep a copy of it: ENCRYPTION_KEY=NEW,OLD',
    'Restart the server. It reseals all records; "vault list" shows its progress.',
    'When the old key is unused, run "vault remove", then set ENCRYPTION_KEY to the new key only.',
  ].filter((step) => step !== false);
  if (cli.asJson) printOne(cli, { new_key: key, next });
  else cli.stdout(`New key: ${key}\n\n${next.map((line) => `${line}\n`).join('')}`);
}

/**
 * Waits until the server has made the key active. Throws `SetupError` after 10 s, or at once if
 * the keys come from ENCRYPTION_KEY.
 */
async function waitForServer({ store, keyFile }: Context, { id }: MasterKey): Promise<void> {
  const deadline = performance.now() + ADOPTION_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const keys = await store.vaultKeys.list();
    if (keys.some((key) => key.id === id && key.state === 'current')) return;
    if (!keyFile) break;
    await Bun.sleep(POLL_INTERVAL_MS);
  }
  throw new SetupError(
    `the running server does not use the key ${formatKeyId(id)} yet. Restart it with the same settings as this command.`,
  );
}

async function reseal(cli: CliContext, context: Context): Promise<void> {
  const progress = newResealProgress();
  const { rows } = await context.store.sealedRecords.count();
  const status = () => `${progress.resealed} records resealed, ${progress.scanned} of ${rows} rows checked`;
  const done = await withProgress(cli, status, resealAll(context, progress, { rest: yieldToEventLoop }));
  if (progress.damaged > 0) {
    cli.stderr(
      `${progress.damaged} records cannot be opened and were left unchanged. Run "vault check" to list them.\n`,
    );
  }
  const { resealed, damaged } = progress;
  printOne(cli, { key: formatKeyId(context.vault.keyId), done, resealed, damaged });
}

async function listKeys({ store }: Context) {
  const keys = await store.vaultKeys.list();
  const { records } = await store.sealedRecords.count();
  const known = keys.map(({ id, state, createdAt }) => {
    return { id: formatKeyId(id), state, records: records.get(id) ?? 0, created_at: formatTime(createdAt) };
  });
  const unknown = [...records].filter(([id]) => !keys.some((key) => key.id === id));
  return [
    ...known,
    ...unknown.map(([id, count]) => ({ id: formatKeyId(id), state: 'unknown', records: count, created_at: null })),
  ];
}

/** Returns the id of the key with this name. Throws `AppError` if records are sealed under it. */
async function requireUnused(context: Context, name: string): Promise<number> {
  const keys = await context.store.vaultKeys.list();
  const key = keys.find(({ id }) => formatKeyId(id) === name);
  if (!key) throw notFound(`there is no key "${name}"; see "vault list".`);
  if (key.state === 'current') {
    throw conflict(`the key ${name} is the active one. Run "vault rotate" first to replace it.`);
  }
  const current = keys.find(({ state }) => state === 'current');
  const uses = await countUsesOf(context, key.id, current?.id ?? context.vault.keyId);
  if (uses > 0 || key.state !== 'unused') {
    throw conflict(
      `${uses} records are still sealed under the key ${name}. Wait until the server has resealed them, or run "vault rotate" if no server is running.`,
    );
  }
  return key.id;
}
