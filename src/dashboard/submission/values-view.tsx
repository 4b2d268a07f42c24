/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../domain/form.ts';
import type { Payload, PayloadValue } from '../../domain/submission.ts';
import { plainText } from '../ui/payload-text.ts';
import type { Viewer } from '../viewer.ts';

/** Characters of a value shown; a longer value has a page of its own. */
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
  /** Returns the path of the page with a whole value. */
  valuePath: (index: number) => string;
  /** Returns the path of the page that begins with a field. */
  fieldsPath: (index: number) => string;
}>;

/** Fields and values of a submission, as many as fit on a page. */
export function Values({ viewer, form, payload, first, valuePath, fieldsPath }: Props) {
  const { submission: t, inbox } = viewer.texts;
  if (payload.length === 0) return <p class="soft">{inbox.nobody}</p>;
  const fields = fieldsFrom(form, payload, first, t.nameless);
  const next = first + fields.length;
  const rest = payload.length - next;
  return (
    <>
      <dl class="facts">
        {fields.map(({ label, value, text }, index) => (
          <>
            <dt>
              <bdi>{label}</bdi>
            </dt>
            <dd>
              {text.length <= MAX_LENGTH ? (
                <Value viewer={viewer} value={value} depth={0} />
              ) : (
                <LongValue text={text} path={valuePath(first + index)} label={t.showAll} />
              )}
            </dd>
          </>
        ))}
      </dl>
      {first > 0 && (
        <p>
          <a href={fieldsPath(0)}>{t.firstFields}</a>
        </p>
      )}
      {rest > 0 && (
        <p>
          <a href={fieldsPath(next)}>{t.moreFields(viewer.number(rest))}</a>
        </p>
      )}
    </>
  );
}

type Field = Readonly<{ label: string; value: PayloadValue; text: string }>;

/** Returns the fields of one page, beginning with `first`. */
function fieldsFrom(form: Form, payload: Payload, first: number, nameless: string): readonly Field[] {
  const labels = new Map(form.fields.map(({ name, label }) => [name, label]));
  const fields: Field[] = [];
  let bytes = 0;
  for (const [name, value] of payload.slice(first)) {
    if (fields.length > 0 && bytes > PAGE_BYTES) break;
    const text = plainText(value);
    const label = labels.get(name) || name || nameless;
    bytes += Buffer.byteLength(label) + Buffer.byteLength(text.slice(0, MAX_LENGTH)) + FIELD_BYTES;
    fields.push({ label, value, text });
  }
  return fields;
}

function LongValue({ text, path, label }: Readonly<{ text: string; path: string; label: string }>) {
  return (
    <>
      <bdi>{beginningOf(text)}…</bdi> <a href={path}>{label}</a>
    </>
  );
}

/** Cuts a text without splitting a surrogate pair. */
function beginningOf(text: string): string {
  return text.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '');
}

type NestedValue = Extract<PayloadValue, object>;

type ValueProps<V = PayloadValue> = Readonly<{ viewer: Viewer; value: V; depth: number }>;

/** A whole value; `depth` is 0 for the value of a field. */
export function Value({ viewer, value, depth }: ValueProps) {
  const { submission: t, common } = viewer.texts;
  if (value === null || value === '') return <span class="soft">{t.nothing}</span>;
  if (typeof value === 'boolean') return <>{value ? common.yes : common.no}</>;
  if (typeof value !== 'object') return <bdi>{value}</bdi>;
  if (Object.keys(value).length === 0) return <span class="soft">{t.nothing}</span>;
  const isLarge = depth >= MAX_DEPTH || (depth === 0 && partsOf(value) > MAX_PARTS);
  if (isLarge) return <code>{JSON.stringify(value, null, 1)}</code>;
  return <Nested viewer={viewer} value={value} depth={depth + 1} />;
}

function Nested({ viewer, value, depth }: ValueProps<NestedValue>) {
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

function partsOf(value: PayloadValue): number {
  if (value === null || typeof value !== 'object') return 1;
  return Object.values<PayloadValue>(value).reduce<number>((sum, inner) => sum + partsOf(inner), 1);
}
