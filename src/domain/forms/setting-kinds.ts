import { type TSchema, Type } from '@sinclair/typebox';
import { oneOf } from '../../lib/schema.ts';

/** Sections of a form's settings, in the order of the dashboard. */
export const SETTING_SECTIONS = [
  'general',
  'fields',
  'after',
  'appearance',
  'access',
  'spam',
  'mail',
  'reply',
  'data',
] as const;

type Section = (typeof SETTING_SECTIONS)[number];

/** Facts that a setting may have besides its section, description and default. */
type Facts = Readonly<{
  /** The behavior without a value, such as `the default`. */
  unset?: string;
  /** Name of the command's option, if other than the setting's in kebab case. */
  option?: string;
  argument?: string;
  /** Properties of the dashboard's input: `rows` for several lines, `radios` instead of a menu, attributes of HTML. */
  input?: Readonly<{
    rows?: number;
    radios?: boolean;
    type?: 'url' | 'datetime-local';
    inputmode?: 'url' | 'email' | 'numeric';
    maxlength?: number;
    placeholder?: string;
    spellcheck?: boolean;
  }>;
}>;

/** A form's setting with one plain value. */
export type Setting<Value = unknown> = Facts &
  Readonly<{
    section: Section;
    /** The value, or the effect of a switch, without a period. Schemas and the help of commands show it. */
    about: string;
    kind: 'flag' | 'text' | 'list' | 'choice' | 'number';
    argument: string;
    default: Value;
    /** Values of a choice, without null. */
    choices?: readonly string[];
    examples?: readonly string[];
    /** Schema of the value as JSON and YAML. */
    schema: TSchema;
    /** Parses an input's text, or a command's. Throws `invalid_input`. */
    parse: (text: string) => Value;
  }>;

/** A switch, off by default. */
export function flag(
  section: Section,
  about: string,
  { default: initial = false, ...facts }: Facts & { default?: boolean } = {},
): Setting<boolean> {
  const schema = Type.Boolean({ description: `${about}.${initial ? ' Default: true.' : ''}` });
  const parse = (text: string) => text !== '';
  return { section, about, kind: 'flag', argument: 'true|false', default: initial, schema, parse, ...facts };
}

/** A text, null by default. `parse` gets it trimmed, and not empty if there is no other default. */
export function text<Default extends string | null = null>(
  section: Section,
  about: string,
  { default: given, parse, ...facts }: Facts & { default?: Default; parse: (text: string) => string },
): Setting<string | Default> {
  const initial = given ?? (null as Default);
  const parseTrimmed = (value: string) => (value.trim() === '' && initial === null ? initial : parse(value.trim()));
  const schema = describe(Type.String(), about, facts.unset, initial);
  return { section, about, kind: 'text', argument: 'text', default: initial, schema, parse: parseTrimmed, ...facts };
}

/** A list of texts without commas, empty by default. `parse` gets them separated by commas. */
export function list(
  section: Section,
  about: string,
  facts: Facts & { unset: string; examples?: readonly string[]; parse: (text: string) => readonly string[] },
): Setting<readonly string[]> {
  const example = facts.examples ? `, such as ${facts.examples[0]}` : '';
  const description = `${about}${example}; empty for ${facts.unset}.`;
  const schema = Type.Array(Type.String({ pattern: '^[^,]*$' }), { description });
  return { section, about, kind: 'list', argument: 'list', default: [], schema, ...facts };
}

/** One of several values. With the default null there may be none. */
export function choice<Choice extends string, Default extends Choice | null>(
  section: Section,
  about: string,
  choices: readonly Choice[],
  { default: initial, ...facts }: Facts & { default: Default },
): Setting<Choice | Default> {
  const parse = (text: string) => choices.find((known) => known === text) ?? initial;
  const schema = describe(oneOf(choices), about, facts.unset, initial);
  return { section, about, kind: 'choice', argument: 'value', default: initial, choices, schema, parse, ...facts };
}

/** A whole number, null by default. The text `none` stands for null, since an empty one may be a mistake. */
export function wholeNumber<Default extends number | null = null>(
  section: Section,
  about: string,
  { default: given, parse, ...facts }: Facts & { default?: Default; parse: (text: string) => number },
): Setting<number | Default> {
  const initial = given ?? (null as Default);
  const parseOrNone = (text: string) => (text === 'none' ? initial : parse(text));
  const schema = describe(Type.Integer(), about, facts.unset, initial);
  return { section, about, kind: 'number', argument: 'n', default: initial, schema, parse: parseOrNone, ...facts };
}

/** Returns the schema of a value with a description. A setting without a default also takes null. */
function describe(schema: TSchema, about: string, unset: string | undefined, initial: string | number | null): TSchema {
  if (initial !== null) return { ...schema, description: `${about}. Default: ${initial}.` };
  const description = unset === undefined ? `${about}.` : `${about}; null for ${unset}.`;
  return Type.Union([schema, Type.Null()], { description });
}
