// Generated from the OpenAPI document by `bun run generate api-types`. Do not edit.

export interface Form extends Workspace {
  /** A short ID that the public endpoints also accept. */
  short_id: string;
}

export interface FormDetail extends Form {
  /** True if the form accepts submissions, false while it is paused. */
  is_active: boolean;
  /** The configured fields in display order. */
  fields: Array<{
    name: string;
    label: string;
    type: string;
    required: boolean;
    /** Help text below the label. */
    help?: string;
    /** Example in the empty input of a text or number. */
    placeholder?: string;
    /** Heading above the field. */
    heading?: string;
    /** In UTF-16 units, with a line break counted as one, like `maxlength` in HTML. */
    max_length?: number;
    /** RE2 pattern that each whole value must match. Values with more than 4096 UTF-16 units in total never match. */
    pattern?: string;
    /** The values to choose from, for the types `select`, `radio` and `checkboxes`. */
    options?: Array<string>;
    /** The best rating, for the type `rating`. Default: 5. */
    max?: number;
  }>;
}

export interface ChangedForm {
  id: string;
  name: string;
  is_active: boolean;
}

export interface Deleted {
  id: string;
  deleted: true;
}

export type Condition =
  | { field: string; is: string }
  | { field: string; is_not: string }
  | { field: string; contains: string }
  | { field: string; is_one_of: Array<string> };

export interface FormSettings {
  /** Name that visitors see; null for the name of the form. */
  public_name: string | null;
  /** Color of visitor pages, such as #0b6655; null for the default. */
  accent_color: string | null;
  /** Language of pages, messages and mails for visitors; `visitor` for that of their browser. Default: visitor. */
  language: 'visitor' | 'en' | 'de' | 'fr' | 'es' | 'pt' | 'it' | 'nl' | 'pl' | 'ja' | 'zh';
  /** Serve a page with the fields of the form. */
  has_hosted_page: boolean;
  /** Text below the title of the hosted page; null for none. */
  intro: string | null;
  /** Label of the button of the hosted page; null for the default in the form's language. */
  button_label: string | null;
  /** Page that visitors are redirected to after a submission; null for none. */
  redirect_url: string | null;
  /** Heading of the thank-you page, which is shown without a redirect URL; null for the default in the form's language. */
  thanks_title: string | null;
  /** Message of the thank-you page and the script; null for the default in the form's language. */
  success_message: string | null;
  /** Refuse submissions that do not match the fields. */
  enforces_rules: boolean;
  /** Origins of pages that may post, such as https://example.com; empty for all. */
  allowed_origins: Array<string>;
  /** Accept files while no fields are configured; otherwise the fields of type file do. Default: true. */
  accepts_files: boolean;
  /** Accepted file types, such as image/*; empty for all. */
  allowed_file_types: Array<string>;
  /** Time from which visitors may post, such as 2026-12-01T09:00:00+01:00; null for none. */
  opens_at: string | null;
  /** Time from which visitors may no longer post; null for none. */
  closes_at: string | null;
  /** Stored submissions, without spam and trash, that fill the form; null for no limit. */
  max_submissions: number | null;
  /** Refuse a second submission with the same email address. */
  once_per_address: boolean;
  /** Ask visitors to confirm their email address before a submission is delivered. */
  confirm_address: boolean;
  /** Message for visitors while the form is closed, not open yet, full or paused; null for the default in the form's language. */
  closed_message: string | null;
  /** What happens to submissions that may be spam. Default: deliver. */
  maybe_spam_action: 'deliver' | 'hold' | 'challenge';
  /** Words and phrases that flag a submission as spam; empty for none. */
  blocked_words: Array<string>;
  /** Page with the form, which is fetched once a day to see that the form is still there; null for none. */
  watch_page: string | null;
  /** Mail the owners when a form that had submissions every week has none for long. Default: true. */
  silence_alarm: boolean;
  /** Recipients of a mail about each submission, such as ada@example.com; empty for none. */
  notify: Array<string>;
  /** One summary mail instead of a mail about each submission; null for none. */
  digest: 'hourly' | 'daily' | null;
  /** Time zone of the digest, such as Europe/Berlin. Default: UTC. */
  time_zone: string;
  /** Sender name in the form's mails; null for the default. */
  sender_name: string | null;
  /** Address for replies of visitors; null for none. */
  reply_to: string | null;
  /** Attach uploaded files to mails about submissions. */
  attach_files: boolean;
  /** Group mails about submissions in one conversation. */
  thread_mails: boolean;
  /** Subject of the mail to the visitor; {{name}} inserts a field. */
  auto_reply_subject: string | null;
  /** Text of the mail to the visitor; null for no mail. */
  auto_reply_text: string | null;
  /** Mails to visitors in 24 hours; beyond it none is sent. Default: 100. */
  auto_reply_daily_limit: number;
  /** Delete submissions after this number of days; null for RETENTION_DAYS of the instance. */
  retention_days: number | null;
  /** Store the source page and the browser of submissions. */
  keeps_source: boolean;
  /** Conditions of recipients by address. */
  notify_when: Record<string, Array<Condition>>;
  /** Challenge that visitors must solve; null for none. */
  challenge: 'turnstile' | 'hcaptcha' | 'recaptcha' | 'cap' | 'custom' | 'altcha' | null;
  /** URL that verifies solutions. */
  challenge_verify_url: string | null;
  /** True if the secret key of the challenge is set. */
  challenge_secret: true | null;
}

