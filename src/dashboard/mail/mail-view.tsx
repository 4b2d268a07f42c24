/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { MailState } from '../../domain/mail/mail.ts';
import type { TeamMail } from '../../storage/records.ts';
import { countUpTo99 } from '../ui/count.ts';
import { Card, ErrorMessage, LinkButton, LinkRow, PostButton } from '../ui/elements.tsx';
import { EntryList } from '../ui/entry-list.tsx';
import { Pager } from '../ui/pager.tsx';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import { type CauseGroup, Causes, type MailItem, NoMails, serverWords } from './causes-view.tsx';
import { MAIL_PAGES_TEXTS, MAIL_SERVER_TEXTS } from './texts.ts';

const STATES = ['dead', 'retrying', 'queued', 'sent'] as const satisfies readonly MailState[];
/** The tabs of the page: failed mails by their cause, and mails by their state. */
export const TABS = ['causes', ...STATES] as const;
type Tab = (typeof TABS)[number];

/** Input of the test form, the error that it caused, and the conversation with the mail server. */
export type TestInput = Readonly<{ to: string; error?: string; lines?: readonly string[] }>;

type Counts = Readonly<Record<Exclude<MailState, 'sent'>, number>>;

type Props = Readonly<{
  viewer: Viewer;
  /** Sender of all mails; null without a mail server. */
  sender: string | null;
  /** Offers the page of the mail server. */
  isOperator: boolean;
  state: Tab;
  items: readonly MailItem[];
  groups: readonly CauseGroup[];
  counts: Counts;
  isFirst: boolean;
  hasOlder: boolean;
  test: TestInput;
}>;

/** The mails of a team in one state. */
export function MailView({ viewer, sender, isOperator, state, items, groups, counts, isFirst, hasOlder, test }: Props) {
  const t = MAIL_PAGES_TEXTS[viewer.language];
  const { sections } = viewer.texts;
  const path = `/dashboard/mail?state=${state}`;
  const older = hasOlder ? `${path}&before=${items.at(-1)?.mail.id}` : null;
  return (
    <>
      <div class="head">
        <h1>{sections.mail}</h1>
        {isOperator && <LinkButton href="/dashboard/mail/server" text={MAIL_SERVER_TEXTS[viewer.language].title} />}
      </div>
      {sender === null ? <p class="note">{t.noServer}</p> : <p class="soft">{t.intro(sender)}</p>}
      <div class="stack">
        <Tabs viewer={viewer} state={state} counts={counts} />
        <p class="soft small">{t.about[state]}</p>
        {state === 'dead' && items.length > 0 && viewer.can('edit') && (
          <form method="post" class="row">
            <button class="quiet" formaction="/dashboard/mail/retry">
              {t.allAgain}
            </button>
            <button class="quiet" formaction="/dashboard/mail/dismiss">
              {t.dismissAll}
            </button>
          </form>
        )}
        {state === 'causes' ? (
          <Causes viewer={viewer} groups={groups} />
        ) : (
          <EntryList items={items} empty={<NoMails viewer={viewer} state={state} />}>
            {(item) => <MailRow viewer={viewer} {...item} />}
          </EntryList>
        )}
        <Pager viewer={viewer} label={t.pages} newest={isFirst ? null : path} older={older} />
        {sender !== null && viewer.can('edit') && <TestForm viewer={viewer} {...test} />}
      </div>
    </>
  );
}

function Tabs({ viewer, state, counts }: Pick<Props, 'viewer' | 'state' | 'counts'>) {
  const t = MAIL_PAGES_TEXTS[viewer.language];
  const getText = (one: Tab) => (
    <>
      {t.states[one]}
      {one !== 'sent' && one !== 'causes' && counts[one] > 0 && (
        <>
          {' '}
          <span class={one === 'dead' ? 'badge bad' : 'badge'}>{countUpTo99(viewer, counts[one])}</span>
        </>
      )}
    </>
  );
  const links = TABS.map((one) => [`/dashboard/mail?state=${one}`, getText(one), one === state] as const);
  return <LinkRow style="tabs" label={t.parts} links={links} />;
}

function TestForm({ viewer, to, error, lines = [] }: Readonly<{ viewer: Viewer }> & TestInput) {
  const t = MAIL_PAGES_TEXTS[viewer.language];
  return (
    <Card id="test" title={t.test}>
      <p class="soft">{t.testText}</p>
      <ErrorMessage error={error !== undefined && `${t.testFailed} ${error}`} />
      <form method="post" action="/dashboard/mail/test">
        <div class="field">
          <label for="to">{t.testTo}</label>
          <div class="row">
            <input type="email" id="to" name="to" value={to} required autocomplete="email" />
            <button>{t.testSend}</button>
          </div>
        </div>
      </form>
      {lines.length > 0 && <h3>{MAIL_SERVER_TEXTS[viewer.language].conversation}</h3>}
      {lines.length > 0 && <pre class="small">{lines.join('\n')}</pre>}
    </Card>
  );
}

/** A mail in the list, with a button that retries it. */
export function MailRow({ viewer, mail, reason }: Readonly<{ viewer: Viewer }> & MailItem) {
  const t = MAIL_PAGES_TEXTS[viewer.language];
  const { common } = viewer.texts;
  const kind = t.kinds[mail.kind];
  const recipient = mail.recipient ?? t.visitor;
  const [text, at] = getProgress(t, mail) ?? [];
  const hasFailed = mail.state === 'retrying' || mail.state === 'dead';
  return (
    <li class="row">
      <div class="grow">
        <p class="flush">
          <strong>{kind}</strong> {t.to} <bdi>{recipient}</bdi>
        </p>
        <p class="flush small soft">
          {mail.formId !== null && (
            <a href={`/dashboard/forms/${mail.formId}`}>
              <bdi>{mail.formName}</bdi>
            </a>
          )}
          {mail.formId !== null && ' · '}
          {t.made} <Time viewer={viewer} at={mail.createdAt} />
          {text && ` · ${text} `}
          {at && <Time viewer={viewer} at={at} />}
        </p>
        {reason !== null && (
          <p class="flush small">
            {t.said} <q>{serverWords(reason)}</q>
          </p>
        )}
      </div>
      {mail.submissionId !== null && (
        <LinkButton href={`/dashboard/submissions/${mail.submissionId}`} text={t.submission} />
      )}
      {hasFailed && viewer.can('edit') && (
        <PostButton
          action={`/dashboard/mail/${mail.id}/retry`}
          text={common.sendAgain}
          label={t.againTo(kind, recipient)}
        />
      )}
    </li>
  );
}

/** Returns the state since the creation, and its time. */
function getProgress(t: (typeof MAIL_PAGES_TEXTS)['en'], { state, createdAt, dueAt, settledAt, failures }: TeamMail) {
  if (state === 'retrying') return [`${t.failed(failures)} · ${t.next}`, dueAt] as const;
  if (state === 'queued') return dueAt > createdAt ? ([t.due, dueAt] as const) : null;
  return [t.settled[state], settledAt ?? createdAt] as const;
}
