/**
 * Fields that may be spam: 70 for the same text in three fields and 40 for a forged timestamp, whatever the wording
 * model says about two harmless words.
 */
export const MAYBE_SPAM = {
  email: 'ada@home.example',
  a: 'Flat nine',
  b: 'Flat nine',
  c: 'Flat nine',
  _stamp: '1.abc',
};

/** The stored part of `MAYBE_SPAM`. */
export const { _stamp: _, ...MAYBE_SPAM_DATA } = MAYBE_SPAM;
