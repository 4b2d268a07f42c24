import { FROM_SOURCE, formstead } from '../../test/support/process.ts';
import { showSpread, spreadOf } from './report.ts';
import { goal, LOAD_HEAD, loadCells, ROUNDS, runRounds, SECONDS, timesAsFast } from './rounds.ts';
import type { Bench } from './run.ts';
import { type BenchServer, PRODUCT, startServer } from './servers.ts';
import { startSink } from './smtp-sink.ts';
import { runWrk } from './wrk.ts';

const CONNECTIONS = [1, 8, 64, 256, 512];
const BARE = 'bare Bun.serve: reads, answers';
const OURS = 'Formstead: durable, sealed, counted, scored';
const ONE_COMMIT = 'the same, one commit per submission';

/** Kinds of posts that `post.lua` sends, with their titles. */
const KINDS = {
  urlencoded: 'urlencoded, 170 bytes',
  json: 'JSON, 176 bytes',
  multipart: 'multipart, 442 bytes',
  file: 'multipart with a file of 100 KiB',
} as const;

/** The goals as shares of the bare server's throughput, by connections. */
const GOALS = { 64: 0.3, 256: 0.35 };
const FILE_GOALS = { 64: 0.09, 256: 0.09 };

/** Measures accepted submissions in each encoding, with a file and with mail. */
export async function posts({ report, fresh }: Bench): Promise<void> {
  const bare = await startServer('bare.ts', '');
  const compare = async (title: string, kind: keyof typeof KINDS, servers: Readonly<Record<string, BenchServer>>) => {
    report.section(title, ...(await measure(kind, { [BARE]: bare, ...servers })));
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  };
  for (const [kind, title] of Object.entries(KINDS) as Array<[keyof typeof KINDS, string]>) {
    const ours = { [OURS]: await startServer(PRODUCT, fresh()) };
    const others = kind === 'urlencoded' ? { [ONE_COMMIT]: await startServer('one-commit.ts', fresh()) } : {};
    await compare(`Accepted submissions: ${title}`, kind, { ...ours, ...others });
  }
  const sink = await startSink();
  const mailing = await startMailing(fresh(), sink.url);
  await compare('Accepted submissions: urlencoded, with a mail queued and sent for each', 'urlencoded', {
    [OURS]: mailing,
  });
  sink.stop();
  await bare.stop();
}

/** Returns the rows and notes of a table. */
async function measure(
  kind: keyof typeof KINDS,
  servers: Readonly<Record<string, BenchServer>>,
): Promise<[rows: string[][], notes: string[]]> {
  const rows = [['connections', 'contender', ...LOAD_HEAD, 'of the bare server']];
  const goals: string[] = [];
  for (const connections of CONNECTIONS) {
    const run = (server: BenchServer) => () =>
      runWrk(server.url, { connections, seconds: SECONDS, script: 'post.lua', args: [kind] });
    const contenders = Object.entries(servers).map(([name, server]) => [name, run(server)] as const);
    const loads = await runRounds(`${kind}, ${connections} connections`, Object.fromEntries(contenders));
    const { [BARE]: bare = [], [OURS]: ours = [], [ONE_COMMIT]: oneCommit } = loads;
    for (const [name, own] of Object.entries(loads)) {
      rows.push([String(connections), name, ...loadCells(own), showSpread(timesAsFast(own, bare), 2)]);
    }
    const at = `at ${connections} ${connections === 1 ? 'connection' : 'connections'}`;
    const share = new Map(Object.entries(kind === 'file' ? FILE_GOALS : GOALS)).get(String(connections));
    if (share !== undefined) {
      goals.push(goal(`at least ${share} of the bare server ${at}`, timesAsFast(ours, bare), (x) => x >= share));
    }
    goals.push(goal(`p99 below 5 times p50 ${at}`, spreadOf(ours.map(({ p50, p99 }) => p99 / p50)), (x) => x < 5));
    if (oneCommit && connections === 64) {
      goals.push(goal(`at least 5 times one commit per submission ${at}`, timesAsFast(ours, oneCommit), (x) => x >= 5));
    }
  }
  const command = `wrk -t1 -c<connections> -d${SECONDS}s -s .ci/bench/post.lua <address> -- ${kind}`;
  return [rows, [...goals, `Command: ${command}; ${ROUNDS} rounds. wrk shares the cores with the measured server.`]];
}

/** Starts a server whose form sends a notification for each submission. */
async function startMailing(dataDir: string, smtpUrl: string): Promise<BenchServer> {
  const make = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await formstead(dataDir, [...args, '--json'], {}, FROM_SOURCE);
    if (!stdout) throw new Error(stderr);
    return (JSON.parse(stdout) as { id: string }).id;
  };
  await make('init');
  const team = await make('team', 'create', '--name', 'Team', '--plan', 'unlimited');
  const workspace = await make('workspace', 'create', '--team', team, '--name', 'Workspace');
  const form = await make('form', 'create', '--workspace', workspace, '--name', 'A', '--notify', 'o@x.example');
  const server = await startServer(PRODUCT, dataDir, { env: { SMTP_URL: smtpUrl, MAIL_FROM: 'forms@mail.example' } });
  return { ...server, url: `${server.url}/v1/forms/${form}/submissions` };
}
