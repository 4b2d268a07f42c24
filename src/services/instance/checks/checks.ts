import { hasLimit, type Plan, planNamed } from '../../../domain/teams/plan.ts';
import type { Team } from '../../../domain/teams/team.ts';
import { getPeriod } from '../../../domain/usage.ts';
import { DAY, formatTime, type Micros } from '../../../lib/clock.ts';
import type { DurabilityReport } from '../../../storage/records.ts';
import type { Store } from '../../../storage/store.ts';
import { type BackupState, backupState } from '../../backups/backups.ts';
import * as teamAlerts from '../../teams/team-alerts.ts';
import { CHECK_TEXTS, type CheckTexts } from './texts.ts';

/** `off` means that an optional feature is not set up, `unknown` that the check could not be made now. */
export type CheckState = 'ok' | 'off' | 'unknown' | 'warning' | 'bad';
export type CheckName = Exclude<keyof CheckTexts, 'fixes'>;

/** Formats the parameters of a finding in the reader's language. */
export type CheckFormat = Readonly<{
  number: (value: number) => string;
  size: (bytes: number) => string;
  formatDay: (at: Micros) => string;
  formatTime: (at: Micros) => string;
  /** Formats a count up to `MAX_COUNT`. */
  count: (value: number) => string;
}>;

/** The result of a check. `code` names its text, which `text` returns with the parameters filled in. */
export type Finding = Readonly<{
  check: CheckName;
  code: string;
  state: CheckState;
  text: (texts: CheckTexts, format: CheckFormat) => string;
  /** The page of the dashboard or chapter of the manual that leads to the fix. */
  fix?: Readonly<{ href: string; label: keyof CheckTexts['fixes'] }>;
  /** The fix for the server's administrator, in English. */
  command?: string;
  /** Webhooks to name. */
  webhooks?: readonly teamAlerts.FailingWebhook[];
}>;

/** The result of a check before it has the name of the check. */
type Result = Omit<Finding, 'check'>;

function withNames(results: Partial<Record<CheckName, Result>>): Finding[] {
  return Object.entries(results).map(([check, result]) => ({ check: check as CheckName, ...result }));
}

/** Counts of mails stop here. */
export const MAX_COUNT = 100;
/** Share of a plan from which a team is warned. */
const NEARLY_FULL = 0.8;
/** Growth of a team's files in a day above which somebody may be filling the disk. */
const FAST_GROWTH_BYTES = 5_000_000_000;

/** The sender of `mail` is null without a mail server, `keyFile` with ENCRYPTION_KEY. */
type Deps = Parameters<typeof backupState>[0] &
  Parameters<typeof teamAlerts.listFailingWebhooks>[0] &
  Readonly<{
    store: Store;
    mail: Readonly<{ sender: string | null; isFailing: () => boolean }>;
    keyFile: Readonly<{ path: string }> | null;
    freeBytes: () => number;
    config: Readonly<{ minFreeBytes: number; baseUrl: string | null }>;
  }>;

/**
 * Checks what a server and a command can know of the instance. Mails and webhooks are those of the team; without one, of
 * all teams. `isServing` tells whether a server runs.
 */
export async function instanceChecks(deps: Deps, teamId: string | null, isServing: boolean): Promise<Finding[]> {
  const { store, config, mail, keyFile, freeBytes } = deps;
  const waiting = mail.isFailing() ? await countWaiting(store, teamId) : 0;
  return withNames({
    database: checkDatabase(await store.upkeep.readDurability()),
    disk: checkDisk(freeBytes(), config.minFreeBytes),
    mail: checkMail(mail.sender, waiting, await store.mails.failedRecipients(teamId, MAX_COUNT)),
    webhooks: checkWebhooks(await teamAlerts.listFailingWebhooks(deps, teamId)),
    pages: checkPages(await store.formChecks.listFailingPages(teamAlerts.MAX_WEBHOOKS, teamId ?? undefined)),
    backups: checkBackups(await backupState(deps), isServing),
    key: checkKey(keyFile, (await store.milestones.list()).includes('key_copied')),
    address: checkAddress(config.baseUrl),
  });
}

/** Checks what only concerns a team: whether its forms accept submissions, its plan, and the growth of its files. */
export async function teamChecks(
  deps: Deps & Parameters<typeof teamAlerts.readTeamAlerts>[0],
  team: Team,
): Promise<Finding[]> {
  const { store, clock, config } = deps;
  const alerts = await teamAlerts.readTeamAlerts(deps, team, MAX_COUNT);
  const used = await store.usage.count(team.id, getPeriod(clock()).start);
  const stored = await store.usage.countStorage(team.id);
  const plan = planNamed(config.plans, team.plan);
  return withNames({
    submissions: checkAcceptance(alerts, await store.upkeep.readDurability()),
    ...(hasLimit(plan) && { plan: checkPlan(plan, used, stored) }),
    files: checkFiles(await store.usage.countFileGrowth(team.id, clock() - DAY)),
  });
}

