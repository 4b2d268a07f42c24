import type { SettingName } from '../../../domain/forms/form-settings.ts';
import { NOTIFICATIONS_PER_HOUR } from '../../../domain/mail/mail.ts';

type Names = Readonly<Record<SettingName, Readonly<{ label: string; audit: string }>>>;

/** Hints below the inputs of settings. */
export type SettingHints = Readonly<Partial<Record<SettingName, string>>>;

/** Texts of the values of choices; `none` for null. */
export type SettingChoices = Readonly<Partial<Record<SettingName, Readonly<Record<string, string>>>>>;

export const SETTINGS = {
  settings: {
    saved: 'Settings saved.',
    notSaved: 'Not saved. Correct the marked fields and save again.',
    pages: 'Settings of this form',
    titles: {
      general: 'General',
      fields: 'Fields',
      after: 'After submit',
      appearance: 'Appearance',
      access: 'Access',
      spam: 'Spam and challenge',
      mail: 'Notifications',
      reply: 'Auto-reply',
      data: 'Data',
      danger: 'Danger zone',
    },
    intros: {
      general: 'The names of the form, and whether it accepts submissions.',
      fields:
        'The fields that visitors fill in, in order. Labels appear in emails, tables and snippets. The form accepts other fields too; if you add none here, it accepts any.',
      after: 'Redirect visitors to a page of yours, or write your own thank-you page.',
      appearance: 'The look of the pages that visitors see.',
      access: 'The pages that may post to the form, and the file types it accepts.',
      spam: 'A challenge for visitors, and how this form treats spam.',
      mail: 'Emails about new submissions.',
      reply: 'An email to the visitor, at the address in the field “email”: once a day per address.',
      data: 'What this form stores, and for how long.',
      danger: 'Pause, copy, move or delete this form.',
    },
    /** Labels of the inputs, and names in the audit log. */
    names: {
      publicName: { label: 'Public name', audit: 'public name' },
      closedText: { label: 'Text while closed', audit: 'text while closed' },
      accentColor: { label: 'Accent color', audit: 'accent color' },
      hasHostedPage: { label: 'Hosted page', audit: 'hosted page' },
      redirectUrl: { label: 'Redirect URL', audit: 'redirect URL' },
      thanksTitle: { label: 'Title of the thank-you page', audit: 'thank-you title' },
      thanksText: { label: 'Text of the thank-you page', audit: 'thank-you text' },
      enforcesRules: { label: 'Reject submissions that don’t match these fields', audit: 'field rules' },
      allowedOrigins: { label: 'Allowed origins', audit: 'allowed origins' },
      acceptsFiles: { label: 'Accept files', audit: 'acceptance of files' },
      allowedFileTypes: { label: 'Allowed file types', audit: 'allowed file types' },
      maybeSpamAction: { label: 'Submissions that may be spam', audit: 'possible spam' },
      blockedWords: { label: 'Blocked words', audit: 'blocked words' },
      notify: { label: 'Recipients', audit: 'recipients' },
      digest: { label: 'Frequency', audit: 'digest' },
      timeZone: { label: 'Time zone', audit: 'time zone' },
      senderName: { label: 'Sender name', audit: 'sender name' },
      replyTo: { label: 'Reply-to address', audit: 'reply address' },
      attachFiles: { label: 'Attach files', audit: 'attachments' },
      threadMails: { label: 'Group the emails of this form into one conversation', audit: 'email threads' },
      autoReplySubject: { label: 'Subject', audit: 'auto-reply subject' },
      autoReplyText: { label: 'Text', audit: 'auto-reply text' },
      retentionDays: { label: 'Delete submissions after (days)', audit: 'retention' },
      keepsSource: { label: 'Keep source page and browser', audit: 'source page and browser' },
    } satisfies Names,
    hints: {
      publicName: 'Shown to visitors on this form’s pages and in its emails.',
      closedText:
        'Visitors read this while the form is paused or its plan is used up, such as when to come back. Leave empty for a default text in their language.',
      accentColor: 'For buttons and links, such as #0b6655. Leave empty for the default.',
      hasHostedPage: 'A page with this form’s fields, at an address you can share. No website needed.',
      redirectUrl: 'Leave empty to show the built-in thank-you page.',
      thanksTitle: 'Leave empty for a default text in the visitor’s language.',
      thanksText: 'Leave empty for a default text in the visitor’s language.',
      enforcesRules: 'If off, the rules are only part of the snippets, for browsers to check.',
      allowedOrigins: 'One per line, such as https://example.com. Leave empty to allow all.',
      acceptsFiles: 'Applies while the form has no fields under “Fields”. Otherwise only file fields accept files.',
      allowedFileTypes: 'One per line, such as application/pdf or image/*. Leave empty to allow all.',
      maybeSpamAction:
        'Spam is always held back. The spam check needs JavaScript in the visitor’s browser. Submissions with files, and those that passed another challenge, are delivered with the mark.',
      blockedWords: 'Words and phrases, one per line. Submissions that contain one are marked as spam.',
      notify: 'Email addresses, one per line. Leave empty for no notifications.',
      digest: `After ${NOTIFICATIONS_PER_HOUR} submissions within an hour, the others are combined into one email at the end of the hour.`,
      timeZone: 'For hourly and daily emails, such as Europe/Berlin.',
      senderName: 'Shown as the sender of this form’s emails. Leave empty for the name of the visitor or the form.',
      replyTo: 'Visitors’ replies to this form’s emails go to this address.',
      autoReplyText: 'Leave empty for no reply.',
      keepsSource: 'Stores, encrypted, the page that each submission came from and the visitor’s browser.',
    } satisfies SettingHints,
    choices: {
      maybeSpamAction: {
        deliver: 'Deliver them, marked “Maybe spam”',
        hold: 'Keep them in the inbox and notify nobody until somebody marks them as not spam',
        challenge: 'Ask the visitor’s browser for a spam check first (ALTCHA, served by this instance)',
      },
      digest: {
        none: 'Immediately, one email per submission',
        hourly: 'Hourly, all in one email',
        daily: 'Daily, all in one email',
      },
    } satisfies SettingChoices,

    unsaved: 'Unsaved changes',
    discard: 'Discard',
    name: 'Name',
    isActive: 'Accept submissions',
    isActiveHint: 'If off, the form is paused and visitors see a message that says so.',

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

    pickColor: 'Pick an accent color',
    accentFits: 'Easy to read on light and dark pages.',
    accentTooPale: (color: string) => `Too pale for links on a light page, so these are ${color}.`,
    accentTooDark: (color: string) => `Too dark for links on a dark page, so these are ${color}.`,
    logo: 'Logo',
    logoHint: (maxKib: number) => `A PNG, JPEG or WebP image of at most ${maxKib} KiB.`,
    logoTooLarge: (maxKib: number) => `Choose an image of at most ${maxKib} KiB.`,
    logoCurrent: 'Current logo',
    logoChosen: 'Chosen logo, not saved yet',
    removeLogo: 'Remove logo',
    hostedAddress: 'Address',
    hostedProblems: {
      fields: 'The hosted page shows the fields of this form, and there are none yet. Add some under “Fields”.',
      challenge: 'The hosted page works only with ALTCHA or without a challenge. Change it under “Spam and challenge”.',
    },

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
    secretHeld: 'The secret you entered is kept. Leave empty to use it.',
    secretHint: 'From your account with the service. It is stored encrypted and never shown again.',
    secretSet: 'A secret is set. Leave empty to keep it. Another service or verify URL needs the secret again.',
    challengeVerifyUrl: 'Verify URL',
    challengeVerifyUrlHint:
      'For Cap and other services, such as https://cap.example.com/KEY/siteverify. The server administrator must allow private addresses.',

    /** The check before a challenge is turned on. */
    check: {
      title: 'Not turned on yet',
      text: 'Once the challenge is on, the form refuses submissions from pages without the widget.',
      ready: (page: string) => `${page} loads the widget.`,
      no_widget: (page: string) => `${page} does not load the widget yet: submissions from it would be refused.`,
      no_form: (page: string) =>
        `${page} does not contain this form. If a script adds the form, check the page yourself.`,
      unreachable: (page: string) => `Could not open ${page}.`,
      nothing: 'Enter the address of the page with your form to check it.',
      tooMany: 'Too many checks. Try again in an hour.',
      page: 'Page with the form',
      again: 'Check page',
      anyway: 'Turn on anyway',
      snippet: 'Get the snippet with the widget',
    },

    noMail:
      'This instance can’t send mail yet: it needs SMTP_URL and MAIL_FROM. Your settings apply once they are set.',
    recipient: 'Recipient',
    notifyWhenHint:
      'A recipient with conditions gets only submissions that meet all of them. A submission that would reach nobody goes to all recipients. To remove a condition, empty its row. For “is one of”, enter one value per line.',

    placeholders: 'Placeholders for submitted values:',

    preview: {
      title: 'Preview',
      text: 'With the saved settings and sample values.',
      thanks: 'Open thank-you page',
      redirected: 'Visitors are redirected and do not see the thank-you page.',
      mail: 'Open preview',
      subject: 'Subject',
      replyTo: 'Reply-To',
      send: 'Send me a test',
      sendsTo: (address: string) => `Sends exactly this email to ${address}.`,
      sent: 'Test email sent.',
    },

    danger: {
      pause: 'Pause',
      resume: 'Resume',
      pauseTitle: 'Pause this form',
      resumeTitle: 'Resume this form',
      pauseText: 'The form refuses submissions until you resume it. Everything else stays.',
      resumeText: 'The form accepts submissions again.',
      paused: 'Form paused.',
      resumed: 'Form resumed.',
      archiveTitle: 'Archive this form',
      archiveText: 'The form accepts nothing and disappears from lists. Its submissions stay.',
      archive: 'Archive',
      unarchiveTitle: 'Restore from the archive',
      unarchiveText: 'The form appears in lists again.',
      unarchive: 'Restore',
      duplicateTitle: 'Duplicate this form',
      duplicateText: 'Creates a form with the same settings, without submissions.',
      duplicate: 'Duplicate',
      moveTitle: 'Move to another workspace',
      moveText: 'Submissions and addresses stay the same.',
      moveNowhere: 'There is no other workspace. Create one on the page “Forms”.',
      workspace: 'Workspace',
      move: 'Move',
      deleteTitle: 'Delete this form',
      deleteText: 'Moves the form and its submissions to the trash for 30 days. Its address stops working at once.',
      delete: 'Delete form',
    },

    /** Errors of the fields' editor. */
    errors: {
      name: 'Enter a name of 1 to 256 characters.',
      fieldNameTwice: 'Another field already has this name.',
      fieldTooMany: 'A form can have at most 1,000 fields.',
      fieldsExceeded: {
        options: 'All fields together can have at most 2,000 options. Remove some.',
        kib: 'The fields take more than 64 KiB. Remove some, or shorten labels and options.',
        patternInstructions: 'The patterns are too long together. Remove or shorten some.',
      },
      label: 'The label is too long. Use at most 256 characters.',
      type: 'Unknown type. Choose another one.',
      max_length: 'Enter a whole number from 1 to 262,144.',
      pattern:
        'Invalid pattern. Use RE2 syntax of at most 500 characters, without lookaround and backreferences, and with short repetitions.',
      options: 'Enter 1 to 200 different options, one per line, each with at most 256 characters.',
      max: 'Choose a highest rating from 2 to 10.',
    },
  },
  retention: {
    hint: (days: number | null) =>
      days === null
        ? 'Includes spam. Leave empty to keep submissions until someone deletes them.'
        : `Includes spam. Leave empty for the default of this instance: ${inDays(days)}.`,
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
