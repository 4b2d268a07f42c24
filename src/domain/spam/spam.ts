export const MAYBE_SPAM_ACTIONS = ['deliver', 'challenge', 'hold'] as const;

/**
 * The treatment of a post that may be spam: it is delivered with a mark, refused until the visitor's browser solves a proof
 * of work, or held without notifications until somebody marks it as genuine.
 */
export type MaybeSpamAction = (typeof MAYBE_SPAM_ACTIONS)[number];

/** The class of a post by its spam score. Only `spam` has `is_spam`. */
export type SpamClass = 'genuine' | 'maybe' | 'spam';

/** The reasons of the spam filter. `isHeld` is false if the submission was delivered as possible spam. */
export type SpamNote = Readonly<{ reasons: readonly string[]; isHeld: boolean }>;
