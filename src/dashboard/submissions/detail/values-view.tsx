/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { type DescribeField, fieldDescriber, sortByForm } from '../../../domain/fields/field-display.ts';
import { getFieldType } from '../../../domain/fields/field-types.ts';
import type { Form } from '../../../domain/forms/form.ts';
import { plainText } from '../../../domain/mail/plain-text.ts';
import type { Payload, PayloadValue } from '../../../domain/submissions/submission.ts';
import { DrawnValue } from '../../ui/drawn-value.tsx';
import { LinkLine } from '../../ui/elements.tsx';
import type { Viewer } from '../../viewer.ts';
import { INBOX_TEXTS } from '../inbox/texts.ts';
import { LinkedText, PHONE_FIELD } from './linked-text.tsx';
import { SUBMISSION_TEXTS } from './texts.ts';

/** Characters of a value shown; a longer value has its own page. */
const MAX_LENGTH = 2_000;
/** Bytes of text on a page, which keeps it below 50 KB compressed. */
const PAGE_BYTES = 24_000;
/** Compressed size of a field's markup. */
const FIELD_BYTES = 16;
/** Levels of nesting shown as lists; deeper values are shown as JSON, since each level is indented. */
const MAX_DEPTH = 5;
/** Parts of a value shown as lists; values with more are shown as JSON, which renders faster. */
const MAX_PARTS = 2_000;

type Props = Readonly<{
  viewer: Viewer;
  form: Form;
  payload: Payload;
  /** Index of the first field shown. */
  first: number;
  /** Names of fields that the page's head shows. */
  shown: readonly string[];
  /** Returns the path of the page with a whole value. */
  valuePath: (index: number) => string;
  /** Returns the path of the page that begins with a field. */
  fieldsPath: (index: number) => string;
}>;

/** Fields and values of a submission, as many as fit on a page. */
export function Values({ viewer, form, payload, first, shown, valuePath, fieldsPath }: Props) {
  const inbox = INBOX_TEXTS[viewer.language];
  const t = SUBMISSION_TEXTS[viewer.language];
  if (payload.length === 0) return <p class="soft">{inbox.nobody}</p>;
  const fields = fieldsFrom(form, payload, first, t.nameless);
  const describe = fieldDescriber(form.fields, viewer.values);
  const next = first + fields.length;
  const rest = payload.length - next;
  return (
    <>
      <dl class="values">
        {fields
          .filter(({ name }) => !shown.includes(name))
          .map((field) => (
            <div class={isMessage(field) ? 'message' : undefined}>
              <dt>
                <bdi>{field.label}</bdi>
              </dt>
              <dd>
                {field.text.length <= MAX_LENGTH ? (
                  <ShortValue viewer={viewer} describe={describe} {...field} />
                ) : (
                  <>
                    <LinkedText text={`${getBeginning(field.text)}…`} />{' '}
                    <a href={valuePath(field.index)}>{t.showAll}</a>
                  </>
                )}
              </dd>
            </div>
          ))}
      </dl>
      {first > 0 && <LinkLine href={fieldsPath(0)} text={t.firstFields} />}
      {rest > 0 && <LinkLine href={fieldsPath(next)} text={t.moreFields(viewer.number(rest))} />}
    </>
  );
}

/** A field of a page, with its index in the payload. `type` is undefined if it is not configured. */
type Field = Readonly<{
  index: number;
  name: string;
  label: string;
  type: string | undefined;
  value: PayloadValue;
  text: string;
}>;

/** Returns the fields of one page in the form's order, beginning with `first`. */
function fieldsFrom(form: Form, payload: Payload, first: number, nameless: string): readonly Field[] {
  const configured = new Map(form.fields.map((field) => [field.name, field]));
  const fields: Field[] = [];
  let bytes = 0;
  const numbered = payload.map(([name, value], index) => [name, value, index] as const);
  for (const [name, value, index] of sortByForm(form.fields, numbered).slice(first)) {
    if (fields.length > 0 && bytes > PAGE_BYTES) break;
    const text = plainText(value);
    const { label: ownLabel, type } = configured.get(name) ?? {};
    const label = ownLabel || name || nameless;
    bytes += Buffer.byteLength(label) + Buffer.byteLength(text.slice(0, MAX_LENGTH)) + FIELD_BYTES;
    fields.push({ index, name, label, type, value, text });
  }
  return fields;
}

/** Characters of a text that is read like a message rather than at a glance. */
const MESSAGE_LENGTH = 120;

function isMessage({ type, text, value }: Field): boolean {
  return type === 'textarea' || (typeof value === 'string' && text.length > MESSAGE_LENGTH);
}

type ShortProps = Field & Readonly<{ viewer: Viewer; describe: DescribeField }>;

/** A value as its type shows it, or a text with a button that copies it. */
function ShortValue({ viewer, describe, index, name, label, type, value, text }: ShortProps) {
  const t = SUBMISSION_TEXTS[viewer.language];
  const { common } = viewer.texts;
  const { html } = getFieldType({ type: type ?? '' });
  const id = `value-${index}`;
  const display = describe(name, value === '' && html.control === 'box' ? false : value);
  if (display.drawn !== null) return <DrawnValue display={display} />;
  if (value === '' || (typeof value !== 'string' && typeof value !== 'number')) {
    return <Value viewer={viewer} value={value} depth={0} />;
  }
  return (
    <>
      <span id={id}>
        <LinkedText
          text={type === 'date' ? (display.texts[0] ?? text) : text}
          isPhone={html.type === 'tel' || PHONE_FIELD.test(name)}
        />
      </span>
      <button
        type="button"
        class="link small copy"
        hidden
        data-copy={id}
        data-copied={common.copied}
        aria-label={t.copyOf(label)}
      >
        {common.copy}
      </button>
    </>
  );
}

/** Cuts a text without splitting a surrogate pair. */
const getBeginning = (text: string): string => text.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '');

type ValueProps<V = PayloadValue> = Readonly<{ viewer: Viewer; value: V; depth: number }>;

/** A whole value; `depth` is 0 for the value of a field. */
export function Value({ viewer, value, depth }: ValueProps) {
  const t = SUBMISSION_TEXTS[viewer.language];
  const { common } = viewer.texts;
  if (value === null || value === '') return <span class="soft">{t.nothing}</span>;
  if (typeof value === 'boolean') return <>{value ? common.yes : common.no}</>;
  if (typeof value !== 'object') return <LinkedText text={String(value)} />;
  if (Object.keys(value).length === 0) return <span class="soft">{t.nothing}</span>;
  const isLarge = depth >= MAX_DEPTH || (depth === 0 && getParts(value) > MAX_PARTS);
  if (isLarge) return <code>{JSON.stringify(value, null, 1)}</code>;
  return <Nested viewer={viewer} value={value} depth={depth + 1} />;
}

function Nested({ viewer, value, depth }: ValueProps<Extract<PayloadValue, object>>) {
  if (Array.isArray(value)) {
    return (
      <ul class="nested">
        {value.map((item) => (
          <li>
            <Value viewer={viewer} value={item} depth={depth} />
          </li>
        ))}
      </ul>
    );
  }
  return (
    <dl class="nested">
      {Object.entries<PayloadValue>(value).map(([name, item]) => (
        <>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd>
            <Value viewer={viewer} value={item} depth={depth} />
          </dd>
        </>
      ))}
    </dl>
  );
}

function getParts(value: PayloadValue): number {
  if (value === null || typeof value !== 'object') return 1;
  return Object.values<PayloadValue>(value).reduce<number>((sum, inner) => sum + getParts(inner), 1);
}
