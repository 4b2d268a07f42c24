/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context.ts';
import { planNamed } from '../../domain/plan.ts';
import type { Team } from '../../domain/team.ts';
import { periodOf } from '../../domain/usage.ts';
import type { Webhook } from '../../domain/webhook.ts';
import { DAY } from '../../lib/clock.ts';
import type { Markup } from '../../lib/markup.ts';
import { type BackupState, backupState } from '../../services/backup-state.ts';
import { readTeamAlerts, type TeamAlerts } from '../../services/team-alerts.ts';
import type { DurabilityReport } from '../../storage/records.ts';
import { COUNT_LIMIT, countUpTo99 } from '../ui/count.ts';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';

export type CheckState = 'ok' | 'off' | 'warning' | 'bad';

/** The result of a check, and the link that leads to its fix. */
export type Check = Readonly<{
  title: string;
  state: CheckState;
  says: Markup | string;
  fix?: Readonly<{ href: string; text: string }> | null;
}>;

const MAX_WEBHOOKS = 10;

/** The facts that the checks judge. */
export type Facts = Readonly<{
  alerts: TeamAlerts;
  used: number;
  stored: number;
  /** Bytes of files that arrived in the last 24 hours. */
  grown: number;
  backup: BackupState;
  isKeyCopied: boolean;
  failing: readonly Webhook[];
  durability: DurabilityReport;
}>;

/** Reads the facts about a team and the instance. */
export async function readFacts(context: Context, team: Team): Promise<Facts> {
  const { store, clock } = context;
  return {
    alerts: await readTeamAlerts(context, team, COUNT_LIMIT),
    used: await store.usage.count(team.id, periodOf(clock()).start),
    stored: await store.usage.countStorage(team.id),
    grown: await store.usage.countFileGrowth(team.id, clock() - DAY),
    backup: await backupState(context),
    isKeyCopied: (await store.milestones.list()).includes('key_copied'),
    failing: await store.webhooks.listFailing(MAX_WEBHOOKS, team.id),
    durability: await store.upkeep.readDurability(),
  };
}

/** Judges the facts, the most important ones first. */
export function checksOf(context: Context, viewer: Viewer, team: Team, facts: Facts): readonly Check[] {
  return [
    acceptance(viewer, facts),
    plan(context, viewer, team, facts),
    files(viewer, facts),
    ...(context.instanceName === null ? [] : [database(viewer, facts)]),
    disk(context, viewer),
    mail(context, viewer, facts),
    webhooks(viewer, facts),
    backups(viewer, facts),
    key(context, viewer, facts),
    address(context, viewer),
  ];
}

function acceptance(viewer: Viewer, { alerts, durability }: Facts): Check {
  const { banners, status } = viewer.texts;
  const { title, ok, refused } = status.submissions;
  if (durability.isRefusing) return { title, state: 'bad', says: refused };
  switch (alerts.refusal) {
    case null:
      return { title, state: 'ok', says: ok };
    case 'plan':
      return { title, state: 'bad', says: banners.planUsedUp(viewer.formatDay(alerts.periodEnd)) };
    case 'storage':
      return { title, state: 'bad', says: banners.storageFull };
    case 'disk':
      return { title, state: 'bad', says: banners.diskFull };
  }
}

/** Judges the settings of a PostgreSQL server. */
function database(viewer: Viewer, { durability }: Facts): Check {
  const { database: t, docs } = viewer.texts.status;
  const fix = docsLink('postgresql-and-s3#rows-on-postgresql', docs);
  if (durability.isRefusing) return { title: t.title, state: 'bad', says: t.refusing, fix };
  if (durability.faults.length > 0) return { title: t.title, state: 'warning', says: t.faulty, fix };
  return { title: t.title, state: 'ok', says: t.ok(durability.machines) };
}

const NEARLY_FULL = 0.8;

function plan({ config }: Context, viewer: Viewer, team: Team, { used, stored }: Facts): Check {
  const { plan: t } = viewer.texts.status;
  const { submissions_limit: limit, storage_bytes: bytes = null } = planNamed(config.plans, team.plan);
  const { number, size } = viewer;
  const submissions = limit === null ? t.unlimited(number(used)) : t.used(number(used), number(limit));
  const says = bytes === null ? submissions : `${submissions} ${t.storage(size(stored), size(bytes))}`;
  const share = Math.max(limit === null ? 0 : used / Math.max(1, limit), bytes === null ? 0 : stored / bytes);
  const state = share >= 1 ? 'bad' : share >= NEARLY_FULL ? 'warning' : 'ok';
  return { title: t.title, state, says, fix: { href: '/dashboard/usage', text: t.fix } };
}

