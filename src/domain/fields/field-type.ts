import { type Static, Type } from '@sinclair/typebox';
import { closed } from '../../lib/schema.ts';
import type { PayloadValue } from '../submissions/submission.ts';
import { MAX_PATTERN_INPUT_UNITS } from './pattern.ts';

const MAX_LENGTH = 'In UTF-16 units, with a line break counted as one, like `maxlength` in HTML.';
const PATTERN = `RE2 pattern that each whole value must match. Values with more than ${MAX_PATTERN_INPUT_UNITS} UTF-16 units in total never match.`;

const OPTION = Type.String({ minLength: 1, maxLength: 256, pattern: '^\\S(?:.*\\S)?$' });

/** Returns the schema of a field, with descriptions of the settings that only some types have. */
export const fieldSchema = (about: Readonly<Record<'options' | 'max', string>>) =>
  closed({
    name: Type.String({ minLength: 1, maxLength: 256 }),
    label: Type.String({ maxLength: 256 }),
    type: Type.String({ minLength: 1, maxLength: 32, pattern: '^[a-z][a-z0-9_-]*$' }),
    required: Type.Boolean(),
    help: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Help text below the label.' })),
    placeholder: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Example in the empty input of a text or number.' }),
    ),
    heading: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: 'Heading above the field.' })),
    max_length: Type.Optional(Type.Integer({ minimum: 1, maximum: 262_144, description: MAX_LENGTH })),
    pattern: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: PATTERN })),
    options: Type.Optional(
      Type.Array(OPTION, { minItems: 1, maxItems: 200, uniqueItems: true, description: about.options }),
    ),
    max: Type.Optional(Type.Integer({ minimum: 2, maximum: 10, description: about.max })),
  });

/** A configured field of a form, with its label and validation rules. */
export type FormField = Static<ReturnType<typeof fieldSchema>>;

/** Default of `max`, the best rating. */
export const DEFAULT_MAX_RATING = 5;

/** Words for values, in the language of the page, mail or export. */
export type ValueWords = Readonly<{
  yes: string;
  no: string;
  rating: (value: string, max: number) => string;
  /** Returns a day such as `2020-03-04` in words. Default: unchanged. */
  date?: (day: string) => string;
}>;

type TextIcon = 'text' | 'lines' | 'address' | 'phone' | 'link' | 'hash' | 'calendar';
type FieldIcon = TextIcon | 'select' | 'radio' | 'checked' | 'star' | 'check' | 'upload' | 'note';

/** Everything about a type of field. Hosted pages, snippets, editor, API, mails, exports and the manual ask it. */
export type FieldType<Code extends string = string> = Readonly<{
  /** Earlier name, which forms may still have. */
  alias?: string;
  /** Name in the languages of the dashboard. */
  label: Readonly<{ en: string; de: string }>;
  /** Icon and hue in the editor. */
  sign: readonly [icon: FieldIcon, hue: 'green' | 'blue' | 'violet' | 'orange' | 'teal' | 'pink'];
  /** Accepted values, for the manual. */
  accepts: string;
  /** Setting that only some types have. */
  setting?: 'options' | 'max';
  /** Error for an invalid value, with messages in `visitor/i18n/field-errors.ts`. Default: the name of the type. */
  error?: Code;
  /** Validates a filled value. Default: any text is valid. */
  isValid?: (text: string, value: PayloadValue, field: FormField) => boolean;
  /** Returns the limit that the error names. */
  limit?: (field: FormField) => number;
  /** Rule of a required field, in place of having a value. */
  required?: Readonly<{ error: Code; isMet: (values: readonly PayloadValue[]) => boolean }>;
  /** Control and attributes. A group or scale has one input for each of `choices`; an input without a type is a text. */
  html: Readonly<{
    control: 'input' | 'textarea' | 'select' | 'box' | 'group' | 'scale' | 'hidden';
    type?: string;
    autocomplete?: string;
    pattern?: string;
    step?: string;
  }>;
  choices?: (field: FormField) => readonly string[];
  /** Returns a value as people read it; null to show it unchanged. */
  format?: (value: string | number | boolean, words: ValueWords, field?: FormField) => string | null;
  sample?: (field: FormField) => string | undefined;
  /** Kind of summary of the answers. Exports keep numbers as numbers. */
  summary?: 'choice' | 'number' | 'check';
  /** True if values mean little without the label, like summarized ones. */
  needsLabel?: boolean;
}>;
