import type { TypeErrorCode } from './fields/field-types.ts';

/** HTTP status per error code of requests and commands. The codes of the public endpoint are part of its interface. */
export const STATUS_OF = {
  invalid_input: 400,
  unreadable_body: 400,
  empty_submission: 400,
  too_many_fields: 400,
  name_too_long: 400,
  value_too_long: 400,
  too_deep: 400,
  invalid_fields: 400,
  invalid_idempotency_key: 400,
  challenge_missing: 400,
  challenge_failed: 400,
  invalid_key: 401,
  plan_without_api: 403,
  read_only_key: 403,
  limited_key: 403,
  role_forbids: 403,
  demo_read_only: 403,
  form_paused: 403,
  form_not_open: 403,
  form_closed: 403,
  form_full: 403,
  storage_limit_reached: 403,
  origin_not_allowed: 403,
  not_from_here: 403,
  not_found: 404,
  form_not_found: 404,
  no_challenge: 404,
  method_not_allowed: 405,
  body_too_slow: 408,
  conflict: 409,
  already_submitted: 409,
  email_required: 400,
  team_switched: 409,
  idempotency_key_in_use: 409,
  precondition_failed: 412,
  body_too_large: 413,
  too_many_files: 413,
  file_too_large: 413,
  unsupported_content_type: 415,
  file_type_not_allowed: 415,
  file_not_expected: 415,
  idempotency_key_reused: 422,
  rate_limited: 429,
  submission_cap_reached: 429,
  internal_error: 500,
  storage_unavailable: 500,
  challenge_unavailable: 500,
  file_damaged: 500,
  not_ready: 503,
  server_busy: 503,
} as const;

export type ErrorCode = keyof typeof STATUS_OF;

/** Validation error of a single field: that of its type, or a general one. */
export type FieldErrorCode =
  | TypeErrorCode
  | 'required'
  | 'max_length'
  | 'pattern'
  | 'too_long'
  | 'file_too_large'
  | 'file_type'
  | 'too_many_files';

/** An exceeded limit, a list of allowed types, or the end of the period that a limit is for. */
export type Limit = number | string;

/**
 * A field's validation error, which `visitor` turns into a message. `limit` is in characters for `max_length`,
 * the best rating for `rating`, KiB for `too_long`, bytes for
 * `file_too_large` and files for `too_many_files`; `file_type` has the allowed types.
 */
export type FieldError = Readonly<{ field: string; label?: string; code: FieldErrorCode; limit?: Limit }>;

/** Parameters of the reasons that the dashboard explains in the viewer's language. */
export type ErrorReasons = {
  invalid_name: [maxLength: number];
  invalid_email: [];
  not_an_email: [item: string];
  not_an_origin: [item: string];
  not_a_file_type: [item: string];
  invalid_blocked_word: [item: string];
  closes_before_opening: [];
  invalid_time: [];
  invalid_watch_page: [];
  too_many_entries: [limit: number];
  text_too_long: [limit: number];
  several_lines: [];
  invalid_redirect_url: [];
  missing_challenge_secret: [];
  invalid_verify_url: [];
  unknown_time_zone: [];
  number_out_of_range: [min: number, max: number];
  invalid_color: [];
  invalid_sender_name: [maxLength: number];
  not_a_logo: [];
  logo_too_large: [maxKib: number];
  too_many_downloads: [limit: number];
  search_expired: [];
  no_results_left: [];
  invalid_webhook_url: [];
  webhook_not_https: [];
  private_host: [host: string];
  unlisted_host: [host: string];
  headers_of_another_host: [];
  too_many_webhooks: [limit: number];
  test_running: [];
  too_many_tests: [limit: number];
  too_many_teams: [limit: number];
  workspace_in_use: [];
  last_workspace: [];
  too_many_headers: [limit: number];
  invalid_header: [];
  reserved_header: [name: string];
  repeated_header: [name: string];
  not_a_recipient: [address: string];
  too_many_conditions: [limit: number];
  invalid_condition: [];
  refused_setting: [input: string, texts: Readonly<Record<'en' | 'de', string>>];
  no_signing_secret: [];
  untrusted_header: [];
  no_account: [email: string];
  passwords_off: [];
  not_by_proxy: [];
  no_other_sign_in: [];
  empty_message: [];
  too_many_messages: [limit: number];
  too_many_replies: [limit: number];
};

