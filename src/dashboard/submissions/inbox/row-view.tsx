/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { FieldDisplay } from '../../../domain/fields/field-display.ts';
import { TRASH_DAYS } from '../../../domain/submissions/submission.ts';
import { DAY, formatTime, type Micros } from '../../../lib/clock.ts';
import { normalize } from '../../../lib/normalize.ts';
import { toWords } from '../../../services/submissions/search.ts';
import { Avatar, hueClass } from '../../ui/avatar.tsx';
import { DrawnValue } from '../../ui/drawn-value.tsx';
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
      {rows.map((row, index) => (
        <Row {...props} row={row} isFirst={index === 0} />
      ))}
    </>
  );
}

function Row({ isFirst, ...props }: RowProps & Readonly<{ isFirst: boolean }>) {
  const { viewer, list, row } = props;
  const { id, excerpt, rest, reasons } = row;
  const words = toWords(list.q);
  return (
    <li class="item" data-id={id} data-first={isFirst ? '' : undefined}>
      <RowControls {...props} />
      <Avatar name={row.isNamed ? row.who : ''} of={row.isNamed ? row.who : id} />
      <div class="line">
        <Title {...props} />
        <RowFacts {...props} />
      </div>
      <Ago {...props} />
      <div class="excerpts small">
        <div class="excerpt">
          {words.length === 0 && <Chips {...props} />}
          <bdi>
            <Marked text={words.length === 0 ? rest : excerpt} words={words} />
          </bdi>
        </div>
        {reasons.length > 0 && (
          <div class="excerpt">
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
  const { form, isDamaged, isSpam, isMaybeSpam, trashedAt } = row;
  return (
    <span class="soft small facts">
      {isDamaged && <span class="badge bad">{t.unreadable}</span>}
      {isSpam && list.part !== 'spam' && <span class="badge bad">{t.parts.spam}</span>}
      {isMaybeSpam && <MaybeSpamBadge viewer={viewer} list={list} />}
      {trashedAt !== null && <span class="badge">{t.daysLeft(daysLeft(trashedAt, now))}</span>}
      {list.in === 'inbox' && <bdi class={`form-name ${hueClass(form.id)}`}>{form.name}</bdi>}
    </span>
  );
}

/** A recent time as its age, an earlier one as the day. The exact time is its title. */
function Ago({ viewer, row: { createdAt }, now }: RowProps) {
  if (now - createdAt >= DAY) return <ShortTime viewer={viewer} at={createdAt} now={now} />;
  return (
    <time datetime={formatTime(createdAt)} title={viewer.formatTime(createdAt)}>
      {viewer.ago(createdAt, now)}
    </time>
  );
}

/** At most two values as their types show them, and a mark of files. */
function Chips({ viewer, row: { chips, hasFiles } }: RowProps) {
  return (
    <>
      {chips.map((chip) => (
        <>
          <DrawnChip chip={chip} />{' '}
        </>
      ))}
      {hasFiles && <span class="option">{INBOX_TEXTS[viewer.language].files}</span>}{' '}
    </>
  );
}

/** A box with its label, since yes or no mean little alone; other values without. */
function DrawnChip({ chip: { drawn, label, texts } }: Readonly<{ chip: FieldDisplay }>) {
  if (drawn?.kind === 'box') return <DrawnValue display={{ drawn, label, texts: [label] }} isChip />;
  return <DrawnValue display={{ drawn, label, texts: texts.slice(0, 1) }} isChip />;
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
