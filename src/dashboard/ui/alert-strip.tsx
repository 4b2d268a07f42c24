/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Demo } from '../../context/context.ts';
import { getKind } from '../../delivery/targets/index.ts';
import { bouncedText } from '../../services/instance/checks/checks.ts';
import { SETUP_STEPS } from '../../services/instance/first-steps.ts';
import type { TeamAlerts } from '../../services/teams/team-alerts.ts';
import { STATUS_TEXTS } from '../instance/texts.ts';
import type { Notices } from '../notices.ts';
import type { Viewer } from '../viewer.ts';
import { countUpTo99 } from './count.ts';
import { Icon } from './icon.tsx';

type Props = Readonly<{ viewer: Viewer; path: string; notices: Notices }>;

/** The worst problem in one line, and on the list of forms the next step of setting up. Status has its own list. */
export function Strip({ viewer, path, notices: { alerts, finishedSteps } }: Props) {
  const [place] = path.split('?');
  if (place === '/dashboard/status') return null;
  const t = STATUS_TEXTS[viewer.language];
  const { strip } = viewer.texts;
  const [worst, ...others] = alerts === null ? [] : listProblems(viewer, alerts);
  const next = place === '/dashboard/forms' && finishedSteps && SETUP_STEPS.find((step) => !finishedSteps.has(step));
  if (!worst && !next) return null;
  const more = strip.more(others.length);
  return (
    <aside class="strips" aria-label={strip.label}>
      {worst && (
        <p class="strip" role="status">
          <Icon name="warning" />
          <span class="text" title={worst.text}>
            {worst.text}
          </span>{' '}
          <a href={worst.href}>{strip.fix}</a>
          {others.length > 0 &&
            (viewer.can('manage') ? (
              <a class="more" href="/dashboard/status">
                {more}
              </a>
            ) : (
              <span class="more">{more}</span>
            ))}
        </p>
      )}
      {next && (
        <p class="strip setup">
          <span class="text">
            {t.progress(finishedSteps.size, SETUP_STEPS.length)} {t.steps[next].title}
          </span>{' '}
          <a href={`/dashboard/status#step-${next}`}>{t.continue}</a>
        </p>
      )}
    </aside>
  );
}

type Problem = Readonly<{ text: string; href: string }>;

/** Returns the problems that the viewer can do something about, the worst first. */
function listProblems(viewer: Viewer, alerts: TeamAlerts): readonly Problem[] {
  const t = STATUS_TEXTS[viewer.language];
  const count = (value: number) => countUpTo99(viewer, value);
  const { refusal, periodEnd, failedRecipients, waitingMails, failingWebhooks } = alerts;
  const problems: Problem[] = [];
  if (refusal !== null && viewer.can('manage')) {
    const text = refusal === 'plan' ? t.submissions.plan(viewer.formatDay(periodEnd)) : t.submissions[refusal];
    problems.push({ text, href: refusal === 'disk' ? '/dashboard/status' : '/dashboard/usage' });
  }
  if (waitingMails > 0 && viewer.can('manage')) {
    problems.push({ text: t.mail.failing(count(waitingMails), waitingMails), href: '/dashboard/mail?state=retrying' });
  }
  if (failedRecipients.length > 0 && viewer.can('edit')) {
    problems.push({ text: bouncedText(t, count, failedRecipients), href: '/dashboard/mail?state=causes' });
  }
  const [webhook] = failingWebhooks;
  if (webhook && viewer.can('edit')) {
    const { id, formId, formName, kind, label } = webhook;
    const isOne = failingWebhooks.length === 1;
    const text = isOne
      ? t.webhooks.one(label || getKind(kind).name[viewer.language], formName)
      : t.webhooks.several(count(failingWebhooks.length));
    problems.push({ text, href: `/dashboard/forms/${formId}/webhooks${isOne ? `/${id}` : ''}` });
  }
  return problems;
}

/** Says on each page that this is a demo, and leads to its mails. */
export function DemoStrip({ viewer, demo: { resetsAt } }: Readonly<{ viewer: Viewer; demo: Demo }>) {
  const t = viewer.texts.demo;
  const text = resetsAt === null ? t.strip : t.readOnly(viewer.formatShort(resetsAt, resetsAt));
  return (
    <aside class="strips">
      <p class="strip setup">
        <Icon name="note" />
        <span class="text">{text}</span> <a href="/dashboard/demo/mails">{t.mails}</a>
      </p>
    </aside>
  );
}