async function countWaiting(store: Store, teamId: string | null): Promise<number> {
  if (teamId !== null) return teamAlerts.countWaitingMails(store, teamId, MAX_COUNT);
  const { mails } = await store.upkeep.readStats(MAX_COUNT);
  const waiting = mails.filter(([state]) => state === 'retrying' || state === 'queued');
  return waiting.reduce((sum, [, count]) => sum + count, 0);
}

function checkAcceptance({ refusal, periodEnd }: teamAlerts.TeamAlerts, { isRefusing }: DurabilityReport): Result {
  if (isRefusing) return { code: 'refused', state: 'bad', text: (t) => t.submissions.refused };
  if (refusal === null) return { code: 'ok', state: 'ok', text: (t) => t.submissions.ok };
  const text: Finding['text'] = ({ submissions: t }, format) =>
    refusal === 'plan' ? t.plan(format.formatDay(periodEnd)) : t[refusal];
  return { code: refusal, state: 'bad', text };
}

function checkPlan(plan: Plan, used: number, stored: number): Result {
  const { submissions_limit: limit, storage_bytes: bytes = null } = plan;
  const share = Math.max(limit === null ? 0 : used / Math.max(1, limit), bytes === null ? 0 : stored / bytes);
  return {
    code: limit === null ? 'unlimited' : 'used',
    state: share >= 1 ? 'bad' : share >= NEARLY_FULL ? 'warning' : 'ok',
    text: ({ plan: t }, { number, size }) => {
      const submissions = limit === null ? t.unlimited(number(used)) : t.used(number(used), number(limit));
      return bytes === null ? submissions : `${submissions} ${t.storage(size(stored), size(bytes))}`;
    },
    fix: { href: '/dashboard/usage', label: 'usage' },
  };
}

function checkFiles(grown: number): Result {
  if (grown <= FAST_GROWTH_BYTES) return { code: 'ok', state: 'ok', text: (t, { size }) => t.files.grown(size(grown)) };
  const text: Finding['text'] = ({ files: t }, { size }) => `${t.grown(size(grown))} ${t.fast}`;
  return { code: 'fast', state: 'warning', text, fix: docs('connect-forms#file-uploads') };
}

/** Checks the settings that decide what an acknowledged submission survives. The store names them in `command`. */
function checkDatabase({ machines, message, faults, isRefusing }: DurabilityReport): Result {
  if (faults.length === 0 && !isRefusing)
    return { code: 'ok', state: 'ok', text: (t) => t.database.ok(machines), command: message };
  const code = isRefusing ? 'refusing' : 'faulty';
  const fix = docs('postgresql-and-s3#rows-on-postgresql');
  return { code, state: 'bad', text: (t) => t.database[code], fix, command: faults.join(' ') };
}

/** Checks the disk of the data directory. */
export function checkDisk(free: number, minFree: number): Result {
  if (free < minFree) {
    const text: Finding['text'] = ({ disk }, { size }) => disk.low(size(free), size(minFree));
    const fix = docs('backups-and-upgrades#if-the-disk-is-full');
    return { code: 'low', state: 'bad', text, fix, command: CHECK_TEXTS.en.disk.freeSpace };
  }
  if (minFree === 0) return { code: 'noMinimum', state: 'off', text: (t, { size }) => t.disk.noMinimum(size(free)) };
  return { code: 'ok', state: 'ok', text: (t, { size }) => t.disk.ok(size(free), size(minFree)) };
}

/** Checks the queue of mails. The server knows if the mail server fails; `doctor` logs in to it. */
function checkMail(sender: string | null, waiting: number, failed: ReadonlyArray<string | null>): Result {
  if (sender === null) {
    const fix = docs('mail#set-up-a-mail-server', 'setUpMail');
    const command = 'Set SMTP_URL and MAIL_FROM, or set it up under Mail in the dashboard.';
    return { code: 'off', state: 'off', text: (t) => t.mail.off, fix, command };
  }
  if (waiting > 0) {
    const fix = { href: '/dashboard/mail?state=retrying', label: 'waitingMails' } as const;
    const text: Finding['text'] = (t, { count }) => t.mail.failing(count(waiting), waiting);
    return { code: 'failing', state: 'bad', text, fix };
  }
  if (failed.length > 0) {
    const fix = { href: '/dashboard/mail?state=causes', label: 'failedMails' } as const;
    const command =
      'See "formstead outbox list --state dead", then send them again with "formstead outbox retry --dead".';
    return { code: 'failed', state: 'bad', text: (t, { count }) => bouncedText(t, count, failed), fix, command };
  }
  const fix = { href: '/dashboard/mail#test', label: 'testMail' } as const;
  return { code: 'ok', state: 'ok', text: (t) => t.mail.ok(sender), fix };
}

