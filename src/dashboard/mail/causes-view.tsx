/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../domain/forms/form.ts';
import { type BounceCause, bounceCause } from '../../domain/mail/bounce.ts';
import type { TeamMail } from '../../storage/records.ts';
import { ErrorMessage, LinkButton, PostButton } from '../ui/elements.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { EntryList } from '../ui/entry-list.tsx';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import { MAIL_PAGES_TEXTS } from './texts.ts';

/** A mail, and the mail server's response to the last attempt. */
export type MailItem = Readonly<{ mail: TeamMail; reason: string | null }>;

/** Failed mails to one recipient for one cause. */
export type CauseGroup = {
  readonly state: 'dead' | 'retrying';
  readonly cause: BounceCause;
  readonly newest: MailItem;
  readonly formNames: Set<string>;
  count: number;
};

/** Codes of the mail library after the server's words, such as (EENVELOPE, RCPT TO). */
const NODEMAILER_CODES = / \(E[A-Z0-9]+(?:, [A-Z ]+)?\)$/;

/** Returns what the mail server said, without codes of the mail library. */
export const serverWords = (reason: string) => reason.replace(NODEMAILER_CODES, '');

/** Groups failed mails, of which the newest come first. Returns the groups with the most mails first. */
export function groupByCause(items: readonly MailItem[]): readonly CauseGroup[] {
  const groups = new Map<string, CauseGroup>();
  for (const item of items) {
    const { recipient, formName } = item.mail;
    const state = item.mail.state === 'dead' ? 'dead' : 'retrying';
    const cause = bounceCause(item.reason ?? '');
    const group = groups.getOrInsertComputed(`${state} ${cause} ${recipient}`, () => {
      return { state, cause, newest: item, formNames: new Set<string>(), count: 0 };
    });
    group.count += 1;
    if (formName !== null) group.formNames.add(formName);
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

type MailTexts = (typeof MAIL_PAGES_TEXTS)['en'];

const MAX_FORM_NAMES = 3;

/** A tab without mails. */
export function NoMails({ viewer, state }: Readonly<{ viewer: Viewer; state: keyof MailTexts['none'] }>) {
  const [title = '', text = ''] = MAIL_PAGES_TEXTS[viewer.language].none[state];
  return <EmptyState icon="mail" title={title} text={text} />;
}

export function Causes({ viewer, groups }: Readonly<{ viewer: Viewer; groups: readonly CauseGroup[] }>) {
  return (
    <EntryList items={groups} empty={<NoMails viewer={viewer} state="causes" />}>
      {(group) => <Cause viewer={viewer} group={group} />}
    </EntryList>
  );
}

function Cause({ viewer, group }: Readonly<{ viewer: Viewer; group: CauseGroup }>) {
  const { state, cause, newest, formNames, count } = group;
  const { mail, reason } = newest;
  const { recipient } = mail;
  const t = MAIL_PAGES_TEXTS[viewer.language];
  const listed = [...formNames].slice(0, MAX_FORM_NAMES).join(', ');
  return (
    <li class="row cause">
      <div class="grow">
        <p class="flush">
          <strong>
            <bdi>{recipient ?? t.visitor}</bdi>
          </strong>{' '}
          <span class={state === 'dead' ? 'badge bad' : 'badge'}>{t.grouped[state](count, viewer.number(count))}</span>
        </p>
        <p class="flush">{t.causes[cause]}</p>
        <p class="flush small soft">
          {listed && (
            <>
              <bdi>{formNames.size > MAX_FORM_NAMES ? `${listed} …` : listed}</bdi>
              {' · '}
            </>
          )}
          {state === 'dead' ? t.last : t.next}{' '}
          <Time viewer={viewer} at={state === 'dead' ? (mail.settledAt ?? mail.createdAt) : mail.dueAt} />
          {' · '}
          <a href={`/dashboard/mail?state=${state}`}>{t.showEmails}</a>
        </p>
        {reason && (
          <p class="flush small">
            {t.said} <q>{serverWords(reason)}</q>
          </p>
        )}
      </div>
      {recipient !== null && viewer.can('edit') && (
        <>
          {mail.kind === 'notification' && cause !== 'server' && (
            <LinkButton href={`/dashboard/mail/${mail.id}/recipient`} text={t.changeAddress} />
          )}
          <PostButton
            action="/dashboard/mail/retry"
            text={state === 'dead' ? viewer.texts.common.sendAgain : t.tryNow}
            label={t.allAgainTo(recipient)}
            fields={{ recipient, state }}
          />
        </>
      )}
    </li>
  );
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
      <p>{forms.length === 0 ? t.notNotified(recipient) : t.notified(recipient)}</p>
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
        <form method="post" action={path} class="card">
          <div class="field">
            <label for="address">{t.newAddress}</label>
            <input type="email" id="address" name="address" value={address} autocomplete="off" />
            <ErrorMessage error={error} />
          </div>
          <div class="row">
            <button>{t.changeAddress}</button>
            <button class="danger" name="do" value="remove">
              {t.removeFrom(forms.length)}
            </button>
            <LinkButton href="/dashboard/mail" text={viewer.texts.common.cancel} />
          </div>
        </form>
      )}
    </>
  );
}
