/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { TRASH_DAYS } from '../../../domain/submissions/submission.ts';
import { DAY, type Micros } from '../../../lib/clock.ts';
import { normalize } from '../../../lib/normalize.ts';
import { toWords } from '../../../services/submissions/search.ts';
import { Icon } from '../../ui/icon.tsx';
import { type InboxList, submissionAddress } from '../../ui/inbox-list.ts';
import { ShortTime } from '../../ui/time.tsx';
import type { Viewer } from '../../viewer.ts';
import type { InboxRow } from './row.ts';
import { INBOX_TEXTS } from './texts.ts';

/** A row and its list. */
export type RowProps = Readonly<{ viewer: Viewer; list: InboxList; row: InboxRow; now: Micros }>;

/** The items of a list. */
export function Rows({ rows, ...props }: Omit<RowProps, 'row'> & Readonly<{ rows: readonly InboxRow[] }>) {
  return (
    <>
      {rows.map((row) => (
        <Row {...props} row={row} />
      ))}
    </>
  );
}

function Row(props: RowProps) {
  const { viewer, list, row } = props;
  const { id, excerpt, reasons } = row;
  const words = toWords(list.q);
  return (
    <li class="item" data-id={id}>
      <RowControls {...props} />
      <div>
        <div class="line">
          <Title {...props} />
          <RowFacts {...props} />
        </div>
        <div class="excerpt small">
          <bdi>
            <Marked text={excerpt} words={words} />
          </bdi>
        </div>
        {reasons.length > 0 && (
          <div class="excerpt small">
            {INBOX_TEXTS[viewer.language].why} <bdi>{reasons.join(' · ')}</bdi>
          </div>
        )}
      </div>
    </li>
  );
}

/** The checkbox and the star of a row, for members who may change it. */
export function RowControls({ viewer, row }: Pick<RowProps, 'viewer' | 'row'>) {
  const t = INBOX_TEXTS[viewer.language];
  const { id, isStarred, trashedAt } = row;
  const who = getTitle(viewer, row);
  if (!viewer.can('edit')) return null;
  return (
    <>
      <input class="above" type="checkbox" name="submission" value={id} aria-label={t.select(who)} autocomplete="off" />
      {trashedAt === null && (
        <button
          class="above star"
          name="do"
          value={`${isStarred ? 'unstar' : 'star'} ${id}`}
          aria-label={t.star(who)}
          aria-pressed={isStarred ? 'true' : 'false'}
        >
          <Icon name="star" isFilled={isStarred} />
        </button>
      )}
    </>
  );
}

/** The sender, with a link to the submission. */
export function Title({ viewer, list, row, text }: RowProps & Readonly<{ text?: string }>) {
  const { id, isUnread } = row;
  return (
    <a class={isUnread ? 'title cover unread' : 'title cover'} href={submissionAddress(id, list)}>
      {isUnread && (
        <span class="dot">
          <span class="visually-hidden">{INBOX_TEXTS[viewer.language].unread}</span>
        </span>
      )}
      <bdi>
        <Marked text={text || getTitle(viewer, row)} words={toWords(list.q)} />
      </bdi>
    </a>
  );
}

function getTitle({ language }: Viewer, { who, isDamaged }: InboxRow): string {
  const t = INBOX_TEXTS[language];
  return isDamaged ? t.damaged : who || t.nobody;
}

function RowFacts({ viewer, list, row, now }: RowProps) {
  const t = INBOX_TEXTS[viewer.language];
  const { form, createdAt, isDamaged, isSpam, isMaybeSpam, hasFiles, trashedAt } = row;
  return (
    <span class="soft small facts">
      {hasFiles && <span class="badge">{t.files}</span>}
      {isDamaged && <span class="badge bad">{t.unreadable}</span>}
      {isSpam && list.part !== 'spam' && <span class="badge bad">{t.parts.spam}</span>}
      {isMaybeSpam && <MaybeSpamBadge viewer={viewer} list={list} />}
      {trashedAt !== null && <span class="badge">{t.daysLeft(daysLeft(trashedAt, now))}</span>}
      {list.in === 'inbox' && <bdi class="form-name">{form.name}</bdi>}
      <ShortTime viewer={viewer} at={createdAt} now={now} />
    </span>
  );
}

/** The badge of possible spam, outside its own view. */
export function MaybeSpamBadge({ viewer, list }: Pick<RowProps, 'viewer' | 'list'>) {
  return list.part === 'maybe' ? null : <span class="badge warn">{INBOX_TEXTS[viewer.language].parts.maybe}</span>;
}

function daysLeft(trashedAt: Micros, now: Micros): number {
  return Math.max(0, Math.ceil((trashedAt + TRASH_DAYS * DAY - now) / DAY));
}

/** A text with the words of a search highlighted. */
export function Marked({ text, words }: Readonly<{ text: string; words: readonly string[] }>) {
  if (words.length === 0) return <>{text}</>;
  // The pattern has a group, so that `split` returns the matches at odd positions.
  const parts = normalize(text, 'NFC').split(new RegExp(`(${words.map(RegExp.escape).join('|')})`, 'iu'));
  return <>{parts.map((part, index) => (index % 2 === 1 ? <mark>{part}</mark> : part))}</>;
}
