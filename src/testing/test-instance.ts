import { resolve } from 'node:path';
import { loadSettings } from '../config/config.ts';
import { type Context, openContext } from '../context/context.ts';
import { AppError, InvalidFileError, notFound } from '../domain/errors.ts';
import type { Form } from '../domain/forms/form.ts';
import type { Micros } from '../lib/clock.ts';
import { type KeptMail, MemoryMailer } from '../mail/memory-mailer.ts';
import { type Server, serve } from '../serve.ts';
import { createKey } from '../services/keys/api-keys.ts';
import { SetupDocument } from '../services/setup/document.ts';
import { planSetup } from '../services/setup/plan.ts';
import { type DeletedCounts, deleteBatches } from '../services/submissions/delete-batches.ts';
import { serializeSubmission } from '../services/submissions/serialize-submission.ts';
import { createTeam } from '../services/teams/teams.ts';

/** Settings of the server: a free port, no limits that tests could reach, and mail in memory. */
const ENVIRONMENT = {
  PORT: '0',
  MIN_FREE_BYTES: '0',
  POSTS_PER_MINUTE: '0',
  UPLOAD_BYTES_PER_MINUTE: '0',
  UPLOAD_BYTES_PER_HOUR: '0',
  READS_PER_MINUTE: '0',
  WRITES_PER_MINUTE: '0',
  PAGES_PER_MINUTE: '0',
  ALLOWED_PRIVATE_HOSTS: 'localhost,127.0.0.1,::1',
  MAIL_FROM: 'Formstead <formstead@example.com>',
  // The mailer in memory replaces it.
  SMTP_URL: 'smtp://127.0.0.1',
};
const POLL_MS = 5;

type Options = Readonly<{
  dataDir: string;
  /** Entries of the setup file. */
  forms: readonly unknown[];
  /** Folder at which `file:PATH` references begin. */
  folder: string;
  variable: (name: string) => string | undefined;
  writeLog: (line: string) => void;
}>;

export type Submission = ReturnType<typeof serializeSubmission>;

/** A server with the forms of a test. Methods take a form by its index in the settings. */
export class TestInstance {
  /** Creation times of the last submissions that `nextSubmission` returned, by form id. */
  readonly #returned = new Map<string, Micros>();

  private constructor(
    private readonly context: Context,
    private readonly server: Server,
    private readonly mailer: MemoryMailer,
    private readonly forms: readonly Form[],
    readonly apiKey: string,
  ) {}

  /** Starts a server on a free port. Throws `AppError` for wrong settings of a form. */
  static async start({ dataDir, writeLog, ...setup }: Options): Promise<TestInstance> {
    const mailer = new MemoryMailer();
    const env = { ...ENVIRONMENT, DATA_DIR: dataDir };
    const settings = loadSettings(env, () => '');
    const context = await openContext({ ...settings, writeLog, prettyLog: false, mailer, serving: true });
    const deps = { ...context, plans: context.config.plans };
    const { id: teamId } = await createTeam(deps, 'Tests', 'unlimited');
    const forms = await createForms(context, teamId, setup);
    const key = { teamId, name: 'Tests', scope: 'read_write', expiresAt: null, createdBy: null } as const;
    const { secret } = await createKey(deps, key);
    const server = await serve(context, () => {});
    return new TestInstance(context, server, mailer, forms, secret);
  }

  get url(): string {
    return this.server.url;
  }

  get formIds(): string[] {
    return this.forms.map(({ id }) => id);
  }

  /** Returns all submissions of a form, oldest first. */
  async submissions(form: number): Promise<Submission[]> {
    const submissions: Submission[] = [];
    for (let [page, last] = await this.#page(form, 0); last > 0; [page, last] = await this.#page(form, last)) {
      submissions.push(...page.map((stored) => serializeSubmission(this.context, stored)));
    }
    return submissions;
  }

