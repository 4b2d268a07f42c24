/** Fields that may be spam: 90 for a forged timestamp, whatever the wording model says about harmless words. */
export const MAYBE_SPAM = {
  email: 'ada@home.example',
  a: 'Flat nine',
  b: 'Second floor',
  c: 'On Monday',
  _stamp: '1.abc',
};

/** The stored part of `MAYBE_SPAM`. */
export const { _stamp: _, ...MAYBE_SPAM_DATA } = MAYBE_SPAM;
