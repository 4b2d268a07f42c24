/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { MailState } from '../../domain/mail/mail.ts';
import type { Micros } from '../../lib/clock.ts';
import type { TeamMail } from '../../storage/records.ts';
import { countUpTo99 } from '../ui/count.ts';
import { ErrorMessage, LinkButton, LinkRow, PostButton } from '../ui/elements.tsx';
import { EntryList } from '../ui/entry-list.tsx';
import { PATHS, Tile } from '../ui/icon.tsx';
import { Pager } from '../ui/pager.tsx';
import { Ago } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import { type CauseGroup, Causes, type MailItem, MailRow, NoMails } from './causes-view.tsx';
import { MAIL_PAGES_TEXTS, MAIL_SERVER_TEXTS } from './texts.ts';

const STATES = ['dead', 'retrying', 'queued', 'sent'] as const satisfies readonly MailState[];
/** The tabs of the page: failed mails by their cause, and mails by their state. */
export const TABS = ['causes', ...STATES] as const;
type Tab = (typeof TABS)[number];

/** Input of the test form, the error that it caused, and the conversation with the mail server. */
export type TestInput = Readonly<{ to: string; error?: string; lines?: readonly string[] }>;

/** Sent mails are counted up to here. */
export const SENT_LIMIT = 1_000;

type Props = Readonly<{
  viewer: Viewer;
  /** Sender of all mails; null without a mail server. */
  sender: string | null;
  /** Offers the page of the mail server. */
  isOperator: boolean;
  isFailing: boolean;
  /** The newest sent mail. */
  latest: TeamMail | null;
  now: Micros;
  state: Tab;
  items: readonly MailItem[];
  groups: readonly CauseGroup[];
  counts: Readonly<Record<MailState, number>>;
  isFirst: boolean;
  hasOlder: boolean;
  test: TestInput;
}>;

/** The mails of a team: those that fail by cause, or all in one state. */
export function MailView(props: Props) {
  const { viewer, sender, isOperator, state, items, groups, counts, isFirst, hasOlder, now } = props;
  const t = MAIL_PAGES_TEXTS[viewer.language];
  const path = `/dashboard/mail?state=${state}`;
  const older = hasOlder ? `${path}&before=${items.at(-1)?.mail.id}` : null;
  return (
    <>
      <div class="head">
        <div>
          <h1>{viewer.texts.sections.mail}</h1>
          {sender !== null && <p class="soft flush">{t.intro(sender)}</p>}
        </div>
        <div class="row">
          {isOperator && <LinkButton href="/dashboard/mail/server" text={MAIL_SERVER_TEXTS[viewer.language].title} />}
          {sender !== null && viewer.can('edit') && <LinkButton href="#test" text={t.testSend} />}
        </div>
      </div>
      {sender === null && <p class="note">{t.noServer}</p>}
      <div class="stack">
        <Tabs viewer={viewer} state={state} counts={counts} />
        {state === 'dead' && items.length > 0 && viewer.can('edit') && (
          <div class="row">
            <PostButton action="/dashboard/mail/retry" text={t.allAgain} />
            <PostButton action="/dashboard/mail/dismiss" text={t.dismissAll} />
          </div>
        )}
        {state === 'causes' ? (
          <Causes viewer={viewer} groups={groups} now={now} />
        ) : (
          <EntryList items={items} empty={<NoMails viewer={viewer} state={state} />}>
            {(item) => <MailRow viewer={viewer} {...item} now={now} />}
          </EntryList>
        )}
        <Pager viewer={viewer} label={t.pages} newest={isFirst ? null : path} older={older} />
        {sender !== null && <Server {...props} />}
      </div>
    </>
  );
}

function Tabs({ viewer, state, counts }: Pick<Props, 'viewer' | 'state' | 'counts'>) {
  const t = MAIL_PAGES_TEXTS[viewer.language];
  const getText = (one: Tab) => (
    <>
      {t.states[one]}
      {one !== 'causes' && counts[one] > 0 && (
        <>
          {' '}
          <span class={one === 'dead' ? 'badge bad' : 'badge'}>
            {countUpTo99(viewer, counts[one], one === 'sent' ? SENT_LIMIT : undefined)}
          </span>
        </>
      )}
    </>
  );
  const isShown = (one: Tab) => one === state || one === 'causes' || one === 'sent' || counts[one] > 0;
  const links = TABS.filter(isShown).map(
    (one) => [`/dashboard/mail?state=${one}`, getText(one), one === state] as const,
  );
  return <LinkRow style="tabs" label={t.parts} links={links} />;
}

/** The state of the mail server, with a form that sends a test. */
function Server({ viewer, isFailing, latest, now, test: { to, error, lines = [] } }: Props) {
  const t = MAIL_PAGES_TEXTS[viewer.language];
  const isProven = error === undefined && (latest !== null || lines.length > 0);
  const [path, hue, title] = isFailing
    ? ([PATHS.cross, 'red', t.causes.server] as const)
    : isProven
      ? ([PATHS.check, 'green', t.reachable] as const)
      : ([PATHS.mail, 'blue', MAIL_SERVER_TEXTS[viewer.language].title] as const);
  return (
    <section class="card" aria-labelledby="test">
      <ErrorMessage error={error !== undefined && `${t.testFailed} ${error}`} />
      <div class="row">
        <Tile path={path} hue={hue} />
        <div class="grow">
          <h2 id="test" class="flush">
            {title}
          </h2>
          {latest && (
            <p class="small soft flush">
              {t.latest} <Ago viewer={viewer} at={latest.settledAt ?? latest.createdAt} now={now} />
              {latest.recipient !== null && ` ${t.to} `}
              <bdi>{latest.recipient}</bdi>
            </p>
          )}
        </div>
        {viewer.can('edit') && (
          <form method="post" action="/dashboard/mail/test" class="row">
            <input type="email" name="to" aria-label={t.testTo} value={to} required autocomplete="email" />
            <button class="quiet">{t.testSend}</button>
          </form>
        )}
      </div>
      {lines.length > 0 && <h3>{MAIL_SERVER_TEXTS[viewer.language].conversation}</h3>}
      {lines.length > 0 && <pre class="small">{lines.join('\n')}</pre>}
    </section>
  );
}
