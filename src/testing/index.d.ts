/// <reference lib="esnext.disposable" />

/** A condition on a field of a submission. */
export type Condition = { field: string } & (
  | { is: string }
  | { is_not: string }
  | { contains: string }
  | { is_one_of: readonly string[] }
);

export interface FieldSettings {
  name: string;
  label?: string;
  /** Such as `text`, `email` or `select`. */
  type?: string;
  required?: boolean;
  max_length?: number;
  pattern?: string;
  options?: readonly string[];
  max?: number;
  help?: string;
  placeholder?: string;
  heading?: string;
}

/** A webhook, chat or sheet of a form. */
export interface WebhookSettings {
  kind?: string;
  // Generated from `WebhookSettings` by `bun run generate api-types`.
  name?: string;
  url?: string;
  events?: ReadonlyArray<'submission.created' | 'submission.deleted' | 'form.cap_reached'>;
  body?: 'full' | 'thin';
  include_spam?: boolean;
  when?: readonly Condition[];
  is_active?: boolean;
  headers?: Record<string, string>;
  template?: string;
  template_format?: 'json' | 'form' | 'text';
  chat?: string;
  sheet?: string;
  credentials?: string;
}

export interface ChallengeSettings {
  kind: 'turnstile' | 'hcaptcha' | 'recaptcha' | 'cap' | 'custom' | 'altcha';
  secret?: string;
  verify_url?: string | null;
}

/** The settings of a form, with the names and values of the file of `formstead apply`. */
export interface FormSettings<Name extends string = string> {
  /** Name of the form, and of its property on the server. */
  name: Name;
  state?: 'active' | 'paused' | 'archived';
  // Generated from `FORM_SETTINGS` by `bun run generate api-types`.
  public_name?: string | null;
  has_hosted_page?: boolean;
  intro?: string | null;
  button_label?: string | null;
  accent_color?: string | null;
  language?: 'visitor' | 'en' | 'de' | 'fr' | 'es' | 'pt' | 'it' | 'nl' | 'pl' | 'ja' | 'zh';
  redirect_url?: string | null;
  thanks_title?: string | null;
  success_message?: string | null;
  enforces_rules?: boolean;
  allowed_origins?: readonly string[];
  accepts_files?: boolean;
  allowed_file_types?: readonly string[];
  opens_at?: string | null;
  closes_at?: string | null;
  max_submissions?: number | null;
  once_per_address?: boolean;
  confirm_address?: boolean;
  closed_message?: string | null;
  maybe_spam_action?: 'deliver' | 'challenge' | 'hold';
  blocked_words?: readonly string[];
  watch_page?: string | null;
  notify?: readonly string[];
  digest?: 'hourly' | 'daily' | null;
  time_zone?: string;
  sender_name?: string | null;
  reply_to?: string | null;
  attach_files?: boolean;
  thread_mails?: boolean;
  silence_alarm?: boolean;
  auto_reply_subject?: string | null;
  auto_reply_text?: string | null;
  auto_reply_daily_limit?: number;
  retention_days?: number | null;
  consent_text?: string | null;
  keeps_source?: boolean;
  // End of the generated settings.
  notify_when?: Record<string, readonly Condition[]>;
  logo?: string | null;
  fields?: readonly FieldSettings[];
  challenge?: ChallengeSettings | null;
  webhooks?: readonly WebhookSettings[];
}

/** A submission as the management API shows it, with card and social security numbers masked. */
export interface Submission {
  id: string;
  /** Time in UTC, such as `2026-11-21T08:00:00.000123Z`. */
  created_at: string;
  is_spam: boolean;
  maybe_spam?: true;
  /** Values by the names of their fields. */
  data: Record<string, unknown>;
  file_metadata: {
    files: Array<{ id: string; field: string; name: string; content_type: string; size: number; sha256: string }>;
  } | null;
}

/** A mail that the server would have sent. */
export interface Mail {
  to: string;
  replyTo: string | null;
  subject: string;
  text: string;
  html: string;
}

export interface TestForm {
  readonly id: string;
  /** Address to post to. */
  readonly url: string;
  /** Returns all submissions, oldest first. */
  submissions(): Promise<Submission[]>;
  /**
   * Returns the oldest submission that no earlier call returned, and waits for it up to `timeout` milliseconds, by default
   * 3,000. Throws if none arrives.
   */
  nextSubmission(options?: { timeout?: number }): Promise<Submission>;
}

/** Properties of a server other than its forms. */
export interface TestServer<Name extends string = string> extends AsyncDisposable {
  /** Base URL of the server. */
  readonly url: string;
  /** Key of the management API with the scope `read_write`. */
  readonly apiKey: string;
  /** Returns a form by name. Throws for an unknown one. */
  form(name: Name): TestForm;
  /** Returns the mails of all forms, oldest first, after sending the queued ones. */
  mails(): Promise<Mail[]>;
  /** Deletes all submissions and mails. Forms and the API key stay. */
  clear(): Promise<void>;
  /** Stops the server and removes its files. May be called again. */
  stop(): Promise<void>;
}

/** A running server with a property for each of its forms. */
export type Formstead<Name extends string = string> = TestServer<Name> & {
  readonly [Form in Exclude<Name, keyof TestServer>]: TestForm;
};

/**
 * Starts a server with these forms on a free port, in a separate process with a temporary directory. Resolves when it
 * accepts submissions. Throws for wrong settings.
 */
export function startFormstead<const Name extends string>(options: {
  forms: ReadonlyArray<FormSettings<Name>>;
}): Promise<Formstead<Name>>;
