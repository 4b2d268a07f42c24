/** One sign of spam: how much it weighs, and in words for the owner. Signs that weigh 100 together flag a submission. */
export type Evidence = Readonly<{ weight: number; reason: string }>;

/** How much it takes. */
export const ENOUGH = 100;