export interface Submission {
  id: string;
  /** A time in RFC 3339 format, in UTC with microseconds. */
  created_at: string;
  /** True if the submission is flagged as spam. Flagged submissions count toward usage. */
  is_spam: boolean;
  /** Present if the spam filter was not sure and nobody has marked the submission. `is_spam` is false. */
  maybe_spam?: true;
  /** Present if the visitor confirmed their address: when, and a keyed hash of the address. */
  confirmation?: {
    /** A time in RFC 3339 format, in UTC with microseconds. */
    mailed_at: string;
    /** A time in RFC 3339 format, in UTC with microseconds. */
    confirmed_at: string;
    address_hash: string;
  };
  /** The submitted fields, decrypted, with card and social security numbers masked. Null if the record is damaged. */
  data: Record<string, unknown> | null;
  /** The uploaded files. Null if there are none. */
  file_metadata: {
    files: Array<{
      id: string;
      field: string;
      name: string;
      content_type: string;
      size: number;
      sha256: string;
    }>;
  } | null;
}

export interface SubmissionPage {
  /** Submissions, newest first. */
  items: Array<Submission>;
  /** The value of `before` for the next page. Null on the last page. */
  next_cursor: string | null;
}

export interface TeamSubmission extends Submission {
  form_id: string;
  /** True if the submission is marked as read in the dashboard. */
  is_read: boolean;
}

export interface TeamSubmissionPage {
  /** Submissions, newest first. */
  items: Array<TeamSubmission>;
  /** The value of `before` for the next page. Null at the end. */
  next_cursor: string | null;
}

export interface ChangedSubmission {
  id: string;
  is_spam: boolean;
  is_read: boolean;
}

export interface DeletedSubmissions {
  ids: Array<string>;
  deleted: true;
}

export interface Workspace {
  id: string;
  name: string;
  /** A time in RFC 3339 format, in UTC with microseconds. */
  created_at: string;
}

export interface Webhook {
  id: string;
  form_id: string;
  kind: 'standard' | 'slack' | 'discord' | 'telegram' | 'teams' | 'ntfy' | 'sheets' | 'template';
  /** The host of the URL, which may contain a secret. Null for `sheets`, or if the record is damaged. */
  host: string | null;
  /** Names of the headers of its own, without their values. */
  header_names: Array<string>;
  events: Array<'submission.created' | 'submission.deleted' | 'form.cap_reached'>;
  body: 'full' | 'thin';
  include_spam: boolean;
  when: Array<Condition>;
  /** `false` while paused or disabled. Deliveries stay queued. */
  is_active: boolean;
  /** Why it was disabled: the endpoint answered 410, or failed for five days. */
  disabled_reason: 'gone' | 'failing' | null;
  /** The first failure since the last success. Null if the last attempt succeeded. */
  failing_since: string | null;
  /** A time in RFC 3339 format, in UTC with microseconds. */
  created_at: string;
}

