import { rmSync } from 'node:fs';
import { json, type Resource } from '../../test/cli/command-line.ts';
import { formstead, spawnServer } from '../../test/support/process.ts';
import { startSmtp } from '../../test/support/smtp.ts';
import { until } from '../../test/support/until.ts';
import { type Figures, Flood } from './flood.ts';
import { createTestData, newFolder, readMetrics, WAIT_TIMEOUT_MS } from './harness.ts';

/**
 * A flood of a form with `recipients` by `bodies` in turn. `everyMs` and `otherEveryMs` are the intervals of posts to
 * that form and to another team's, and `mailMs` is the time that the mail server takes for a mail.
 */
type Size = Readonly<{
  posts: number;
  bodies: readonly string[];
  recipients: number;
  everyMs: number;
  otherEveryMs: number;
  mailMs: number;
  minMs: number;
}>;

/** Figures of a flood, the notifications it caused, and the milliseconds until each notification of another team. */
export type MailFigures = Figures & Readonly<{ notifications: number; delays: readonly number[] }>;

const OTHER = 'other@team.example';
/** Below the limit of notifications per hour. */
const MAX_OTHER = 50;

/** Floods a form while another team's form gets a post at intervals. Ends when no mail is queued. */
export async function floodMail(load: string, size: Size): Promise<MailFigures> {
  const folder = newFolder();
  const smtp = await startSmtp();
  smtp.onMoment(({ stage }) => (stage === 'END' ? Bun.sleep(size.mailMs).then(() => undefined) : undefined));
  const { formId, otherFormId } = await createForms(folder, size.recipients);
  const mailSettings = { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' };
  const server = await spawnServer(folder, { TRUSTED_PROXIES: '127.0.0.1', ...mailSettings });
  const run = new Flood(server, size.minMs);
  const delays: number[] = [];
  const postToOther = async () => {
    await run.post(otherFormId, '{"message":"Hello"}');
    const began = performance.now();
    const isDelivered = () => smtp.mails.filter(({ to }) => to.includes(OTHER)).length > delays.length;
    await until(isDelivered, "the other team's mail", WAIT_TIMEOUT_MS);
    delays.push(performance.now() - began);
  };
  const isSent = async () => {
    const metrics = await readMetrics(server);
    return ['queued', 'retrying'].every((state) => metrics.get(`formstead_outbox_mails{state="${state}"}`) === 0);
  };
  try {
    await run.load(load, async () => {
      let isFlooding = true;
      const flooded = flood(run, formId, size).finally(() => {
        isFlooding = false;
      });
      do {
        if (delays.length < MAX_OTHER) await postToOther();
        await Bun.sleep(size.otherEveryMs);
      } while (isFlooding || !(await isSent()));
      await flooded;
    });
    const [figures] = run.figures;
    if (!figures) throw new Error('There are no figures.');
    return { ...figures, notifications: smtp.mails.length - delays.length, delays };
  } finally {
    run.close();
    await server.end();
    await smtp.stop();
    rmSync(folder, { recursive: true });
  }
}

async function createForms(dataDir: string, recipients: number) {
  const create = (...args: string[]) => json<Resource>(dataDir, args, {}, formstead);
  const { formId } = await createTestData(dataDir);
  const notified = Array.from({ length: recipients }, (_, index) => `r${index}@shop.example`).join();
  await create('form', 'update', formId, '--notify', notified);
  const team = await create('team', 'create', '--name', 'Other');
  const workspace = await create('workspace', 'create', '--team', team.id, '--name', 'Other');
  const other = await create('form', 'create', '--workspace', workspace.id, '--name', 'Other', '--notify', OTHER);
  return { formId, otherFormId: other.id };
}

/** Sends the posts at their intervals, without waiting for earlier answers. */
async function flood(run: Flood, formId: string, { posts, bodies, everyMs }: Size): Promise<void> {
  const began = performance.now();
  const answers: Array<Promise<number>> = [];
  for (let n = 0; n < posts; n++) {
    await Bun.sleep(Math.max(0, began + n * everyMs - performance.now()));
    answers.push(run.post(formId, bodies[n % bodies.length] ?? ''));
  }
  await Promise.all(answers);
}
