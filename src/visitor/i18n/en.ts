/** The visitor pages and messages in English. */
export const EN = {
  /** Success: `title` and `text` of the page, and `message` for scripts. */
  thanks: {
    title: 'Thank you',
    text: 'Your message was received.',
    message: 'Thank you, your submission was received.',
  },
  /** The title of refusal pages. */
  refused: 'Your message was not sent',
  back: 'Back to the page',
  /** Titles of pages that refuse to show a form. */
  closed: 'This form is closed',
  notFound: 'Form not found',
  failed: 'Something went wrong',
  /** Hints on refusal pages: a way back to the entries, and a way out of a closed form. */
  keep: 'Your browser’s Back button returns to the form with your entries.',
  later: 'Try again later, or get in touch another way.',
  /** The page for browsers that open a form's address. */
  address: {
    title: 'This is the address of a form',
    text: 'Websites send their forms here. There is nothing to fill in at this address itself.',
    use: 'To receive your form here, use this address as its action:',
    manual: 'Read the manual',
  },
  /** The page that asks for a proof of work before it sends the entries again. */
  check: { title: 'One more step', text: 'Complete the spam check and send your message. Your entries are kept.' },
  /** The page that confirms an address; `sent` is said after a post. */
  confirm: {
    sent: 'We sent you an email. Open the link in it to confirm your address.',
    ask: 'Confirm your email address',
    text: 'Your message is delivered as soon as you confirm.',
    button: 'Confirm',
    done: 'Address confirmed',
    gone: 'This link has expired or is incomplete',
    again: 'Please fill in the form again.',
  },
  /** The hosted form. */
  hosted: {
    title: 'Form',
    until: (when: string) => `Open until ${when}`,
    scale: (best: string) => `1 is the lowest rating, ${best} the highest`,
    send: 'Send',
    optional: 'Optional',
    choose: 'Choose an option',
    leaveEmpty: 'Leave this field empty',
    filesAgain: 'Choose your files again.',
    needsScript: 'The spam check of this form needs JavaScript. Turn it on and reload the page.',
  },
  /** General texts of refusals. */
  refusals: {
    empty: 'The form is empty. Please fill in at least one field.',
    fields: 'Some entries are missing or need to be corrected.',
    unreadable: 'The form could not be read. Please check your entries and try again.',
    tooLarge: (limit: string) =>
      `The form is too large. Please shorten your entries or choose smaller files. Maximum size: ${limit}.`,
    tooManyFields: (limit: string) => `The form has too many fields. Fields allowed: ${limit}.`,
    nameTooLong: (limit: string) => `The form has a field name that is too long. Bytes allowed: ${limit}.`,
    tooDeep: (limit: string) => `The data of the form is nested too deeply. Levels allowed: ${limit}.`,
    unsupported: (types: string) =>
      `The form was sent in a format that is not supported. Supported formats, without Content-Encoding: ${types}.`,
    tooManyFiles: 'There are too many files. Please send fewer at once.',
    fileTooLarge: 'One of the files is too large. Please choose a smaller one.',
    fileType: 'This form does not accept this type of file. Please choose another one.',
    tooSlow: 'Sending your message took too long. Please check your connection and try again.',
    notOpen: (when: string) => `This form is not open yet. It opens on ${when}.`,
    ended: (when: string) => `This form closed on ${when}.`,
    full: 'This form is full and takes no more messages.',
    email: 'Please enter a valid email address in the field “email”.',
    already: 'A message with this email address was already received.',
    paused: 'This form is not accepting messages at the moment.',
    notFound: 'There is no form at this address.',
    origin: 'This form does not accept messages from this page.',
    invalidKey:
      'There is a problem with the previous page. Please reload it and try again. (An Idempotency-Key has 1 to 255 printable ASCII characters.)',
    inProgress: 'Your message is already being sent. Please wait a moment before you try again.',
    reusedKey: 'This form was already sent with other content. Please reload the page and fill it in again.',
    challengeMissing: 'Please complete the spam check and send the form again.',
    challengeFailed: 'The spam check failed or has expired. Please try again.',
    challengeUnavailable:
      'The spam check is not available right now, and your message was not saved. Please try again in a minute.',
    noChallenge: 'This form does not use the spam check “altcha”.',
    busy: 'Too many messages are arriving at once, and yours was not saved. Please try again in a minute.',
    monthlyLimit: (day: string) => `This form cannot accept any more messages this month. It opens again on ${day}.`,
    rateLimit: (wait: string) => `Too many messages were sent from your network. Please try again in ${wait}.`,
    internal: 'Something went wrong on our side and your message was not saved. Please try again in a minute.',
  },
};

/** The texts for visitors in one language. */
export type VisitorTexts = typeof EN;
