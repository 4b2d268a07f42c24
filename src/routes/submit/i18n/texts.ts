import type { FieldErrorCode } from '../../../domain/errors.ts';

/** Keys of the general refusal texts. */
export type RefusalKey =
  | 'empty'
  | 'fields'
  | 'unreadable'
  | 'tooLarge'
  | 'unsupported'
  | 'tooManyFiles'
  | 'fileTooLarge'
  | 'fileType'
  | 'tooSlow'
  | 'paused'
  | 'notFound'
  | 'origin'
  | 'invalidKey'
  | 'inProgress'
  | 'reusedKey'
  | 'challengeMissing'
  | 'challengeFailed'
  | 'monthlyLimit'
  | 'rateLimit'
  | 'internal';

/** The texts for visitors in one language. */
export type VisitorTexts = Readonly<{
  /** Success: `title` and `text` of the page, and `message` for scripts. */
  thanks: Readonly<{ title: string; text: string; message: string }>;
  /** The title of refusal pages. */
  refused: string;
  back: string;
  refusals: Readonly<Record<RefusalKey, string>>;
  /** Texts for invalid fields, shown after the label. `{limit}` is replaced by a size or number. */
  faults: Readonly<Record<FieldErrorCode, string>>;
}>;