/** Growth of a team's files in a day above which somebody may be filling the disk. */
const FAST_GROWTH_BYTES = 5_000_000_000;

function files(viewer: Viewer, { grown }: Facts): Check {
  const { files: t, docs } = viewer.texts.status;
  const says = t.grown(viewer.size(grown));
  if (grown <= FAST_GROWTH_BYTES) return { title: t.title, state: 'ok', says };
  return {
    title: t.title,
    state: 'warning',
    says: `${says} ${t.fast}`,
    fix: docsLink('connect-forms#file-uploads', docs),
  };
}

function disk({ config, freeBytes }: Context, viewer: Viewer): Check {
  const { disk: t, docs } = viewer.texts.status;
  const free = freeBytes();
  if (free >= config.minFreeBytes) return { title: t.title, state: 'ok', says: t.ok(viewer.size(free)) };
  const says = t.low(viewer.size(free), viewer.size(config.minFreeBytes));
  return { title: t.title, state: 'bad', says, fix: docsLink('backups-and-upgrades#if-the-disk-is-full', docs) };
}

function mail({ mail: account }: Context, viewer: Viewer, { alerts }: Facts): Check {
  const { mail: t, steps } = viewer.texts.status;
  const { title } = t;
  const count = (value: number) => countUpTo99(viewer, value);
  if (!account) {
    return { title, state: 'off', says: t.off, fix: docsLink('mail#set-up-a-mail-server', steps.mail.docs) };
  }
  if (alerts.waitingMails > 0) {
    const fix = { href: '/dashboard/mail?state=retrying', text: t.fixWaiting };
    return { title, state: 'bad', says: t.failing(count(alerts.waitingMails)), fix };
  }
  if (alerts.failedMails > 0) {
    const fix = { href: '/dashboard/mail?state=dead', text: t.fixFailed };
    return { title, state: 'warning', says: t.failed(count(alerts.failedMails)), fix };
  }
  return { title, state: 'ok', says: t.ok(account.sender), fix: { href: '/dashboard/mail#test', text: t.fixTest } };
}

function webhooks(viewer: Viewer, { failing }: Facts): Check {
  const { webhooks: t } = viewer.texts.status;
  if (failing.length === 0) return { title: t.title, state: 'ok', says: t.ok };
  const links = failing.map(({ id, formId, kind }) => (
    <>
      {' '}
      <a href={`/dashboard/forms/${formId}/webhooks/${id}`}>{viewer.texts.webhooks.kinds[kind]}</a>
    </>
  ));
  const says = (
    <>
      {t.failing}
      {links}
    </>
  );
  return { title: t.title, state: 'bad', says };
}

const BACKUP_DOCS = 'backups-and-upgrades#scheduled-backups';

function backups(viewer: Viewer, { backup }: Facts): Check {
  const { backups: t, docs, steps } = viewer.texts.status;
  const { title } = t;
  if (backup.state === 'elsewhere') {
    const fix = docsLink('postgresql-and-s3#back-up-postgresql', steps.backup.docs);
    return { title, state: 'off', says: t.elsewhere, fix };
  }
  if (backup.state === 'off') {
    return { title, state: 'warning', says: t.off, fix: docsLink(BACKUP_DOCS, steps.backup.docs) };
  }
  if (!('at' in backup)) return { title, state: 'warning', says: t[backup.state], fix: docsLink(BACKUP_DOCS, docs) };
  const says = (
    <>
      {t[backup.state]} <Time viewer={viewer} at={backup.at} />.
    </>
  );
  if (backup.state === 'recent') return { title, state: 'ok', says };
  return { title, state: 'bad', says, fix: docsLink(BACKUP_DOCS, docs) };
}

function key({ keyFile }: Context, viewer: Viewer, { isKeyCopied }: Facts): Check {
  const { key: t, steps } = viewer.texts.status;
  if (keyFile === null) return { title: t.title, state: 'ok', says: t.configured };
  if (isKeyCopied) return { title: t.title, state: 'ok', says: t.copied };
  const fix = docsLink('quick-start#keep-a-copy-of-the-key', steps.key.docs);
  return { title: t.title, state: 'warning', says: t.missing, fix };
}

function address({ config }: Context, viewer: Viewer): Check {
  const { address: t, docs } = viewer.texts.status;
  if (config.baseUrl !== null) return { title: t.title, state: 'ok', says: t.ok(config.baseUrl) };
  return { title: t.title, state: 'off', says: t.off, fix: docsLink('configuration', docs) };
}

function docsLink(place: string, text: string): { href: string; text: string } {
  return { href: `/docs/${place}`, text };
}
