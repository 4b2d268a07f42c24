/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { SETUP_STEPS } from '../../services/instance/first-steps.ts';
import type { TeamAlerts } from '../../services/teams/team-alerts.ts';
import { STATUS_TEXTS } from '../instance/texts.ts';
import type { Notices } from '../notices.ts';
import type { Viewer } from '../viewer.ts';
import { countUpTo99 } from './count.ts';
import type { Section } from './header.tsx';

type Props = Readonly<{ viewer: Viewer; section: Section | null; notices: Notices }>;

/** Warnings across the page, and the next step of setting up. The status page shows these itself. */
export function Banners({ viewer, section, notices: { alerts, finishedSteps } }: Props) {
  if (section === 'status') return null;
  const warnings = alerts === null ? [] : getWarnings(viewer, alerts);
  const t = STATUS_TEXTS[viewer.language];
  const next = finishedSteps && SETUP_STEPS.find((step) => !finishedSteps.has(step));
  if (warnings.length === 0 && !next) return null;
  return (
    <aside class="banners">
      {warnings.map(({ text, path, fix, isBad }) => (
        <p class={isBad ? 'banner bad' : 'banner'} role="status">
          {text} {viewer.can('read') && <a href={path}>{fix}</a>}
        </p>
      ))}
      {next && (
        <p class="banner setup">
          {t.progress(finishedSteps.size, SETUP_STEPS.length)} {t.steps[next].title}.{' '}
          <a href={`/dashboard/status#step-${next}`}>{t.continue}</a>
        </p>
      )}
    </aside>
  );
}

type Warning = Readonly<{ text: string; path: string; fix: string; isBad: boolean }>;

function getWarnings(viewer: Viewer, alerts: TeamAlerts): readonly Warning[] {
  const status = STATUS_TEXTS[viewer.language];
  const { banners: t } = viewer.texts;
  const { submissions, fixes } = status;
  const { refusal, failedMails, waitingMails, failingWebhooks } = alerts;
  const warnings: Warning[] = [];
  if (refusal === 'plan') {
    const text = submissions.plan(viewer.formatDay(alerts.periodEnd));
    warnings.push({ text, path: '/dashboard/usage', fix: fixes.usage, isBad: true });
  }
  if (refusal === 'storage') {
    warnings.push({ text: submissions.storage, path: '/dashboard/usage', fix: fixes.usage, isBad: true });
  }
  if (refusal === 'disk') {
    const place = viewer.can('manage') ? '/dashboard/status' : '/dashboard/usage';
    warnings.push({ text: submissions.disk, path: place, fix: t.toStatus, isBad: true });
  }
  if (waitingMails > 0) {
    const text = t.mailsWait(countUpTo99(viewer, waitingMails), waitingMails);
    warnings.push({ text, path: '/dashboard/mail?state=retrying', fix: t.toMail, isBad: true });
  }
  if (failedMails > 0) {
    const text = t.mailsFailed(countUpTo99(viewer, failedMails), failedMails);
    warnings.push({ text, path: '/dashboard/mail?state=dead', fix: t.toMail, isBad: false });
  }
  if (failingWebhooks > 0) {
    const text = t.webhooksFail(countUpTo99(viewer, failingWebhooks), failingWebhooks);
    warnings.push({ text, path: '/dashboard/status', fix: t.toStatus, isBad: false });
  }
  return warnings;
}
