import type { ErrorReasons } from '../../../domain/errors.ts';
import { formatNumber } from '../../../lib/i18n.ts';

type ErrorTexts = { readonly [Key in keyof ErrorReasons]: (...parameters: ErrorReasons[Key]) => string };

export const ERRORS = {
  /** Errors by their reason. */
  errors: {
    invalid_name: (maxLength) => `Enter a name of 1 to ${maxLength} characters.`,
    invalid_email: () => 'Enter a valid email address, such as ada@example.com.',
    not_an_email: (item) => `“${item}” isn’t a valid email address. Enter addresses such as ada@example.com.`,
    not_an_origin: (item) => `“${item}” is not an origin. Enter only scheme and host, such as https://example.com.`,
    not_a_file_type: (item) => `“${item}” is not a file type. Enter types such as application/pdf and image/*.`,
    invalid_blocked_word: (item) => `“${item}” must have 3 to 100 characters.`,
    too_many_entries: (limit) => `Too many entries. Use at most ${limit}.`,
    text_too_long: (limit) => `The text is too long. Use at most ${formatNumber('en', limit)} characters.`,
    several_lines: () => 'Enter a single line.',
    invalid_redirect_url: () => 'Enter a full address such as https://example.com/thanks.',
    missing_challenge_secret: () => 'Enter the secret of your account with this service.',
    invalid_verify_url: () => 'Enter a full http or https address, such as https://cap.example.com/KEY/siteverify.',
    unknown_time_zone: () => 'Unknown time zone. Enter a name such as Europe/Berlin or UTC.',
    invalid_retention: (maxDays) => `Enter a whole number from 1 to ${formatNumber('en', maxDays)}.`,
    invalid_color: () => 'Enter # and six digits from 0 to f, such as #0b6655.',
    invalid_sender_name: (maxLength) => `Enter one line of at most ${maxLength} characters without < > " @ , and ;.`,
    not_a_logo: () => 'This is not a PNG, JPEG or WebP image. Choose another file.',
    logo_too_large: (maxKib) => `The image is too large. Choose one of at most ${maxKib} KiB.`,
    too_many_downloads: (limit) => `More than ${limit} downloads at once. Wait for one to finish.`,
    search_expired: () => 'The results of this search have expired. Search again.',
    no_results_left: () => 'This search has no results left. Search again.',
    invalid_webhook_url: () =>
      'Enter a full https address without user name and password, such as https://hooks.example.com/forms.',
    webhook_not_https: () =>
      'Enter an address that begins with https://. Plain http is possible only to hosts that the server administrator allows.',
    private_host: (host) =>
      `${host} has an address that is not public. The server administrator can allow it with ALLOWED_PRIVATE_HOSTS.`,
    unlisted_host: (host) => `${host} is not one of the hosts that the server administrator lists in OUTBOUND_HOSTS.`,
    headers_of_another_host: () => 'The address leads to another host. Enter the headers again, with their values.',
    too_many_webhooks: (limit) => `A form has at most ${limit} webhooks. Delete one first.`,
    test_running: () => 'Another test is waiting for its endpoint. Try again when it has ended.',
    too_many_tests: (limit) => `You can send ${limit} tests a minute. Try again in a minute.`,
    too_many_teams: (limit) => `You own ${limit} teams, the limit. Delete one first.`,
    too_many_headers: (limit) => `Too many headers. Use at most ${limit}.`,
    invalid_header: () => 'Write each header on a line like X-Token: abc, in ASCII.',
    reserved_header: (name) => `The header ${name} is set by the server. Use another name.`,
    repeated_header: (name) => `The header ${name} is given twice. Remove one.`,
    not_a_recipient: (address) => `${address} is not a recipient. Add it to the recipients.`,
    too_many_conditions: (limit) => `Too many conditions. Use at most ${limit}.`,
    invalid_condition: () =>
      'Enter a field and a value of at most 200 characters. “is one of” needs 1 to 50 values, one per line.',
    refused_setting: (_, { en }) => en,
    no_signing_secret: () => 'This kind of webhook has no signing secret.',
    empty_message: () => 'Enter a text.',
    too_many_messages: (limit) =>
      `Not saved: this submission has ${limit} notes and replies, the limit. Delete notes, or write from your mail program.`,
    too_many_replies: (limit) =>
      `Not sent: this submission got ${limit} replies within an hour, the limit. Try again later.`,
    workspace_in_use: () => 'This workspace has forms. Move or delete them first.',
    last_workspace: () => 'This is the only workspace of the team. Create another one first.',
  } satisfies ErrorTexts,
};
