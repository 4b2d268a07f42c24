import {
  type Condition,
  findRecipient,
  MAX_CONDITIONS,
  type RecipientConditions,
  recipientConditions,
  validateWhen,
} from '../../../domain/forms/condition.ts';
import type { Form } from '../../../domain/forms/form.ts';
import { MAX_ADDRESSES } from '../../../domain/mail/email-address.ts';
import type { Texts } from '../../i18n/index.ts';
import { type ConditionRow, getCondition, isBlank, NO_CONDITION, readRows, toRow } from '../../ui/condition-inputs.tsx';
import { parseInput } from '../../ui/parse-input.ts';
import type { ParsedSection } from './sections.ts';

/** Unchecked inputs of a condition of a recipient. */
type RecipientRow = ConditionRow & Readonly<{ recipient: string }>;

/** Empty rows for new conditions. */
const NEW_ROWS = 2;

/** Returns the saved conditions as rows, and some empty rows. */
export function recipientRows({ notifyWhen }: Form): RecipientRow[] {
  const saved = Object.entries(notifyWhen).flatMap(([recipient, when]) =>
    when.map((condition) => ({ ...toRow(condition), recipient })),
  );
  return [...saved, ...Array.from({ length: NEW_ROWS }, () => ({ ...NO_CONDITION, recipient: '' }))];
}

/** Reads the rows that the page submitted. */
export function readRecipientRows(input: URLSearchParams): RecipientRow[] {
  const recipients = input.getAll('recipient');
  const rows = readRows(input, MAX_ADDRESSES * MAX_CONDITIONS + NEW_ROWS);
  return rows.map((row, index) => ({ ...row, recipient: (recipients[index] ?? '').trim() }));
}

/** Parses the conditions of these recipients. Rows without field and value are left out. */
export function parseRecipientRows(
  rows: readonly RecipientRow[],
  recipients: readonly string[],
  texts: Texts,
): ParsedSection {
  const errors: Record<string, string> = {};
  let notifyWhen: RecipientConditions = {};
  for (const [index, row] of rows.entries()) {
    if (isBlank(row)) continue;
    const recipient = findRecipient(row.recipient, recipients) ?? row.recipient;
    const condition = parseInput(texts, () => validateWhen([getCondition(row)]));
    const added: readonly Condition[] = 'value' in condition ? condition.value : [];
    const when = [...(notifyWhen[recipient] ?? []), ...added];
    const parsed = parseInput(texts, () => recipientConditions([[recipient, when]], recipients));
    if ('value' in parsed) notifyWhen = { ...notifyWhen, ...parsed.value };
    else errors[`recipient-${index}`] = parsed.error;
    if (row.field.trim() === '') errors[`field-${index}`] = texts.webhooks.noField;
    else if ('error' in condition) errors[`value-${index}`] = condition.error;
  }
  return { changes: { notifyWhen }, errors };
}
