import type { Form, FormLogo } from '../../../domain/forms/form.ts';
import type { Workspace } from '../../../domain/teams/team.ts';
import type { Micros } from '../../../lib/clock.ts';
import type { PageCheck } from '../../../services/forms/check-form-page.ts';
import type { FieldErrors } from '../../ui/parse-input.ts';
import type { Viewer } from '../../viewer.ts';
import type { FieldsDraft } from './fields.ts';
import type { Section } from './sections.ts';

/** The retention of a form. */
export type Retention = Readonly<{
  /** Default of the instance; null to keep submissions. */
  instanceDays: number | null;
  /** The next deletion: `count` submissions created before `before`. Null if submissions are kept. */
  next: Readonly<{ days: number; before: Micros; count: number }> | null;
}>;

/** Limit for counting submissions that the next run deletes. */
export const MAX_COUNT = 1_000;

/** The result of looking for a challenge's widget before it is turned on. Null if there were too many checks. */
export type WidgetCheck = Readonly<{ pages: readonly PageCheck[] | null }>;

/** Input that was not saved. */
export type Unsaved = Readonly<{
  /** Input of a plain section, with its errors. */
  rejected?: Readonly<{ input: URLSearchParams; errors: FieldErrors }>;
  draft?: FieldsDraft;
  check?: WidgetCheck;
  /** The logo that was chosen. */
  logo?: FormLogo | null | undefined;
  /** The secret of a challenge that was entered, sealed and in base64. */
  heldSecret?: string | null;
  /** A test mail that was not sent. */
  test?: Readonly<{ error: string; status: number }>;
}>;

export type SettingsProps = Unsaved &
  Readonly<{
    viewer: Viewer;
    form: Form;
    section: Section;
    hasMail: boolean;
    /** The origin of this instance, such as `https://forms.example.com`. */
    origin: string;
    /** Email address of the current user. */
    email: string;
    savedLogo: FormLogo | null;
    retention: Retention | null;
    workspaces: readonly Workspace[];
  }>;
