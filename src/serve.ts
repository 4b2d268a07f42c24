import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { createApp } from './app.ts';
import type { Context } from './context/context.ts';
import { AppError, SetupError } from './domain/errors.ts';
import { refusal } from './http/envelope.ts';
import { IDLE_SECONDS } from './http/idle-timeout.ts';
import { reachableHost } from './lib/reachable-host.ts';
import { recordAction, SYSTEM } from './services/audit/audit.ts';
import { createFirstForm } from './services/forms/forms.ts';
import { createWelcomeLink } from './services/users/accounts.ts';
import { keyFileNotice } from './vault/unlock.ts';

/**
 * A listening server. `drain` makes `/readyz` answer 503 at once, and resolves after the time for load balancers to
 * notice, in which the server goes on serving. `stop` waits for running requests up to `withinMs`, by default 10 s, and ends the outbox; closing
 * the context waits for running deliveries.
 */
export type Server = Readonly<{ url: string; drain: () => Promise<void>; stop: (withinMs?: number) => Promise<void> }>;

const STOP_MS = 10_000;

/**
 * Starts listening. Creates the first form in an empty data directory, and a link to create an account while there are
 * no users; `print` receives these confidential messages. Throws `SetupError` if listening fails, and leaves the
 * context open.
 */
export async function serve(context: Context, print: (text: string) => void): Promise<Server> {
  const { config, store, log } = context;
  await requireKnownHost(config.host);
  const draining = { isDraining: false };
  const app = createApp(context, draining);
  try {
    app.listen({
      hostname: config.host,
      port: config.port,
      reusePort: false,
      idleTimeout: IDLE_SECONDS,
      // Body limits are enforced by the routes; Bun's own limit would answer with an empty 413.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      // Fallback if the error handling itself fails: Bun's error page would show source code.
      development: false,
      error: () => refusal(new AppError('internal_error', 'Something went wrong here.'), {}),
    });
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : 'unknown';
    throw new SetupError(
      `Could not listen on ${config.host} port ${config.port} (${reason}). Set HOST or PORT to another value.`,
    );
  }
  const { server } = app;
  if (!server) throw new SetupError('The server did not start.');
  const url = config.baseUrl ?? `http://${reachableHost(config.host)}:${server.port}`;
  // Create the first form only after listening succeeded: a failed start would never show it.
  const firstForm = await createFirstForm({ ...context, plans: config.plans });

  const teams = await store.teams.list();
  for (const team of teams) {
    if (!Object.hasOwn(config.plans, team.plan))
      log.warn('PLANS does not define the plan of a team', { team: team.id });
  }
  if (firstForm) {
    const details = { workspace_id: firstForm.workspaceId, form_id: firstForm.id };
    const teamIds = teams.map(({ id }) => id);
    await recordAction(context, { teamIds, actor: SYSTEM, action: 'team.created', details });
  }
  const [team] = teams;
  // One of several processes that start at once makes the link.
  if (team && !(await store.users.exist()) && (await store.instances.lead())) {
    const { token } = await createWelcomeLink(context, team.id);
    await recordAction(context, { teamIds: [team.id], actor: SYSTEM, action: 'welcome_link.made' });
    print(welcome(`${url}/dashboard/welcome/${token}`));
  }
  if (firstForm) {
    const endpoint = `${url}/v1/forms/${firstForm.shortId}/submissions`;
    print(firstSteps(endpoint));
    // Shown with the first form, not when the file is created: that start may have failed.
    if (context.keyFile) print(`${keyFileNotice(context.keyFile.path)}\n`);
    log.info('first form created', { form: firstForm.id, endpoint });
  }
  if (context.mail.sender === null) log.info('mail is disabled: no mail server is set up');
  log.info('listening', { url, port: server.port ?? config.port, key_file: context.keyFile?.path });

  return {
    url,
    drain: async () => {
      const seconds = config.shutdownDelaySeconds;
      draining.isDraining = true;
      if (seconds === 0) return;
      log.info('draining', { seconds });
      await Bun.sleep(seconds * 1_000);
    },
    stop: async (withinMs = STOP_MS) => {
      const finished = server.stop(false);
      for (const engine of [context.mail.outbox, context.webhooks]) engine?.stop().catch(() => {});
      const deadline = performance.now() + withinMs;
      while (server.pendingRequests > 0 && performance.now() < deadline) await Bun.sleep(10);
      await Promise.race([Promise.all([server.stop(true), finished]), Bun.sleep(1_000)]);
    },
  };
}

/** Throws `SetupError` if HOST is a name without an address: listening would report an unrelated reason. */
async function requireKnownHost(host: string): Promise<void> {
  if (isIP(host)) return;
  await lookup(host).catch(({ code }) => {
    throw new SetupError(
      `HOST (${host}) has no address (${code}). Set HOST to an address of this machine, such as 127.0.0.1 or 0.0.0.0.`,
    );
  });
}

function welcome(link: string): string {
  return `
Open this in your browser to create your account. It works once, for 24 hours:

  ${link}

`;
}

function firstSteps(endpoint: string): string {
  return `It leads you through the first steps. To try the first form from a terminal:

  curl ${endpoint} -d email=ada@example.com -d message=Hello

`;
}
