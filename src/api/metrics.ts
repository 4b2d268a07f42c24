import { memoryUsage } from 'bun:jsc';
import { readdirSync, readFileSync } from 'node:fs';
import { cpuUsage } from 'node:process';
import { Elysia } from 'elysia';
import packageJson from '../../package.json' with { type: 'json' };
import type { Context } from '../context/context.ts';
import type { ServerContext } from '../context/server-context.ts';
import type { ErrorCode } from '../domain/errors.ts';
import { requireMetricsAccess } from '../http/metrics-auth.ts';
import type { RequestCounts } from '../http/request-counts.ts';
import type { PostCounts } from '../intake/accept.ts';
import { SECOND } from '../lib/clock.ts';
import { formatMetrics, type Labels, METRICS_CONTENT_TYPE, type Metric } from '../lib/prometheus.ts';
import { newestBackup } from '../services/backups/backups.ts';
import { instanceChecks } from '../services/instance/checks/checks.ts';
import { SUBMIT_CODES } from './openapi/public-operations.ts';

/** Limit of the count of mails per state. */
const MAX_MAILS = 1_000;
const NO_ATTEMPTS = { attempts: { sent: 0, retried: 0, failed: 0 } };

/** Registers `/metrics` in the Prometheus text format. */
export function metricsRoutes(context: ServerContext, requests: RequestCounts) {
  return new Elysia().get('/metrics', async ({ request, server }) => {
    requireMetricsAccess(request, server, context);
    const metrics = [
      ...postMetrics(context.intake.counts),
      counter('formstead_http_requests_total', 'HTTP requests', requests.read()),
      gauge('formstead_body_memory_bytes', 'Memory that unfinished request bodies hold', context.bodies.used),
      ...(await storageMetrics(context)),
      await backupMetric(context),
      await checkMetric(context),
      ...processMetrics(context),
    ];
    const labels = context.instanceName === null ? {} : { instance: context.instanceName };
    return new Response(formatMetrics(metrics, labels), {
      headers: { 'Content-Type': METRICS_CONTENT_TYPE, 'Cache-Control': 'no-store' },
    });
  });
}

function postMetrics({ accepted, flagged, maybeSpam, replayed, honeypotHits, refused }: PostCounts): Metric[] {
  // Series start at 0, since `increase` ignores the first value of a new series.
  const reasons = new Map<ErrorCode, number>([...SUBMIT_CODES.map((code) => [code, 0] as const), ...refused]);
  const refusals = Array.from(reasons, ([reason, count]) => [{ reason }, count] as const);
  return [
    counter('formstead_submissions_accepted_total', 'Accepted submissions', accepted),
    counter('formstead_submissions_flagged_total', 'Accepted submissions flagged as spam', flagged),
    counter('formstead_submissions_maybe_spam_total', 'Accepted submissions that may be spam', maybeSpam),
    counter('formstead_submissions_replayed_total', 'Repeated posts with a known Idempotency-Key', replayed),
    counter('formstead_submissions_refused_total', 'Refused posts by error code', refusals),
    counter('formstead_honeypot_hits_total', 'Posts dropped by a honeypot', honeypotHits),
  ];
}

async function storageMetrics({ store, mail, webhooks, clock, commits, freeBytes }: Context): Promise<Metric[]> {
  const { mails, nextDueAt, databaseBytes, logBytes } = await store.upkeep.readStats(MAX_MAILS);
  const states = mails.map(([state, count]) => [{ state }, count] as const);
  const deliveries = await store.webhooks.readStats(MAX_MAILS);
  const failing = (await store.webhooks.listFailing(MAX_MAILS)).length;
  const lost = (await store.formChecks.listFailingPages(MAX_MAILS)).length;
  const { machines } = await store.upkeep.readDurability();
  const getDelay = (dueAt: number | null) => (dueAt === null ? 0 : Math.max(0, clock() - dueAt) / SECOND);
  const delay = getDelay(deliveries.oldestDueAt);
  return [
    histogram('formstead_commit_submissions', 'Submissions per commit', commits.submissions),
    histogram('formstead_commit_seconds', 'Duration of a commit with its sync', commits.seconds),
    counter('formstead_mails_total', 'Attempts to send a mail by result', byResult(mail.outbox)),
    gauge('formstead_outbox_mails', `Mails by state, counted up to ${MAX_MAILS}`, states),
    gauge('formstead_outbox_oldest_due_seconds', 'Delay of the oldest due mail', getDelay(nextDueAt)),
    counter('formstead_webhook_deliveries_total', 'Attempts to deliver to a webhook by result', byResult(webhooks)),
    gauge('formstead_webhook_queue', `Queued deliveries to webhooks, counted up to ${MAX_MAILS}`, deliveries.queued),
    gauge('formstead_webhook_oldest_due_seconds', 'Delay of the oldest due delivery to a webhook that answers', delay),
    gauge('formstead_webhooks_failing', 'Webhooks that failed three times in a row or were disabled', failing),
    gauge('formstead_form_pages_failing', 'Watched pages that lost their form', lost),
    gauge('formstead_database_bytes', 'Size of the database', databaseBytes),
    gauge('formstead_acknowledged_machines', 'Machines that store a submission before it is acknowledged', machines),
    gauge('formstead_wal_bytes', 'Size of the write-ahead log', logBytes),
    gauge('formstead_disk_free_bytes', 'Free space on the disk of the data directory', freeBytes()),
  ];
}