  /** Returns the oldest submission that no earlier call returned. Waits for it; returns null after `timeoutMs`. */
  async nextSubmission(form: number, timeoutMs: number): Promise<Submission | null> {
    const { id } = this.#form(form);
    for (const deadline = performance.now() + timeoutMs; ; await Bun.sleep(POLL_MS)) {
      const [page] = await this.#page(form, this.#returned.get(id) ?? 0);
      // Another call may have returned the first ones of the page meanwhile.
      const next = page.find(({ createdAt }) => createdAt > (this.#returned.get(id) ?? 0));
      if (next) {
        this.#returned.set(id, next.createdAt);
        return serializeSubmission(this.context, next);
      }
      if (performance.now() >= deadline) return null;
    }
  }

  /** Returns all mails, oldest first, after sending the queued ones. */
  async mails(): Promise<ReadonlyArray<Pick<KeptMail, 'to' | 'replyTo' | 'subject' | 'text' | 'html'>>> {
    await this.context.mail.outbox.drain();
    return this.mailer.mails.map(({ to, replyTo, subject, text, html }) => ({ to, replyTo, subject, text, html }));
  }

  /** Deletes the submissions of all forms and all mails. */
  async clear(): Promise<void> {
    const { store, blobs } = this.context;
    await this.mails();
    const counts: DeletedCounts = { submissions: 0, files: 0, mails: 0 };
    const { signal } = new AbortController();
    for (const { id } of this.forms) {
      await deleteBatches(blobs, () => store.retention.deleteOlder(id, Number.MAX_SAFE_INTEGER), counts, signal);
    }
    this.mailer.mails = [];
  }

  /** Stops listening and aborts requests. Leaves the data directory to the caller. */
  stop(): Promise<void> {
    return this.server.stop(0);
  }

  /** Returns the next submissions after a time, oldest first, and the time of the last one; 0 at the end. */
  async #page(form: number, after: Micros) {
    const span = { formId: this.#form(form).id, state: 'all', from: 0, until: Number.MAX_SAFE_INTEGER } as const;
    const page = await this.context.store.exports.listPage(span, after);
    return [page, page.at(-1)?.createdAt ?? 0] as const;
  }

  #form(index: number): Form {
    const form = this.forms[index];
    if (!form) throw notFound('There is no such form.');
    return form;
  }
}

type Setup = Pick<Options, 'forms' | 'folder' | 'variable'>;

/** Creates forms as `formstead apply` does. Throws `AppError` with the messages of the setup file. */
async function createForms(context: Context, teamId: string, setup: Setup): Promise<readonly Form[]> {
  const { store, vault, clock, network } = context;
  const references = {
    variable: setup.variable,
    readFile: (path: string, maxBytes: number) => Bun.file(resolve(setup.folder, path)).slice(0, maxBytes).bytes(),
  };
  try {
    const document = new SetupDocument('forms', Buffer.from(documentText(setup.forms)));
    const before = await store.setup.read(teamId);
    const deps = { vault, clock, network, references };
    const plan = await planSetup(deps, document, before, { teamId, prune: false, store });
    await store.setup.apply(teamId, before, plan.store, clock());
    return plan.store.newForms;
  } catch (error) {
    if (!(error instanceof InvalidFileError)) throw error;
    const messages = error.faults.map(({ line, message }) => `${getPlace(setup.forms, line)}: ${message}`);
    throw new AppError('invalid_input', messages.join('\n'));
  }
}

/** Lines of the document before the first form. */
const HEAD_LINES = 1;

/** Returns a setup file with one form per line, so that the line of a fault tells the form. */
function documentText(forms: readonly unknown[]): string {
  return `{"workspaces":[{"name":"Tests","forms":[\n${forms.map((form) => JSON.stringify(form)).join(',\n')}\n]}]}`;
}

/** Returns the place of a fault, such as `forms[0] ("contact")`. */
function getPlace(forms: readonly unknown[], line: number): string {
  const index = line - HEAD_LINES - 1;
  const { name } = (forms[index] ?? {}) as Readonly<{ name?: unknown }>;
  return typeof name === 'string' ? `forms[${index}] (${JSON.stringify(name)})` : `forms[${index}]`;
}
