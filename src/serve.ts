import { createApp } from './app.ts';
import type { Context } from './context.ts';
import { AppError, SetupError } from './domain/errors.ts';
import type { Form } from './domain/form.ts';
import { refusal } from './http/envelope.ts';
import { IDLE_SECONDS } from './http/idle-timeout.ts';
import { reachableHost } from './lib/reachable-host.ts';
import { createWelcomeLink } from './services/accounts.ts';
import { recordAction, SYSTEM } from './services/audit.ts';
import { createFirstForm } from './services/forms.ts';
import { keyFileNotice } from './vault/unlock.ts';

/**
 * A server that takes requests. `stop` finishes those under way, for at most so long: ten seconds if not told. Meanwhile the
 * mails under way end too; closing the context waits for them.
 */
export type Server = Readonly<{ url: string; stop: (withinMs?: number) => Promise<void> }>;

const STOP_MS = 10_000;

/**
 * Listens, and on an empty data directory makes the first form; as long as nobody has an account, makes a link to create
 * one. `say` takes what only a person needs to read, and may. Throws `SetupError` if the address cannot be had; the context
 * is still open then.
 */
export async function serve(context: Context, say: (text: string) => void): Promise<Server> {
  const { config, store, log } = context;
  const app = createApp(context);
  try {
    app.listen({
      hostname: config.host,
      port: config.port,
      reusePort: false,
      idleTimeout: IDLE_SECONDS,
      // Ours answers in words; this one would send an empty 413 first.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      // The last resort, should the error handling itself fail: Bun's own page would show the code.
      development: false,
      error: () => refusal(new AppError('internal_error', 'Something went wrong here.'), {}),
    });
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : 'unknown';
    throw new SetupError(
      `cannot listen on ${config.host} port ${config.port} (${reason}); set HOST or PORT to another.`,
    );
  }
  const { server } = app;
  if (!server) throw new SetupError('the server did not start.');
  const url = config.baseUrl ?? `http://${reachableHost(config.host)}:${server.port}`;
  // Only now: what a start that fails makes is told to no one.
  const firstForm = await createFirstForm({ ...context, plans: config.plans });

  const teams = await store.listTeams();
  for (const team of teams) {
    if (!Object.hasOwn(config.plans, team.plan))
      log.warn('PLANS does not define the plan of a team', { team: team.id });
  }
  if (firstForm) {
    const details = { workspace_id: firstForm.workspaceId, form_id: firstForm.id };
    const teamIds = teams.map(({ id }) => id);
    await recordAction(context, { teamIds, actor: SYSTEM, action: 'team.created', details });
    // Said with the first form, not with the file: the start that made the file may have been refused.
    if (context.keyFile) say(keyFileNotice(context.keyFile.path));
    log.info('first form made', { form: firstForm.id, endpoint: endpointOf(url, firstForm) });
  }
  const [team] = teams;
  if (team && !(await store.hasUsers())) {
    const { token } = await createWelcomeLink(context, team.id);
    await recordAction(context, { teamIds: [team.id], actor: SYSTEM, action: 'welcome_link.made' });
    say(welcome(`${url}/dashboard/welcome/${token}`));
  }
  if (firstForm) say(snippet(url, endpointOf(url, firstForm)));
  if (!context.mail) log.info('no mail is sent: SMTP_URL is not set');
  log.info('listening', { url, port: server.port ?? config.port, key_file: context.keyFile?.path });

  return {
    url,
    stop: async (withinMs = STOP_MS) => {
      const finished = server.stop(false);
      context.mail?.outbox.end().catch(() => {});
      const deadline = performance.now() + withinMs;
      while (server.pendingRequests > 0 && performance.now() < deadline) await Bun.sleep(10);
      await Promise.race([Promise.all([server.stop(true), finished]), Bun.sleep(1_000)]);
    },
  };
}

function endpointOf(url: string, { shortId }: Form): string {
  return `${url}/v1/forms/${shortId}/submissions`;
}

function welcome(link: string): string {
  return `
Open this in your browser to create your account. It works once, for 24 hours:

  ${link}

`;
}

function snippet(url: string, endpoint: string): string {
  return `
Your first form is ready. Point your page at it:

  <form action="${endpoint}" method="post" data-formstead>
    <label>E-mail <input type="email" name="email" required></label>
    <label>Message <textarea name="message" required></textarea></label>
    <input name="_gotcha" tabindex="-1" autocomplete="off" aria-hidden="true" style="display:none">
    <button>Send</button>
  </form>
  <script src="${url}/formstead.js" defer></script>

or try it:

  curl ${endpoint} -d email=ada@example.com -d message=Hello

`;
}
