import type { Form } from '../../../domain/form.ts';
import type { FieldErrors } from '../../ui/parse-input.ts';
import type { Viewer } from '../../viewer.ts';
import type { FieldsDraft } from './fields.ts';
import type { Retention } from './retention-outlook.tsx';
import type { PlainSection, Section } from './sections.ts';

/** Rejected input of a section. */
export type Rejected = Readonly<{ section: PlainSection; input: URLSearchParams; errors: FieldErrors }>;

/** State of the page apart from the saved form. */
export type Unsaved = Readonly<{
  rejected?: Rejected;
  draft?: FieldsDraft;
  /** The section that was just saved. */
  saved?: Section | undefined;
}>;

export type SettingsProps = Unsaved & Readonly<{ viewer: Viewer; form: Form; hasMail: boolean; retention: Retention }>;
