import { memoryUsage } from 'bun:jsc';
import { Elysia } from 'elysia';
import packageJson from '../../package.json' with { type: 'json' };
import type { Context } from '../context.ts';
import type { ErrorCode } from '../domain/errors.ts';
import { requireMetricsAccess } from '../http/metrics-auth';
import { SUBMIT_CODES } from '../http/openapi/public-operations.ts';
import type { RequestCounts } from '../http/request-counts.ts';
import type { PostCounts } from '../intake/post-counts.ts';
import { SECOND } from '../lib/clock.ts';
import { formatMetrics, type Labels, METRICS_CONTENT_TYPE, type Metric } from '../lib/prometheus';

/** So many mails of a state are counted and no more. */
const MOST_MAILS = 1_000;

/** `/metrics`, for Prometheus and what reads the same. */
export function metricsRoutes(context: Context, posts: PostCounts, requests: RequestCounts) {
  return new Elysia().get('/metrics', async ({ request, server }) => {
    requireMetricsAccess(request, server, context.metricsToken);
    const metrics = [
      ...ofPosts(posts),
      counter('formstead_http_requests_total', 'Requests that were answered', requests.read()),
      ...(await ofStorage(context)),
      ...ofProcess(context),
    ];
    return new Response(formatMetrics(metrics), {
      headers: { 'Content-Type': METRICS_CONTENT_TYPE, 'Cache-Control': 'no-store' },
    });
  });
}

function ofPosts({ accepted, flagged, replayed, honeypotHits, refused }: PostCounts): Metric[] {
  // A series that begins with its first event hides that event from `increase`.
  const reasons = new Map<ErrorCode, number>([...SUBMIT_CODES.map((code) => [code, 0] as const), ...refused]);
  return [
    counter('formstead_submissions_accepted_total', 'Submissions kept', accepted),
    counter('formstead_submissions_flagged_total', 'Submissions kept that were flagged as spam', flagged),
    counter('formstead_submissions_replayed_total', 'Posts that had been kept before under their key', replayed),
    counter(
      'formstead_submissions_refused_total',
      'Posts that were refused, by the code of the answer',
      Array.from(reasons, ([reason, count]) => [{ reason }, count] as const),
    ),
    counter('formstead_honeypot_hits_total', 'Posts that were dropped by a honeypot', honeypotHits),
  ];
}

async function ofStorage({ store, clock, commits, freeBytes }: Context): Promise<Metric[]> {
  const { mails, firstDue, databaseBytes, logBytes } = await store.measure(MOST_MAILS);
  const late = firstDue === null ? 0 : Math.max(0, clock() - firstDue) / SECOND;
  return [
    histogram('formstead_commit_submissions', 'Submissions that one commit held', commits.submissions),
    histogram('formstead_commit_seconds', 'How long a commit took, with its sync', commits.seconds),
    gauge(
      'formstead_outbox_mails',
      `Mails by state, counted to ${MOST_MAILS}`,
      mails.map(([state, count]) => [{ state }, count] as const),
    ),
    gauge('formstead_outbox_oldest_due_seconds', 'For how long the mail that waits longest has been due', late),
    gauge('formstead_database_bytes', 'Size of the database', databaseBytes),
    gauge('formstead_wal_bytes', 'Size of its write-ahead log', logBytes),
    gauge('formstead_disk_free_bytes', 'What is free where the data directory lies', freeBytes()),
  ];
}

function ofProcess({ heartbeat }: Context): Metric[] {
  const build = [[{ version: packageJson.version, bun: Bun.version }, 1]] as const;
  return [
    histogram('formstead_event_loop_lag_seconds', 'How late a timer came that is set every second', heartbeat.lag),
    gauge('process_resident_memory_bytes', 'Memory of the process', memoryUsage().current),
    gauge('process_start_time_seconds', 'When the process began', performance.timeOrigin / 1000),
    gauge('formstead_build_info', 'Which Formstead runs, on which Bun', build),
  ];
}

type Samples = number | ReadonlyArray<readonly [labels: Labels, value: number]>;

function counter(name: string, help: string, samples: Samples): Metric {
  return { name, help, type: 'counter', samples: typeof samples === 'number' ? [[{}, samples]] : samples };
}

function gauge(name: string, help: string, samples: Samples): Metric {
  return { name, help, type: 'gauge', samples: typeof samples === 'number' ? [[{}, samples]] : samples };
}

function histogram(name: string, help: string, observed: Context['heartbeat']['lag']): Metric {
  return { name, help, type: 'histogram', histogram: observed };
}
