/** A sign of spam: its weight, and its reason in words for the owner. */
export type Signal = Readonly<{ weight: number; reason: string }>;

/**
 * Total weight from which a submission is flagged. It is high because a genuine message in the spam folder is worse
 * than ten spam messages in the inbox.
 */
export const SPAM_THRESHOLD = 120;

/** Total weight from which a submission may be spam. */
export const MAYBE_SPAM_THRESHOLD = 90;

/** Total weight from which a form may ask for a proof of work: few genuine messages have it, and it costs them a moment. */
export const DOUBT_THRESHOLD = 60;
