import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, loadSecrets } from '../config/config.ts';
import { openContext } from '../context/context.ts';
import { HOOK_PATH } from '../dashboard/demo/paths.ts';
import { HOUR, MINUTE, type Micros, systemClock } from '../lib/clock.ts';
import { MemoryMailer } from '../mail/memory-mailer.ts';
import { type Server, serve } from '../serve.ts';
import { newToken } from '../services/users/sessions.ts';
import { type DemoClock, seedDemo } from './seed.ts';

/** A running demo. */
export type Demo = Readonly<Awaited<ReturnType<typeof startDemo>>>;

type Options = Readonly<{
  /** Its settings of address, proxies and log apply; all others are those of a demo. */
  env: Readonly<Record<string, string | undefined>>;
  /** Let anyone look, without changes, and start anew each hour. */
  isPublic: boolean;
  writeLog: (line: string) => void;
}>;

type Instance = Awaited<ReturnType<typeof open>>;

/** Mails to keep in memory. */
const MAX_MAILS = 200;

const EMAIL = 'robin@harborlane.example';

/** The settings that a demo takes from the environment. */
const TAKEN = ['HOST', 'PORT', 'BASE_URL', 'TRUSTED_PROXIES', 'LOG_ADDRESSES'];

const SETTINGS = {
  LOG_LEVEL: 'warn',
  MIN_FREE_BYTES: '0',
  ALLOWED_PRIVATE_HOSTS: 'localhost,127.0.0.1,::1',
  MAIL_FROM: 'Harbor Lane Pottery <hello@harborlane.example>',
  // The mailer in memory replaces it.
  SMTP_URL: 'smtp://127.0.0.1',
};

/** All visitors of a public demo share one session. */
const PUBLIC_SETTINGS = { PAGES_PER_MINUTE: '12000' };

/**
 * Starts an instance in a temporary folder with believable submissions, mails in memory and a webhook to itself. Throws
 * `SetupError` if it cannot listen.
 */
export async function startDemo({ env, isPublic, writeLog }: Options) {
  const account = { email: EMAIL, password: newToken().slice(0, 12), session: newToken() };
  const token = isPublic ? null : newToken();
  let port = env.PORT;
  let resetsAt = isPublic ? nextReset(systemClock()) : null;
  let timer: NodeJS.Timeout | undefined;
  const openNext = () => open({ ...env, PORT: port }, { token, session: account.session, resetsAt }, writeLog);

  let instance = await openNext();
  let server: Server;
  try {
    server = await serve(instance.context, () => {});
  } catch (error) {
    await instance.close();
    throw error;
  }
  const { url } = server;
  // The same for each instance that follows.
  port = new URL(url).port || port;
  const fill = (next: Instance) => seedDemo(next.context, next.clock, `${url}${HOOK_PATH}`, account);
  const submissions = await fill(instance);

  const end = async () => {
    clearTimeout(timer);
    // Webhooks lead to this server.
    await instance.context.webhooks.stop();
    await server.stop(0);
    await instance.close();
  };
  const reset = async () => {
    resetsAt = resetsAt && nextReset(systemClock());
    const next = await openNext();
    await fill(next);
    await end();
    instance = next;
    server = await serve(next.context, () => {});
    schedule();
  };
  const schedule = () => {
    if (resetsAt !== null) timer = setTimeout(reset, (resetsAt - systemClock()) / 1_000);
  };
  schedule();
  let ended: Promise<void> | undefined;
  return {
    url,
    email: account.email,
    /** The password of the account `email`, for pages that ask for it before great changes. */
    password: account.password,
    submissions,
    /** Replaces the instance by a fresh one. */
    reset,
    /** Signs in. */
    link: `${url}/dashboard/demo${token === null ? '' : `?token=${token}`}`,
    /** Stops and deletes everything. May be called again. */
    stop: () => {
      ended ??= end();
      return ended;
    },
  };
}

/** Returns the next full hour that is at least ten minutes away. */
const nextReset = (now: Micros): Micros => Math.ceil((now + 10 * MINUTE) / HOUR) * HOUR;

async function open(
  env: Options['env'],
  access: Readonly<{ token: string | null; session: string; resetsAt: Micros | null }>,
  writeLog: Options['writeLog'],
) {
  // In memory where the system has a folder for that: syncing each submission would take half of the start.
  const parent = env.TMPDIR === undefined && existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const dataDir = mkdtempSync(join(parent, 'formstead-demo-'));
  const taken = Object.fromEntries(TAKEN.map((name) => [name, env[name]]));
  const settings = { ...SETTINGS, ...(access.resetsAt !== null && PUBLIC_SETTINGS), ...taken, DATA_DIR: dataDir };
  const clock: DemoClock = { at: null };
  const mailer = new MemoryMailer(MAX_MAILS);
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  try {
    const context = await openContext({
      config: loadConfig(settings),
      secrets: loadSecrets(settings, () => ''),
      ...{ writeLog, prettyLog: true, mailer, serving: true },
      clock: () => clock.at ?? systemClock(),
      demo: { ...access, mailer },
    });
    const close = async () => {
      await context.close();
      remove();
    };
    return { context, clock, close };
  } catch (error) {
    remove();
    throw error;
  }
}
