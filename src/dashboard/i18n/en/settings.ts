export const SETTINGS = {
  settings: {
    saved: 'Saved.',
    notSaved: 'Not saved. Correct the marked fields and save again.',
    general: 'General',
    generalText: 'The name of the form, and whether it accepts submissions.',
    name: 'Name',
    isActive: 'Accept submissions',
    isActiveHint: 'If off, the form is paused: visitors read that it accepts no messages at the moment.',

    fields: 'Fields',
    fieldsText:
      'The fields that visitors fill in, in order. Labels appear in emails, tables and snippets. The form accepts other fields too; if you add none here, it accepts any.',
    field: (number: number) => `Field ${number}`,
    label: 'Label',
    fieldName: 'Field name',
    type: 'Type',
    required: 'Required',
    moreRules: 'More rules',
    maxLength: 'Maximum length (characters)',
    pattern: 'Pattern',
    patternHint: 'A regular expression (RE2) that must match the whole value.',
    up: 'Move up',
    down: 'Move down',
    remove: 'Remove',
    addField: 'Add field',
    noFields: 'No fields yet. Until you add some, the form accepts any field.',
    changed: 'Unsaved changes.',
    enforcesRules: 'Reject submissions that don’t match these fields',
    enforcesRulesHint: 'If off, the rules are only part of the snippets, for browsers to check.',

    after: 'After submission',
    afterText: 'Redirect visitors to a page of yours, or set the text of the thank-you page.',
    redirectUrl: 'Redirect URL',
    redirectUrlHint: 'Leave empty to show the thank-you page of this instance.',
    thanksTitle: 'Title of the thank-you page',
    thanksText: 'Text of the thank-you page',
    thanksHint: 'Leave empty for a default text in the visitor’s language.',

    access: 'Pages and files',
    accessText: 'The pages that may post to the form, and the file types it accepts.',
    allowedOrigins: 'Allowed origins',
    allowedOriginsHint: 'One per line, such as https://example.com. Leave empty to allow all.',
    allowedFileTypes: 'Allowed file types',
    allowedFileTypesHint: 'One per line, such as application/pdf or image/*. Leave empty to allow all.',

    spam: 'Spam',
    spamText: 'A challenge for visitors, and words that mark a submission as spam.',
    challenge: 'Challenge',
    challenges: {
      none: 'None',
      altcha: 'ALTCHA (built in, no account)',
      turnstile: 'Cloudflare Turnstile',
      hcaptcha: 'hCaptcha',
      recaptcha: 'Google reCAPTCHA',
      cap: 'Cap',
      custom: 'Other service with siteverify',
    },
    challengeHint: 'The widget must be on your page too: see “Connect”.',
    challengeSecret: 'Secret',
    secretHint: 'From your account with the service. It is stored encrypted and never shown again.',
    secretSet: 'A secret is set. Leave empty to keep it. Another service or verify URL needs the secret again.',
    challengeVerifyUrl: 'Verify URL',
    challengeVerifyUrlHint:
      'For Cap and other services, such as https://cap.example.com/KEY/siteverify. The server administrator must allow private addresses.',
    blockedWords: 'Blocked words',
    blockedWordsHint: 'Words and phrases, one per line. Submissions that contain one are marked as spam.',

    mail: 'Notifications',
    mailText: 'Emails about new submissions.',
    noMail:
      'This instance can’t send mail yet: it needs SMTP_URL and MAIL_FROM. Your settings apply once they are set.',
    notify: 'Recipients',
    notifyHint: 'Email addresses, one per line. Leave empty for no notifications.',
    recipient: 'Recipient',
    notifyWhenHint:
      'A recipient with conditions gets only submissions that meet all of them. A submission that would reach nobody goes to all recipients. To remove a condition, empty its row. For “is one of”, enter one value per line.',
    attachFiles: 'Attach files',
    threadMails: 'Group the emails of this form into one conversation',
    digest: 'Frequency',
    digestHint: (limit: number) =>
      `After ${limit} submissions within an hour, the others are combined into one email at the end of the hour.`,
    digests: {
      none: 'Immediately, one email per submission',
      hourly: 'Hourly, all in one email',
      daily: 'Daily, all in one email',
    },
    timeZone: 'Time zone',
    timeZoneHint: 'For hourly and daily emails, such as Europe/Berlin.',

    reply: 'Automatic reply',
    replyText: 'An email to the visitor, at the address in the field “email”: once a day per address.',
    autoReplySubject: 'Subject',
    autoReplyText: 'Text',
    autoReplyTextHint: 'Leave empty for no reply.',
    placeholders: 'Placeholders for submitted values:',

    retentionDays: 'Delete submissions after (days)',

    /** Errors of the fields' editor. */
    errors: {
      fieldName: 'Enter a name of 1 to 256 characters.',
      fieldNameTwice: 'Another field already has this name.',
      fieldTooMany: 'A form can have at most 1,000 fields.',
      fieldLabel: 'The label is too long. Use at most 256 characters.',
      fieldType: 'Unknown type. Choose another one.',
      fieldMaxLength: 'Enter a whole number from 1 to 262,144.',
      fieldPattern:
        'Invalid pattern. Use RE2 syntax of at most 500 characters, without lookaround and backreferences, and with short repetitions.',
    },
  },
  retention: {
    title: 'Retention',
    text: 'How long this form keeps submissions, including spam.',
    hint: (days: number | null) =>
      days === null
        ? 'Leave empty to keep submissions until someone deletes them.'
        : `Leave empty for the default of this instance: ${inDays(days)}.`,
    never: 'Submissions are not deleted by age.',
    hourly: (days: number) =>
      `Every hour, submissions older than ${inDays(days)} are permanently deleted, with their files and emails.`,
    about: (count: number) => (count === 1 ? 'about one submission' : `about ${count} submissions`),
    moreThan: (count: string) => `more than ${count} submissions`,
    next: (many: string) => `The next run deletes ${many} received before`,
    noneYet: 'No submission is that old yet.',
  },
};

function inDays(days: number): string {
  return days === 1 ? 'one day' : `${days} days`;
}