/** Returns how many mails failed, and their recipient if they have the same. */
export function bouncedText(
  { mail: t }: CheckTexts,
  count: CheckFormat['count'],
  recipients: ReadonlyArray<string | null>,
): string {
  const [recipient = null] = recipients;
  const isSame = recipients.every((other) => other === recipient);
  return t.failed(count(recipients.length), recipients.length, isSame ? recipient : null);
}

/** Checks that no webhook rests or was disabled because of failures. */
function checkWebhooks(webhooks: readonly teamAlerts.FailingWebhook[]): Result {
  if (webhooks.length === 0) return { code: 'ok', state: 'ok', text: (t) => t.webhooks.ok };
  const command = `${webhooks.map(({ id }) => id).join(', ')}${webhooks.length < teamAlerts.MAX_WEBHOOKS ? '' : ' and perhaps more'}; see "webhook deliveries <id>", and after the fix run "webhook update <id> --active true"`;
  return { code: 'failing', state: 'bad', text: (t) => t.webhooks.failing, webhooks, command };
}

/** Checks that the watched pages have their forms. */
function checkPages(failing: Awaited<ReturnType<Store['formChecks']['listFailingPages']>>): Result {
  if (failing.length === 0) return { code: 'ok', state: 'ok', text: (t) => t.pages.ok };
  const names = failing.map(({ name, page }) => `${name} (${page})`).join(', ');
  const fix = docs('connect-forms#watch-a-page');
  const text: Finding['text'] = (t) => t.pages.failing(names);
  return { code: 'failing', state: 'bad', text, fix, command: 'Put the form back, or change --watch-page.' };
}

const BACKUP_DOCS = 'backups-and-upgrades#scheduled-backups';

/** Checks that scheduled backups are on and that the newest is recent. A running server makes the first one at once. */
function checkBackups(backup: BackupState, isServing: boolean): Result {
  if (backup.state === 'recent' || backup.state === 'late') {
    const { state, at, path } = backup;
    const text: Finding['text'] = (t, format) => t.backups[state](format.formatTime(at));
    if (state === 'recent') return { code: state, state: 'ok', text, command: path };
    return { code: state, state: 'bad', text, fix: docs(BACKUP_DOCS), command: path };
  }
  const { state: code } = backup;
  const text: Finding['text'] = (t) => t.backups[code];
  if (code === 'elsewhere') {
    return { code, state: 'off', text, fix: docs('postgresql-and-s3#back-up-postgresql', 'setUpBackups') };
  }
  if (code === 'off') return { code, state: 'warning', text, fix: docs(BACKUP_DOCS, 'setUpBackups') };
  return { code, state: code === 'none' && !isServing ? 'unknown' : 'bad', text, fix: docs(BACKUP_DOCS) };
}

function checkKey(keyFile: Readonly<{ path: string }> | null, isCopied: boolean): Result {
  if (keyFile === null) return { code: 'configured', state: 'ok', text: (t) => t.key.configured };
  if (isCopied) return { code: 'copied', state: 'ok', text: (t) => t.key.copied };
  const fix = docs('quick-start#keep-a-copy-of-the-key', 'aboutKey');
  const command = `Copy ${keyFile.path} to a safe place, and confirm it on the Status page.`;
  return { code: 'missing', state: 'warning', text: (t) => t.key.missing, fix, command };
}

function checkAddress(baseUrl: string | null): Result {
  if (baseUrl === null) {
    const command = 'Set it to the address that visitors use.';
    return { code: 'off', state: 'off', text: (t) => t.address.off, fix: docs('configuration'), command };
  }
  return { code: 'ok', state: 'ok', text: (t) => t.address.ok(baseUrl) };
}

function docs(place: string, label: keyof CheckTexts['fixes'] = 'docs'): NonNullable<Finding['fix']> {
  return { href: `/docs/${place}`, label };
}

const MiB = 1024 * 1024;

/** Formats for doctor and `/readyz`: plain numbers, sizes in MiB. */
const PLAIN: CheckFormat = {
  number: String,
  size: (bytes) => `${Math.floor(bytes / MiB)} MiB`,
  formatDay: (at) => formatTime(at).slice(0, 10),
  formatTime,
  count: (value) => (value >= MAX_COUNT ? `${MAX_COUNT - 1}+` : String(value)),
};

/** Returns the text of a finding in English, with the straight quotes of a terminal. */
export const englishText = ({ text }: Result): string => text(CHECK_TEXTS.en, PLAIN).replaceAll(/[“”]/g, '"');