export interface NewWebhook extends Webhook {
  /** The signing secret of a `standard` webhook. It is not shown again. */
  secret?: string;
}

export interface Delivery {
  /** The `webhook-id` of each attempt. */
  id: string;
  event: 'submission.created' | 'submission.deleted' | 'form.cap_reached';
  submission_id: string | null;
  state: 'queued' | 'retrying' | 'delivered' | 'failed' | 'canceled';
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  /** The beginning of the last answer's body. */
  last_answer: string | null;
  duration_ms: number | null;
  /** The next attempt. Null if there is none. */
  next_attempt_at: string | null;
  /** A time in RFC 3339 format, in UTC with microseconds. */
  created_at: string;
}

export interface DeliveryPage {
  /** Deliveries, newest first. */
  items: Array<Delivery>;
  /** The value of `before` for the next page. Null on the last page. */
  next_cursor: string | null;
}

export interface WebhookTest {
  /** True if the endpoint answered with a 2xx status. */
  delivered: boolean;
  /** The status of the answer. Null without one. */
  status: number | null;
  /** Why it failed. Null after a success. */
  error: string | null;
  /** The beginning of the answer's body. */
  answer: string;
  duration_ms: number;
  /** The event that was sent, as in a delivery. Null for other kinds than `standard`. */
  event: Record<string, unknown> | null;
}

export interface WebhookSecret {
  id: string;
  /** The new signing secret. It is not shown again. */
  secret: string;
}

export interface QueuedDeliveries {
  queued: number;
}

export interface Key {
  id: string;
  name: string;
  scope: 'read' | 'read_write';
  /** Null if the key does not expire. */
  expires_at: string | null;
  team: { id: string; name: string };
  /** The name of the team's plan. */
  plan: string;
  /** The forms that the key is limited to. Null for all forms of the team. */
  form_ids: Array<string> | null;
}

export interface Usage {
  /** A time in RFC 3339 format, in UTC with microseconds. */
  period_start: string;
  /** A time in RFC 3339 format, in UTC with microseconds. */
  period_end: string;
  /** Accepted submissions, including spam and deleted ones. */
  submissions_used: number;
  /** The monthly limit. Null if unlimited. */
  submissions_limit: number | null;
  /** Remaining submissions. Null if unlimited. */
  remaining: number | null;
}

export interface ChangeFormSettingsBody extends Partial<Omit<FormSettings, 'challenge_secret'>> {
  /** Secret key of the service; `true` keeps it. Needed again for another service or verify URL. */
  challenge_secret?: string | true | null;
}

export interface CreateWebhookBody extends ChangeWebhookBody {
  /** `standard` signs by Standard Webhooks 1.0, `template` sends a text of your own; others are chats and sheets. */
  kind?: 'standard' | 'slack' | 'discord' | 'telegram' | 'teams' | 'ntfy' | 'sheets' | 'template';
}

export interface ChangeWebhookBody {
  /** Https address for deliveries; all kinds but sheets need one; only its host is shown again. */
  url?: string;
  /** Events that are delivered. */
  events?: Array<'submission.created' | 'submission.deleted' | 'form.cap_reached'>;
  /** "full" sends all fields, "thin" only the ID and time of a submission. */
  body?: 'full' | 'thin';
  /** Also send submissions flagged as spam. */
  include_spam?: boolean;
  /** Conditions that a submission must all meet; an empty list means always. */
  when?: Array<Condition>;
  /** Send deliveries; while false they stay queued. */
  is_active?: boolean;
  /** Headers of your own, such as "X-Token: abc"; only their names are shown again. */
  headers?: Array<string>;
  /** Body of a template webhook, with {{field}} for values. */
  template?: string;
  /** Format of the template. */
  template_format?: 'json' | 'form' | 'text';
  /** ID of the Telegram chat, for the kind telegram. */
  chat?: string;
  /** ID or address of the Google spreadsheet, for the kind sheets. */
  sheet?: string;
  /** JSON key of the Google service account, for the kind sheets. */
  credentials?: string;
}

