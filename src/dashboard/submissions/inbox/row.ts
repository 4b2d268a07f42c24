import type { Context } from '../../../context/context.ts';
import { type FieldDisplay, fieldDescriber } from '../../../domain/fields/field-display.ts';
import type { Form } from '../../../domain/forms/form.ts';
import { describeReasons } from '../../../domain/spam/spam-reasons.ts';
import type { StoredSubmission } from '../../../domain/submissions/submission.ts';
import type { Workspace } from '../../../domain/teams/team.ts';
import { formatTime, type Micros } from '../../../lib/clock.ts';
import { readExcerpt, readSpamReasons } from '../../../services/submissions/read-submission.ts';
import type { InboxList } from '../../ui/inbox-list.ts';
import { type Brief, describeValue, getBrief } from '../../ui/payload-text.ts';
import { mapSubmissionsAt } from '../../ui/submissions-at.ts';
import type { Viewer } from '../../viewer.ts';

/** A value in a table: its text, and the way it is drawn. */
export type Cell = Readonly<{ text: string; display: FieldDisplay }>;

/** A submission in a list. */
export type InboxRow = Brief &
  Pick<StoredSubmission, 'id' | 'createdAt' | 'isSpam' | 'isMaybeSpam' | 'isStarred' | 'trashedAt'> &
  Readonly<{
    form: Form;
    isUnread: boolean;
    isDamaged: boolean;
    hasFiles: boolean;
    /** Reasons of the spam filter, in the views of spam and possible spam only. */
    reasons: readonly string[];
    /** Values of the columns of a table. */
    cells: readonly Cell[];
  }>;

/** The way to read rows: forms in the list, columns of the table, and whether rows need their spam reasons. */
export type RowReader = Readonly<{
  context: Context;
  viewer: Viewer;
  forms: readonly Form[];
  /** Names of fields; empty for a list. */
  columns: readonly string[];
  withReasons: boolean;
}>;

/** Reads the rows of submissions like `mapSubmissionsAt`, without those of other forms. */
export async function rowsAt(reader: RowReader, times: readonly Micros[]) {
  const toRows = (submission: StoredSubmission) => toRow(reader, submission);
  const { mapped, reached } = await mapSubmissionsAt(reader.context.store, times, toRows);
  return { rows: mapped.flat(), reached };
}

/** Returns the row of a submission, or none if its form is not listed. */
export function toRow(reader: RowReader, submission: StoredSubmission): readonly InboxRow[] {
  const { context, viewer, forms, columns, withReasons } = reader;
  const { vault, log } = context;
  const form = forms.find(({ id }) => id === submission.formId);
  if (!form) return [];
  const { id, createdAt, isSpam, isMaybeSpam, isStarred, readAt, trashedAt, files } = submission;
  const payload = readExcerpt(vault, log, submission);
  const values = new Map(payload ?? []);
  const describe = fieldDescriber(form.fields, viewer.values);
  return [
    {
      ...getBrief(form, payload ?? [], viewer.values),
      ...{ id, createdAt, form, isSpam, isMaybeSpam, isStarred, trashedAt },
      isUnread: !isSpam && readAt === null && trashedAt === null,
      isDamaged: payload === null,
      hasFiles: files !== null,
      reasons: withReasons ? describeReasons(readSpamReasons(vault, log, submission), viewer.language) : [],
      cells: columns.map((name) => describeValue(describe, name, values.get(name) ?? null)),
    },
  ];
}

/** Returns the time of the newest row, or the epoch if there is none. */
export function getNewest(rows: readonly InboxRow[]): string {
  return formatTime(Math.max(0, ...rows.map(({ createdAt }) => createdAt)));
}

/** A list with the forms it can show; `form` is null for the list across forms. */
export type Place = Readonly<{
  list: InboxList;
  forms: readonly Form[];
  workspaces: readonly Workspace[];
  form: Form | null;
}>;
