/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../../domain/forms/form.ts';
import { toWords } from '../../../services/submissions/search.ts';
import { DrawnValue } from '../../ui/drawn-value.tsx';
import { type InboxList, listAddress } from '../../ui/inbox-list.ts';
import { ShortTime } from '../../ui/time.tsx';
import type { Viewer } from '../../viewer.ts';
import { getLabel } from './columns.ts';
import type { InboxRow } from './row.ts';
import { Marked, MaybeSpamBadge, RowControls, type RowProps, Title } from './row-view.tsx';
import { INBOX_TEXTS } from './texts.ts';

type Props = Omit<RowProps, 'row'> &
  Readonly<{ form: Form; columns: readonly string[]; rows: readonly InboxRow[]; label: string }>;

/** The submissions of a form with a column for each chosen field. On phones, each row is a card. */
export function Table({ form, columns, rows, label, ...props }: Props) {
  const { viewer, list, now } = props;
  const t = INBOX_TEXTS[viewer.language];
  const labels = columns.map((name) => getLabel(form, name));
  return (
    <div class="scroll grid-table" tabindex={0} role="group" aria-label={label} hidden={rows.length === 0}>
      <table>
        <thead>
          <tr>
            {viewer.can('edit') && (
              <th scope="col" class="controls">
                <span class="visually-hidden">{t.selection}</span>
              </th>
            )}
            {columns.map((name) => (
              <SortHead {...{ viewer, list }} label={getLabel(form, name)} sorts={[`up ${name}`, `down ${name}`]} />
            ))}
            <SortHead viewer={viewer} list={list} label={t.received} sorts={['', 'oldest']} />
          </tr>
        </thead>
        <tbody id="submissions">
          {rows.map((row) => (
            <tr data-id={row.id}>
              {viewer.can('edit') && (
                <td class="controls">
                  <RowControls viewer={viewer} row={row} />
                </td>
              )}
              {row.cells.map((cell, index) => (
                <td data-label={labels[index]}>
                  {index === 0 ? (
                    <Title {...props} row={row} text={cell.text} />
                  ) : (
                    <DrawnValue display={cell.display}>
                      <bdi>
                        <Marked text={cell.text} words={toWords(list.q)} />
                      </bdi>
                    </DrawnValue>
                  )}
                </td>
              ))}
              <td data-label={t.received} class="soft">
                {row.isMaybeSpam && <MaybeSpamBadge viewer={viewer} list={list} />}{' '}
                <ShortTime viewer={viewer} at={row.createdAt} now={now} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type SortProps = Readonly<{
  viewer: Viewer;
  list: InboxList;
  label: string;
  /** The order of the first click, and of the next one. */
  sorts: readonly [string, string];
}>;

/** The heading of a column, with a link that sorts by it. Searches are not sorted. */
function SortHead({ viewer, list, label, sorts: [first, second] }: SortProps) {
  const t = INBOX_TEXTS[viewer.language];
  const isSorted = list.q === '' && [first, second].includes(list.sort);
  const isAscending = list.sort === 'oldest' || list.sort.startsWith('up ');
  const sort = list.sort === first ? second : first;
  return (
    <th scope="col" aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : undefined}>
      {list.q === '' ? (
        <a href={listAddress({ ...list, sort })} title={t.sortBy(label)}>
          <bdi>{label}</bdi>
          {isSorted && <span aria-hidden="true">{isAscending ? ' ↑' : ' ↓'}</span>}
        </a>
      ) : (
        <bdi>{label}</bdi>
      )}
    </th>
  );
}