/** Parameters in the paths of operations. */
export interface PathParameters {
  /** The ID or short ID of the form. */
  formId: string;
  /** The ID of the submission. */
  submissionId: string;
  /** The ID of the file, as listed in `file_metadata`. */
  fileId: string;
  /** The ID of the workspace. */
  workspaceId: string;
  /** The ID of the webhook. */
  webhookId: string;
}

/** Operations for `get` of the client, by path. */
export interface GetOperations {
  /** List submissions */
  '/v1/forms/{formId}/submissions': {
    path: Pick<PathParameters, 'formId'>;
    query?: {
      /** Maximum number of submissions per page. A page ends early at 4 MiB of data. */
      limit?: number;
      /** A cursor for pagination: the `next_cursor` of the previous page. Any RFC 3339 timestamp works; only submissions created before it are returned. */
      before?: string;
    };
    data: SubmissionPage;
  };
  /** List forms */
  '/v1/forms': { data: Array<Form> };
  /** Retrieve a form */
  '/v1/forms/{formId}': { path: Pick<PathParameters, 'formId'>; data: FormDetail };
  /** Retrieve the settings of a form */
  '/v1/forms/{formId}/settings': { path: Pick<PathParameters, 'formId'>; data: FormSettings };
  /** List submissions of all forms */
  '/v1/submissions': {
    query?: {
      /** The ID or short ID of a form. Without it, all forms of the team. */
      form?: string;
      /** Only submissions that contain all these words, ignoring case, as they are shown. A request searches for a limited time: a page can be short, even empty, and `next_cursor` continues the search. */
      q?: string;
      /** `true` lists only submissions flagged as spam, `false` only others. Without it, both. */
      spam?: boolean;
      /** An RFC 3339 timestamp. Only submissions created at this time or later are returned. */
      since?: string;
      /** Maximum number of submissions per page. A page ends early at 4 MiB of data. */
      limit?: number;
      /** A cursor for pagination: the `next_cursor` of the previous page. Any RFC 3339 timestamp works; only submissions created before it are returned. */
      before?: string;
    };
    data: TeamSubmissionPage;
  };
  /** Retrieve a submission */
  '/v1/submissions/{submissionId}': { path: Pick<PathParameters, 'submissionId'>; data: Submission };
  /** List workspaces */
  '/v1/workspaces': { data: Array<Workspace> };
  /** List webhooks */
  '/v1/forms/{formId}/webhooks': { path: Pick<PathParameters, 'formId'>; data: Array<Webhook> };
  /** Retrieve a webhook */
  '/v1/webhooks/{webhookId}': { path: Pick<PathParameters, 'webhookId'>; data: Webhook };
  /** List deliveries */
  '/v1/webhooks/{webhookId}/deliveries': {
    path: Pick<PathParameters, 'webhookId'>;
    query?: {
      /** Maximum number of deliveries per page. */
      limit?: number;
      /** A cursor for pagination: the `next_cursor` of the previous page. */
      before?: string;
    };
    data: DeliveryPage;
  };
  /** Retrieve the API key */
  '/v1/me': { data: Key };
  /** Retrieve usage */
  '/v1/usage': { data: Usage };
}

