/** One sign of spam: how much it weighs, and in words for the owner. */
export type Signal = Readonly<{ weight: number; reason: string }>;

/**
 * How much signs have to weigh together to flag a submission: more than any of the kinds that they are counted in, since one
 * genuine message in the spam folder is worse than ten of spam in the inbox.
 */
export const SPAM_THRESHOLD = 120;