/** A reason with its parameters, such as `['too_many_entries', 20]`. */
export type ErrorReason = {
  [Key in keyof ErrorReasons]: readonly [key: Key, ...parameters: ErrorReasons[Key]];
}[keyof ErrorReasons];

type Details = Readonly<{
  headers?: Readonly<Record<string, string>>;
  errors?: readonly FieldError[];
  reason?: ErrorReason | null;
  limit?: Limit;
  cause?: unknown;
}>;

/**
 * An error caused by the caller. Its English message explains the problem and the remedy to callers of the API and the
 * CLI; the dashboard translates `reason` and `code` instead, `visitor` `code` and `limit`. Messages of all other
 * errors are only logged.
 */
export class AppError extends Error {
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: readonly FieldError[];
  readonly reason: ErrorReason | null;
  readonly limit: Limit | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { headers = {}, errors = [], reason = null, limit, cause }: Details = {},
  ) {
    super(message, { cause });
    this.name = 'AppError';
    this.headers = headers;
    this.errors = errors;
    this.reason = reason;
    this.limit = limit;
  }

  get status(): number {
    return STATUS_OF[this.code];
  }
}

/** Returns the refusal of a value that the caller can correct. */
export function invalidInput(message: string, reason?: ErrorReason): AppError {
  return new AppError('invalid_input', message, { reason: reason ?? null });
}

export function conflict(message: string, reason?: ErrorReason): AppError {
  return new AppError('conflict', message, { reason: reason ?? null });
}

export const notFound = (message: string): AppError => new AppError('not_found', message);

/** Throws `not_found` for a resource that the team does not have. */
export function noSuch(resource: 'form' | 'submission' | 'workspace' | 'webhook'): never {
  throw notFound(`There is no such ${resource} in this team.`);
}

/** A `not_found` refusal of a resource by its id. The CLI adds the command that lists the resource. */
export class NotFoundError extends AppError {
  constructor(
    readonly resource: 'team' | 'workspace' | 'submission',
    id: string,
  ) {
    super('not_found', `There is no ${resource} "${id}".`);
  }
}

/** A fault in a file, with its place. */
export type Fault = Readonly<{ line: number; column: number; message: string }>;

/** A file that cannot be used, with its faults. */
export class InvalidFileError extends AppError {
  /** One message for each fault, with file, line and column. */
  readonly messages: readonly string[];

  constructor(
    file: string,
    readonly faults: readonly Fault[],
  ) {
    const messages = faults.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
    super('invalid_input', messages.join(' '));
    this.messages = messages;
  }
}

/** A setup problem that prevents a start or a command. The message is one line for the operator. */
export class SetupError extends Error {}

/** Wrong settings, with one message for each. */
export class SettingsError extends SetupError {
  constructor(readonly messages: readonly string[]) {
    super(messages.join(' '));
  }
}

/** Refusal of a command without an instance to work on. `place` is an absolute path, or the URL of a database. */
export class NoInstanceError extends SetupError {
  constructor(place: string) {
    const remedy = place.includes('://')
      ? 'Set DATABASE_URL to the database of your instance,'
      : 'Set DATA_DIR to the directory of your instance,';
    super(`There is no instance in ${place}. ${remedy} or run "formstead init" to create a new one.`);
  }
}

const CLOSED_CODES: ReadonlySet<ErrorCode> = new Set([
  ...(['form_paused', 'form_not_open', 'form_closed', 'form_full'] as const),
  ...(['submission_cap_reached', 'storage_limit_reached'] as const),
]);

/** Returns whether a refusal means that a form accepts no submission at all at the moment. */
export const isClosed = ({ code }: AppError): boolean => CLOSED_CODES.has(code);