/** Operations for `post` of the client, by path. */
export interface PostOperations {
  /** Create a form */
  '/v1/forms': {
    body: {
      /** Name, 1 to 200 characters. Leading and trailing spaces are removed. */
      name: string;
      /** The ID of the workspace of the new form. */
      workspace_id: string;
      /** An http or https URL that visitors are redirected to after a submission. */
      redirect_url?: string;
    };
    data: FormDetail;
  };
  /** Restore a form */
  '/v1/forms/{formId}/restore': { path: Pick<PathParameters, 'formId'>; data: FormDetail };
  /** Delete submissions */
  '/v1/submissions/delete': {
    body: {
      /** IDs of submissions. Repeated ids count once. */
      ids: Array<string>;
    };
    data: DeletedSubmissions;
  };
  /** Create a workspace */
  '/v1/workspaces': {
    body: {
      /** Name, 1 to 200 characters. Leading and trailing spaces are removed. */
      name: string;
    };
    data: Workspace;
  };
  /** Create a webhook */
  '/v1/forms/{formId}/webhooks': { path: Pick<PathParameters, 'formId'>; body: CreateWebhookBody; data: NewWebhook };
  /** Test a webhook */
  '/v1/webhooks/{webhookId}/test': { path: Pick<PathParameters, 'webhookId'>; data: WebhookTest };
  /** Rotate a signing secret */
  '/v1/webhooks/{webhookId}/rotate-secret': { path: Pick<PathParameters, 'webhookId'>; data: WebhookSecret };
  /** Repeat deliveries */
  '/v1/webhooks/{webhookId}/redeliver': {
    path: Pick<PathParameters, 'webhookId'>;
    body: {
      /** One delivery of the webhook. */
      delivery_id?: string;
      /** All failed deliveries of the webhook. */
      failed?: true;
      /** The latest submissions of the form, as new ones. */
      past?: number;
    };
    data: QueuedDeliveries;
  };
}

/** Operations for `patch` of the client, by path. */
export interface PatchOperations {
  /** Update a form */
  '/v1/forms/{formId}': {
    path: Pick<PathParameters, 'formId'>;
    body: {
      /** New name, 1 to 200 characters. Leading and trailing spaces are removed. */
      name?: string;
      /** `false` pauses the form, `true` resumes it. */
      isActive?: boolean;
    };
    data: ChangedForm;
  };
  /** Update the settings of a form */
  '/v1/forms/{formId}/settings': {
    path: Pick<PathParameters, 'formId'>;
    body: ChangeFormSettingsBody;
    data: FormSettings;
  };
  /** Mark a submission */
  '/v1/submissions/{submissionId}': {
    path: Pick<PathParameters, 'submissionId'>;
    body: {
      /** `true` flags the submission as spam, `false` clears it. The first time a submission is cleared that was flagged on arrival, its notifications are sent. */
      is_spam?: boolean;
      /** Marks the submission as read or unread in the dashboard. */
      is_read?: boolean;
    };
    data: ChangedSubmission;
  };
  /** Rename a workspace */
  '/v1/workspaces/{workspaceId}': {
    path: Pick<PathParameters, 'workspaceId'>;
    body: {
      /** Name, 1 to 200 characters. Leading and trailing spaces are removed. */
      name: string;
    };
    data: Workspace;
  };
  /** Update a webhook */
  '/v1/webhooks/{webhookId}': { path: Pick<PathParameters, 'webhookId'>; body: ChangeWebhookBody; data: Webhook };
}

/** Operations for `delete` of the client, by path. */
export interface DeleteOperations {
  /** Delete a form */
  '/v1/forms/{formId}': { path: Pick<PathParameters, 'formId'>; data: Deleted };
  /** Delete a submission */
  '/v1/submissions/{submissionId}': { path: Pick<PathParameters, 'submissionId'>; data: Deleted };
  /** Delete a workspace */
  '/v1/workspaces/{workspaceId}': { path: Pick<PathParameters, 'workspaceId'>; data: Deleted };
  /** Delete a webhook */
  '/v1/webhooks/{webhookId}': { path: Pick<PathParameters, 'webhookId'>; data: Deleted };
}

/** Operations for `download` of the client, by path. */
export interface DownloadOperations {
  /** Export submissions */
  '/v1/forms/{formId}/export': {
    path: Pick<PathParameters, 'formId'>;
    query: {
      /** `csv` has a column for each field, `jsonl` one submission per line in the format of the API. */
      format: 'csv' | 'jsonl';
      /** An RFC 3339 timestamp. Only submissions created at this time or later are returned. */
      since?: string;
      /** An RFC 3339 timestamp. Only submissions created before this time are returned. */
      until?: string;
      /** `true` includes submissions flagged as spam. Without it, or with `false`, they are left out. */
      spam?: boolean;
    };
  };
  /** Download a file */
  '/v1/submissions/{submissionId}/files/{fileId}': { path: Pick<PathParameters, 'submissionId' | 'fileId'> };
}
