/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../domain/forms/form.ts';
import { type BounceCause, bounceCause } from '../../domain/mail/bounce.ts';
import type { Micros } from '../../lib/clock.ts';
import type { TeamMail } from '../../storage/records.ts';
import { LinkButton, PostButton } from '../ui/elements.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { EntryList } from '../ui/entry-list.tsx';
import { LineInput } from '../ui/form-inputs.tsx';
import { PATHS, Tile } from '../ui/icon.tsx';
import { Ago, Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import { MAIL_PAGES_TEXTS } from './texts.ts';

/** A mail, the reason of its last failure, and the sender of its submission. */
export type MailItem = Readonly<{ mail: TeamMail; reason: string | null; sender?: string | undefined }>;

/** Failed mails to one recipient for one cause: how many failed for good and how many are retried, and the newest. */
export type CauseGroup = {
  readonly cause: BounceCause;
  readonly newest: MailItem[];
  readonly formNames: Set<string>;
  dead: number;
  retrying: number;
};

/** Mails that a group lists. */
const MAX_LISTED = 3;

/** Codes of the mail library after the server's words, such as (EENVELOPE, RCPT TO). */
const NODEMAILER_CODES = / \(E[A-Z0-9]+(?:, [A-Z ]+)?\)$/;

/** Groups failed mails, of which the newest come first. Returns the groups with the most mails first. */
export function groupByCause(items: readonly MailItem[]): readonly CauseGroup[] {
  const groups = new Map<string, CauseGroup>();
  for (const item of items) {
    const { recipient, formName, state } = item.mail;
    const cause = bounceCause(item.reason ?? '');
    const group = groups.getOrInsertComputed(`${cause} ${recipient}`, () => {
      return { cause, newest: [], formNames: new Set<string>(), dead: 0, retrying: 0 };
    });
    group[state === 'dead' ? 'dead' : 'retrying'] += 1;
    if (group.newest.length < MAX_LISTED) group.newest.push(item);
    if (formName !== null) group.formNames.add(formName);
  }
  return [...groups.values()].sort((a, b) => b.dead + b.retrying - a.dead - a.retrying);
}

type MailTexts = (typeof MAIL_PAGES_TEXTS)['en'];

const MAX_FORM_NAMES = 3;

/** A tab without mails. */
export function NoMails({ viewer, state }: Readonly<{ viewer: Viewer; state: keyof MailTexts['none'] }>) {
  const [title = '', text = ''] = MAIL_PAGES_TEXTS[viewer.language].none[state];
  return <EmptyState icon="mail" title={title} text={text} />;
}

type CausesProps = Readonly<{ viewer: Viewer; groups: readonly CauseGroup[]; now: Micros }>;

export function Causes({ viewer, groups, now }: CausesProps) {
  return (
    <EntryList items={groups} empty={<NoMails viewer={viewer} state="causes" />}>
      {(group) => <Cause viewer={viewer} group={group} now={now} />}
    </EntryList>
  );
}

type CauseProps = Readonly<{ viewer: Viewer; group: CauseGroup; now: Micros }>;

/** Icon and hue of each cause. */
const TILES = {
  mailbox: [PATHS.cross, 'red'],
  policy: [PATHS.spam, 'red'],
  server: [PATHS.warning, 'red'],
  other: [PATHS.cross, 'red'],
  size: [PATHS.archive, 'orange'],
  full: [PATHS.archive, 'orange'],
  later: [PATHS.clock, 'yellow'],
} as const satisfies Record<BounceCause, readonly [path: string, hue: string]>;

function Cause({ viewer, group, now }: CauseProps) {
  const { cause, newest, dead, retrying } = group;
  const [item] = newest;
  const t = MAIL_PAGES_TEXTS[viewer.language];
  if (!item) return null;
  const { id, kind, recipient } = item.mail;
  const [path, hue] = TILES[cause];
  const change = `/dashboard/mail/${id}/recipient`;
  return (
    <li class="entry cause">
      <Tile path={path} hue={hue} />
      <div class="grow">
        <p class="flush">
          <strong>
            <bdi>{recipient ?? t.visitor}</bdi>
          </strong>{' '}
          {dead > 0 && <span class="badge bad">{t.grouped.dead(dead, viewer.number(dead))}</span>}{' '}
          {retrying > 0 && <span class="badge warn">{t.grouped.retrying(retrying, viewer.number(retrying))}</span>}
        </p>
        <p class="flush">{t.causes[cause]}</p>
        <CauseFacts viewer={viewer} group={group} now={now} />
      </div>
      {recipient !== null && viewer.can('edit') && (
        <div class="row">
          {kind === 'notification' && cause !== 'server' && (
            <>
              <LinkButton href={change} text={t.changeAddress} style={cause === 'mailbox' ? 'mainSmall' : 'small'} />
              <LinkButton href={`${change}#remove`} text={t.remove} style="small" />
            </>
          )}
          <PostButton
            action="/dashboard/mail/retry"
            text={dead > 0 ? viewer.texts.common.sendAgain : t.tryNow}
            style="small"
            label={t.allAgainTo(recipient)}
            fields={{ recipient }}
          />
        </div>
      )}
    </li>
  );
}

/** The forms of a group and its time; opened, what the server said and the newest mails. */
function CauseFacts({ viewer, group: { newest, formNames, dead, retrying }, now }: CauseProps) {
  const t = MAIL_PAGES_TEXTS[viewer.language];
  const [{ mail } = { mail: null }] = newest;
  const names = [...formNames].slice(0, MAX_FORM_NAMES).join(', ');
  const state = dead > 0 ? 'dead' : 'retrying';
  return (
    <details class="small">
      <summary class="soft">
        {mail && (
          <>
            {mail.state === 'dead' ? t.last : t.next}{' '}
            {mail.state === 'dead' ? (
              <Ago viewer={viewer} at={mail.settledAt ?? mail.createdAt} now={now} />
            ) : (
              <Time viewer={viewer} at={mail.dueAt} />
            )}
            {' · '}
          </>
        )}
        {names && <bdi>{formNames.size > MAX_FORM_NAMES ? `${names} …` : names}</bdi>}
        {names && ' · '}
        <span class="look">{t.showEmails}</span>
      </summary>
      <ul class="list">
        {newest.map((item) => (
          <MailRow viewer={viewer} {...item} now={now} />
        ))}
        {dead + retrying > newest.length && (
          <li>
            <a href={`/dashboard/mail?state=${state}`}>{viewer.texts.strip.more(dead + retrying - newest.length)}</a>
          </li>
        )}
      </ul>
    </details>
  );
}

/** A mail in the list, with a button that retries it. */
export function MailRow({ viewer, mail, reason, sender, now }: Readonly<{ viewer: Viewer; now: Micros }> & MailItem) {
  const t = MAIL_PAGES_TEXTS[viewer.language];
  const kind = t.kinds[mail.kind];
  const recipient = mail.recipient ?? t.visitor;
  const [text, at] = getProgress(t, mail) ?? [];
  const hasFailed = mail.state === 'retrying' || mail.state === 'dead';
  const title = sender ? <bdi>{sender}</bdi> : kind;
  return (
    <li class="entry">
      <div class="grow">
        <p class="flush">
          {mail.submissionId === null ? (
            <strong>{title}</strong>
          ) : (
            <a class="cover" href={`/dashboard/submissions/${mail.submissionId}`}>
              <strong>{title}</strong>
            </a>
          )}
          {sender && ` · ${kind}`}
        </p>
        <p class="flush small soft">
          {t.to} <bdi>{recipient}</bdi>
          {mail.formId !== null && (
            <>
              {' · '}
              <a class="above" href={`/dashboard/forms/${mail.formId}`}>
                <bdi>{mail.formName}</bdi>
              </a>
            </>
          )}
          {text && ` · ${text} `}
          {at && <Time viewer={viewer} at={at} />}
        </p>
        {reason !== null && (
          <p class="flush small">
            {t.said} <q>{reason.replace(NODEMAILER_CODES, '')}</q>
          </p>
        )}
      </div>
      <span class="small soft">
        <Ago viewer={viewer} at={(mail.state === 'sent' && mail.settledAt) || mail.createdAt} now={now} />
      </span>
      {hasFailed && viewer.can('edit') && (
        <div class="above">
          <PostButton
            action={`/dashboard/mail/${mail.id}/retry`}
            text={viewer.texts.common.sendAgain}
            style="small"
            label={t.againTo(kind, recipient)}
          />
        </div>
      )}
    </li>
  );
}

/** Returns the state since the creation, and its time. */
function getProgress(t: (typeof MAIL_PAGES_TEXTS)['en'], { state, createdAt, dueAt, settledAt, failures }: TeamMail) {
  if (state === 'retrying') return [`${t.failed(failures)} · ${t.next}`, dueAt] as const;
  if (state === 'queued' && dueAt > createdAt) return [t.due, dueAt] as const;
  return state === 'dead' ? ([t.gaveUp, settledAt ?? createdAt] as const) : null;
}

type RecipientProps = Readonly<{
  viewer: Viewer;
  recipient: string;
  forms: readonly Form[];
  path: string;
  error: string | undefined;
  address: string;
}>;

/** The forms that notify an address, with inputs that change or remove it in all of them. */
export function RecipientView({ viewer, recipient, forms, path, error, address }: RecipientProps) {
  const t = MAIL_PAGES_TEXTS[viewer.language];
  return (
    <>
      <h1>{t.recipient}</h1>
      <p class="soft">{forms.length === 0 ? t.notNotified(recipient) : t.notified(recipient)}</p>
      <form method="post" action={path} class="card narrow">
        <ul>
          {forms.map(({ id, name }) => (
            <li>
              <a href={`/dashboard/forms/${id}/settings/mail`}>
                <bdi>{name}</bdi>
              </a>
            </li>
          ))}
        </ul>
        {forms.length > 0 && (
          <>
            <LineInput type="email" name="address" label={t.newAddress} value={address} error={error} />
            <div class="row">
              <button>{t.changeAddress}</button>
              <button class="danger" name="do" value="remove" id="remove">
                {t.removeFrom(forms.length)}
              </button>
              <LinkButton href="/dashboard/mail" text={viewer.texts.common.cancel} />
            </div>
          </>
        )}
      </form>
    </>
  );
}
