import { Database } from 'bun:sqlite';
import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium, { inflate } from '@sparticuz/chromium';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium as playwright } from 'playwright-core';
import { limit } from '../support/speed.ts';

/** A browser that is relaunched after a crash of Chromium. */
export type TestBrowser = Readonly<{
  /** A new browser profile without pages. Launches Chromium if none runs. */
  newContext: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  closePages: () => Promise<void>;
  close: () => Promise<void>;
}>;

/** Timeout of waits in a page, shorter than that of a test so that its message is shown. */
const WAIT_MS = 0.9 * limit(10);

/**
 * Arguments of Chromium. Unlike those of the package they keep the security limits of a regular browser. The last two save the
 * GPU process and a spare renderer per page; sites still have separate processes.
 */
const ARGUMENTS = [
  ...['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP *.test 127.0.0.1'],
  ...['--in-process-gpu', '--renderer-process-limit=1'],
];

/** Number of tries: Chromium itself crashes at a start now and then (SIGSEGV). */
const LAUNCH_ATTEMPTS = 3;

/** Returns options for the package's Chromium, with the libraries and fonts that a bare machine lacks. */
export async function launchOptions(further: readonly string[] = []) {
  unpacked ??= unpack();
  const { executablePath, libraries } = await unpacked;
  const env = { ...Bun.env, LD_LIBRARY_PATH: join(libraries, 'lib'), FONTCONFIG_PATH: join(tmpdir(), 'fonts') };
  const ignoreDefaultArgs = hasRoomToShare() ? ['--disable-dev-shm-usage'] : [];
  return { executablePath, args: [...ARGUMENTS, ...further], ignoreDefaultArgs, env, timeout: limit(30) };
}

/** Launches Chromium from its package. The caller closes it. */
export async function launch(further: readonly string[] = []): Promise<Browser> {
  const options = await launchOptions(further);
  for (let attempt = 1; ; attempt++) {
    try {
      return await playwright.launch(options);
    } catch (error) {
      if (attempt === LAUNCH_ATTEMPTS || !String(error).includes('SIGSEGV')) throw error;
    }
  }
}

let unpacked: ReturnType<typeof unpack> | undefined;

/** Unpacks Chromium once, under a lock: the package would use a file that another process is still writing. */
async function unpack(): Promise<Readonly<{ executablePath: string; libraries: string }>> {
  const lock = new Database(join(tmpdir(), 'formstead-chromium-lock.db'));
  lock.run(`PRAGMA busy_timeout = ${limit(60)}`);
  lock.run('BEGIN EXCLUSIVE');
  try {
    const packed = new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium'));
    const [executablePath, libraries] = await Promise.all([chromium.executablePath(), inflate(fileURLToPath(packed))]);
    return { executablePath, libraries };
  } finally {
    lock.close();
  }
}

/** Returns whether /dev/shm has over 1 GB. It is faster than files, but containers often limit it to 64 MB. */
function hasRoomToShare(): boolean {
  const place = '/dev/shm';
  if (!existsSync(place)) return false;
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize > 2 ** 30;
}

/** Launches Chromium, and again after a crash. The caller closes it. */
export async function startBrowser(): Promise<TestBrowser> {
  let launching = launch();
  await launching;
  /** Returns a running browser other than `gone`. */
  const running = async (gone?: Browser) => {
    const known = launching;
    const browser = await known.catch(() => null);
    if (browser?.isConnected() && browser !== gone) return browser;
    // Only the first of several callers launches.
    if (launching === known) launching = launch();
    return launching;
  };
  return {
    newContext: async (options = {}) => {
      const own = { locale: 'en-GB', ...options };
      const browser = await running();
      // Right after a crash, the browser still counts as connected.
      const context = await browser.newContext(own).catch(async (error: unknown) => {
        if (!isGone(error)) throw error;
        return (await running(browser)).newContext(own);
      });
      context.setDefaultTimeout(WAIT_MS);
      return context;
    },
    closePages: async () => {
      const browser = await launching;
      const closed = await Promise.allSettled(browser.contexts().map((context) => context.close()));
      for (const result of closed) if (result.status === 'rejected' && !isGone(result.reason)) throw result.reason;
    },
    close: async () => {
      await (await launching).close();
    },
  };
}

/** Returns whether a call failed because the browser, context or page was closed. */
function isGone(error: unknown): boolean {
  return error instanceof Error && error.message.includes('has been closed');
}