function byResult({ attempts }: Pick<Context['webhooks'], 'attempts'> = NO_ATTEMPTS): Samples {
  return Object.entries(attempts).map(([result, count]) => [{ result }, count] as const);
}

/** Returns the time of the newest backup in BACKUP_DIR: 0 if there is none, no sample without scheduled backups. */
async function backupMetric({ config: { backupDir }, instanceName }: Context): Promise<Metric> {
  const folder = instanceName === null ? backupDir : null;
  const newest = folder === null ? null : await newestBackup(folder).catch(() => null);
  const samples = folder === null ? [] : (newest?.at ?? 0) / 1000;
  return gauge('formstead_last_backup_timestamp_seconds', 'Time of the newest backup in seconds since 1970', samples);
}

/** Returns the state of each check of the Status page, for the whole instance. */
async function checkMetric(context: Context): Promise<Metric> {
  const findings = await instanceChecks(context, null, true);
  const samples = findings.map(({ check, code, state }) => [{ check, code, state }, 1] as const);
  return gauge('formstead_check', 'Checks of the Status page with their states', samples);
}

function processMetrics({ heartbeat, release }: Context): Metric[] {
  const { cpuSeconds, openFiles, maxFiles } = processStats();
  const commit = release?.commit;
  const startedAt = performance.timeOrigin / 1000;
  const build = [[{ version: packageJson.version, ...(commit && { commit }), bun: Bun.version }, 1]] as const;
  return [
    histogram('formstead_event_loop_lag_seconds', 'Delay of a timer that fires every second', heartbeat.lag),
    counter('process_cpu_seconds_total', 'Processor time of the process', cpuSeconds),
    gauge('process_open_fds', 'Open files of the process', openFiles ?? []),
    gauge('process_max_fds', 'Limit of open files', maxFiles ?? []),
    gauge('process_resident_memory_bytes', 'Resident memory of the process', memoryUsage().current),
    gauge('process_start_time_seconds', 'Start time of the process in seconds since 1970', startedAt),
    gauge('formstead_build_info', 'Version of Formstead and of Bun', build),
  ];
}

type Samples = number | ReadonlyArray<readonly [labels: Labels, value: number]>;

const sampled =
  (type: 'counter' | 'gauge') =>
  (name: string, help: string, samples: Samples): Metric => ({
    ...{ name, help, type },
    samples: typeof samples === 'number' ? [[{}, samples]] : samples,
  });
const [counter, gauge] = [sampled('counter'), sampled('gauge')];

function histogram(name: string, help: string, observed: Context['heartbeat']['lag']): Metric {
  return { name, help, type: 'histogram', histogram: observed };
}

/** Reads processor time and open files of this process. Counts of files are null without Linux's /proc. */
function processStats() {
  const { user, system } = cpuUsage();
  const cpuSeconds = (user + system) / 1_000_000;
  try {
    // Reading the folder opens one more.
    const openFiles = readdirSync('/proc/self/fd').length - 1;
    const [, max] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return { cpuSeconds, openFiles, maxFiles: max === undefined ? null : Number(max) };
  } catch {
    return { cpuSeconds, openFiles: null, maxFiles: null };
  }
}
