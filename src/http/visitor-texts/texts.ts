import type { FieldErrorCode } from '../../domain/errors.ts';

/** Why nothing was kept, in the general words that a visitor gets. */
export type RefusalWord =
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
  | 'unknown'
  | 'origin'
  | 'staleKey'
  | 'underWay'
  | 'reusedKey'
  | 'noChallenge'
  | 'challenge'
  | 'cap'
  | 'rate'
  | 'failed';

/** All that a visitor reads, in one language. */
export type VisitorTexts = Readonly<{
  /** `title` and `text` of the page after a success; `message` is what a script shows in their place. */
  thanks: Readonly<{ title: string; text: string; message: string }>;
  /** The title over every refusal. */
  refused: string;
  back: string;
  refusals: Readonly<Record<RefusalWord, string>>;
  /** To follow a field's label. `{limit}` stands for a size or a number. */
  faults: Readonly<Record<FieldErrorCode, string>>;
}>;
