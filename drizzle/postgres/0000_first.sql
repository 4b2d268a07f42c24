CREATE TABLE "teams" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"plan" text COLLATE "C" NOT NULL,
	"requires_second_factor" boolean DEFAULT false NOT NULL,
	"learns_spam" boolean DEFAULT true NOT NULL,
	"set_up_at" bigint,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"team_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"scope" text COLLATE "C" NOT NULL,
	"form_ids" json,
	"hash" text COLLATE "C" NOT NULL,
	"created_by" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"revoked_at" bigint,
	"last_used_at" bigint,
	CONSTRAINT "api_keys_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "form_logos" (
	"form_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"image" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"form_id" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"content" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "idempotency_keys_form_id_key_pk" PRIMARY KEY("form_id","key")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"password_hash" text COLLATE "C",
	"name" text COLLATE "C",
	"theme" text COLLATE "C",
	"language" text COLLATE "C",
	"time_zone" text COLLATE "C",
	"totp_secret" "bytea",
	"totp_step" bigint,
	"is_operator" boolean DEFAULT false NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"issuer" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "identities_issuer_subject_pk" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"form_id" text COLLATE "C" NOT NULL,
	"source" text COLLATE "C" NOT NULL,
	"added" bigint DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"finished_at" bigint,
	"undone_at" bigint
);
--> statement-breakpoint
CREATE TABLE "import_rows" (
	"hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"import_id" text COLLATE "C" NOT NULL,
	"submission_id" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "inbox_layouts" (
	"user_id" text COLLATE "C" NOT NULL,
	"form_id" text COLLATE "C" NOT NULL,
	"layout" text COLLATE "C" NOT NULL,
	"columns" json DEFAULT '[]'::json NOT NULL,
	CONSTRAINT "inbox_layouts_user_id_form_id_pk" PRIMARY KEY("user_id","form_id")
);
--> statement-breakpoint
CREATE TABLE "inbox_views" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"team_id" text COLLATE "C" NOT NULL,
	"view" "bytea" NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "instances" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"host" text COLLATE "C" NOT NULL,
	"pid" bigint NOT NULL,
	"version" text COLLATE "C" NOT NULL,
	"key_id" bigint NOT NULL,
	"started_at" bigint NOT NULL,
	"seen_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"holder" text COLLATE "C",
	"until" bigint
);
--> statement-breakpoint
CREATE TABLE "api_requests" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"content" text COLLATE "C" NOT NULL,
	"status" bigint,
	"response" "bytea",
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_servers" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"settings" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "members" (
	"user_id" text COLLATE "C" NOT NULL,
	"team_id" text COLLATE "C" NOT NULL,
	"role" text COLLATE "C" DEFAULT 'owner' NOT NULL,
	"workspace_ids" json,
	"created_at" bigint NOT NULL,
	CONSTRAINT "members_user_id_team_id_pk" PRIMARY KEY("user_id","team_id")
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"submission_id" text COLLATE "C" NOT NULL,
	"form_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"author_id" text COLLATE "C" NOT NULL,
	"body" "bytea" NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "milestones" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"reached_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "one_time_links" (
	"hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"team_id" text COLLATE "C",
	"user_id" text COLLATE "C",
	"role" text COLLATE "C",
	"workspace_ids" json,
	"email" text COLLATE "C",
	"new_email" text COLLATE "C",
	"created_by" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"form_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"events" json NOT NULL,
	"body" text COLLATE "C" NOT NULL,
	"include_spam" boolean NOT NULL,
	"when" json NOT NULL,
	"is_active" boolean NOT NULL,
	"disabled_reason" text COLLATE "C",
	"settings" "bytea" NOT NULL,
	"failures" bigint DEFAULT 0 NOT NULL,
	"failing_since" bigint,
	"rest_until" bigint,
	"is_slow" boolean DEFAULT false NOT NULL,
	"created_at" bigint NOT NULL,
	"created_by" text COLLATE "C",
	"deleted_at" bigint
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"form_id" text COLLATE "C",
	"submission_id" text COLLATE "C",
	"team_id" text COLLATE "C",
	"reply_id" text COLLATE "C",
	"webhook_id" text COLLATE "C",
	"event" text COLLATE "C",
	"deleted" json,
	"covers_from" bigint,
	"covers_until" bigint,
	"percent" bigint,
	"recipient" text COLLATE "C",
	"addressee" text COLLATE "C",
	"language" text COLLATE "C",
	"message_id" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"failures" bigint NOT NULL,
	"due_at" bigint NOT NULL,
	"leased_until" bigint,
	"claimed_by" text COLLATE "C",
	"fence" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"settled_at" bigint,
	"reason" "bytea",
	"duration_ms" bigint,
	"last_status" bigint
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"credential_id" text COLLATE "C" NOT NULL,
	"public_key" text COLLATE "C" NOT NULL,
	"counter" bigint NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint NOT NULL,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	CONSTRAINT "recovery_codes_user_id_hash_pk" PRIMARY KEY("user_id","hash")
);
--> statement-breakpoint
CREATE TABLE "rewrites" (
	"id" bigint PRIMARY KEY NOT NULL,
	"requested" bigint NOT NULL,
	"rewritten" bigint NOT NULL,
	"cleared" bigint NOT NULL,
	"attempted_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" bigint NOT NULL,
	"team_id" text COLLATE "C",
	"actor" text COLLATE "C" NOT NULL,
	"actor_id" text COLLATE "C" NOT NULL,
	"actor_name" text COLLATE "C",
	"address" text COLLATE "C",
	"action" text COLLATE "C" NOT NULL,
	"details" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"team_id" text COLLATE "C",
	"is_pending" boolean DEFAULT false NOT NULL,
	"method" text COLLATE "C" DEFAULT 'password' NOT NULL,
	"is_multi_factor" boolean DEFAULT false NOT NULL,
	"password_at" bigint DEFAULT 0 NOT NULL,
	"address" text COLLATE "C" NOT NULL,
	"browser" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "sessions_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "sign_in_attempts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "spam_lessons" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"team_id" text COLLATE "C" NOT NULL,
	"submission_id" text COLLATE "C" NOT NULL,
	"is_spam" boolean NOT NULL,
	"balances" text COLLATE "C",
	"changes" "bytea" NOT NULL,
	"is_forgotten" boolean DEFAULT false NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "spam_models" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"weights" "bytea" NOT NULL,
	"raised_by" bigint DEFAULT 0 NOT NULL,
	"halved_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "spent_challenges" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "steady_clock" (
	"id" bigint PRIMARY KEY NOT NULL,
	"seen_at" bigint NOT NULL,
	"steady_since" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "submissions" (
	"created_at" bigint PRIMARY KEY NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"form_key" bigint NOT NULL,
	"is_spam" boolean NOT NULL,
	"is_maybe_spam" boolean DEFAULT false NOT NULL,
	"payload" "bytea" NOT NULL,
	"files" "bytea",
	"file_bytes" bigint DEFAULT 0 NOT NULL,
	"spam_reasons" "bytea",
	"read_at" bigint,
	"is_starred" boolean DEFAULT false NOT NULL,
	"assigned_to" text COLLATE "C",
	"trashed_at" bigint,
	"source" "bytea",
	"address" text COLLATE "C",
	"confirm_hash" text COLLATE "C",
	"confirm_mailed_at" bigint,
	"confirmed_at" bigint,
	"consent" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "vault_keys" (
	"id" bigint PRIMARY KEY NOT NULL,
	"check_value" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" DEFAULT 'current' NOT NULL,
	"fingerprint_key" "bytea",
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"team_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"position" bigint DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "forms" (
	"key" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "forms_key_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" text COLLATE "C" NOT NULL,
	"short_id" text COLLATE "C" NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"is_active" boolean NOT NULL,
	"redirect_url" text COLLATE "C",
	"fields" json NOT NULL,
	"enforces_rules" boolean DEFAULT false NOT NULL,
	"allowed_origins" json DEFAULT '[]'::json NOT NULL,
	"allowed_file_types" json DEFAULT '[]'::json NOT NULL,
	"accepts_files" boolean DEFAULT true NOT NULL,
	"opens_at" text COLLATE "C",
	"closes_at" text COLLATE "C",
	"max_submissions" bigint,
	"once_per_address" boolean DEFAULT false NOT NULL,
	"confirm_address" boolean DEFAULT false NOT NULL,
	"closed_message" text COLLATE "C",
	"consent_text" text COLLATE "C",
	"thanks_title" text COLLATE "C",
	"success_message" text COLLATE "C",
	"language" text COLLATE "C" DEFAULT 'visitor' NOT NULL,
	"intro" text COLLATE "C",
	"button_label" text COLLATE "C",
	"challenge" text COLLATE "C",
	"challenge_verify_url" text COLLATE "C",
	"challenge_secret" "bytea",
	"blocked_words" json DEFAULT '[]'::json NOT NULL,
	"maybe_spam_action" text COLLATE "C" DEFAULT 'deliver' NOT NULL,
	"notify" json DEFAULT '[]'::json NOT NULL,
	"notify_when" json DEFAULT '{}'::json NOT NULL,
	"attach_files" boolean DEFAULT false NOT NULL,
	"thread_mails" boolean DEFAULT false NOT NULL,
	"auto_reply_subject" text COLLATE "C",
	"auto_reply_text" text COLLATE "C",
	"auto_reply_daily_limit" bigint DEFAULT 100 NOT NULL,
	"watch_page" text COLLATE "C",
	"silence_alarm" boolean DEFAULT true NOT NULL,
	"digest" text COLLATE "C",
	"time_zone" text COLLATE "C" DEFAULT 'UTC' NOT NULL,
	"digested_until" bigint,
	"held_back_until" bigint,
	"retention_days" bigint,
	"public_name" text COLLATE "C",
	"accent_color" text COLLATE "C",
	"has_hosted_page" boolean DEFAULT false NOT NULL,
	"sender_name" text COLLATE "C",
	"reply_to" text COLLATE "C",
	"keeps_source" boolean DEFAULT false NOT NULL,
	"archived_at" bigint,
	"trashed_at" bigint,
	"webhook_routes" json DEFAULT '[]'::json NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "forms_id_unique" UNIQUE("id"),
	CONSTRAINT "forms_short_id_unique" UNIQUE("short_id")
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"form_id" text COLLATE "C" NOT NULL,
	"text" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "counters" (
	"until" bigint NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"amount" bigint NOT NULL,
	"spam" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "counters_until_owner_pk" PRIMARY KEY("until","owner")
);
--> statement-breakpoint
CREATE TABLE "files" (
	"blob" text COLLATE "C" PRIMARY KEY NOT NULL,
	"submission_id" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "form_checks" (
	"form_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"page_checked_at" bigint,
	"page_seen_at" bigint,
	"page_failures" bigint DEFAULT 0 NOT NULL,
	"page_problem" text COLLATE "C",
	"closed_until" bigint,
	"silent_at" bigint,
	"limited_at" bigint,
	"unsent_at" bigint
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "form_logos" ADD CONSTRAINT "form_logos_form_id_forms_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."forms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_form_id_forms_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."forms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_form_id_forms_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."forms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_rows" ADD CONSTRAINT "import_rows_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_layouts" ADD CONSTRAINT "inbox_layouts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_layouts" ADD CONSTRAINT "inbox_layouts_form_id_forms_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."forms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_views" ADD CONSTRAINT "inbox_views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_views" ADD CONSTRAINT "inbox_views_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "one_time_links" ADD CONSTRAINT "one_time_links_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "one_time_links" ADD CONSTRAINT "one_time_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "one_time_links" ADD CONSTRAINT "one_time_links_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_form_id_forms_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."forms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_form_id_forms_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."forms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_reply_id_messages_id_fk" FOREIGN KEY ("reply_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit" ADD CONSTRAINT "audit_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spam_lessons" ADD CONSTRAINT "spam_lessons_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spam_models" ADD CONSTRAINT "spam_models_id_teams_id_fk" FOREIGN KEY ("id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submissions" ADD CONSTRAINT "submissions_form_key_forms_key_fk" FOREIGN KEY ("form_key") REFERENCES "public"."forms"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submissions" ADD CONSTRAINT "submissions_assigned_to_users_id_fk" FOREIGN KEY ("assigned_to") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "forms" ADD CONSTRAINT "forms_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_form_id_forms_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."forms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "form_checks" ADD CONSTRAINT "form_checks_form_id_forms_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."forms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_of_team" ON "api_keys" USING btree ("team_id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_by_time" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "identities_of_user" ON "identities" USING btree ("user_id","issuer");--> statement-breakpoint
CREATE INDEX "imports_of_form" ON "imports" USING btree ("form_id");--> statement-breakpoint
CREATE INDEX "import_rows_of_import" ON "import_rows" USING btree ("import_id");--> statement-breakpoint
CREATE INDEX "inbox_layouts_of_form" ON "inbox_layouts" USING btree ("form_id");--> statement-breakpoint
CREATE INDEX "inbox_views_of_user" ON "inbox_views" USING btree ("user_id","team_id");--> statement-breakpoint
CREATE INDEX "api_requests_by_time" ON "api_requests" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "members_of_team" ON "members" USING btree ("team_id");--> statement-breakpoint
CREATE INDEX "messages_of_submission" ON "messages" USING btree ("submission_id");--> statement-breakpoint
CREATE INDEX "one_time_links_by_expiry" ON "one_time_links" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "webhooks_of_form" ON "webhooks" USING btree ("form_id");--> statement-breakpoint
CREATE INDEX "mails_to_send" ON "outbox" USING btree ("due_at") WHERE state IN ('queued', 'retrying') AND webhook_id IS NULL;--> statement-breakpoint
CREATE INDEX "mails_due_of_form" ON "outbox" USING btree ("form_id","due_at") WHERE state IN ('queued', 'retrying') AND webhook_id IS NULL;--> statement-breakpoint
CREATE INDEX "deliveries_to_send" ON "outbox" USING btree ("webhook_id","due_at","id") WHERE state IN ('queued', 'retrying') AND webhook_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "deliveries_leased" ON "outbox" USING btree ("webhook_id","leased_until") WHERE leased_until IS NOT NULL AND webhook_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "deliveries_of_webhook" ON "outbox" USING btree ("webhook_id","id") WHERE webhook_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "outbox_settled" ON "outbox" USING btree ("settled_at") WHERE state IN ('sent', 'dead', 'canceled');--> statement-breakpoint
CREATE INDEX "mails_failed" ON "outbox" USING btree ("form_id") WHERE state = 'dead' AND kind NOT IN ('auto_reply', 'confirmation');--> statement-breakpoint
CREATE INDEX "mails_of_submission" ON "outbox" USING btree ("submission_id");--> statement-breakpoint
CREATE INDEX "mails_of_reply" ON "outbox" USING btree ("reply_id") WHERE reply_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "mails_of_form" ON "outbox" USING btree ("form_id","state","id");--> statement-breakpoint
CREATE INDEX "mails_of_team" ON "outbox" USING btree ("team_id","state","id") WHERE team_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "auto_replies" ON "outbox" USING btree ("form_id","created_at") WHERE kind = 'auto_reply';--> statement-breakpoint
CREATE INDEX "passkeys_of_user" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "audit_of_team" ON "audit" USING btree ("team_id","id");--> statement-breakpoint
CREATE INDEX "audit_of_actor" ON "audit" USING btree ("team_id","actor_id","id");--> statement-breakpoint
CREATE INDEX "audit_of_action" ON "audit" USING btree ("team_id","action","id");--> statement-breakpoint
CREATE INDEX "audit_of_actor_and_action" ON "audit" USING btree ("team_id","actor_id","action","id");--> statement-breakpoint
CREATE INDEX "sessions_of_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_by_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_attempts_by_name" ON "sign_in_attempts" USING btree ("name","expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_attempts_by_time" ON "sign_in_attempts" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "spam_lessons_of_team" ON "spam_lessons" USING btree ("team_id","created_at");--> statement-breakpoint
CREATE INDEX "spam_lessons_of_submission" ON "spam_lessons" USING btree ("submission_id");--> statement-breakpoint
CREATE INDEX "forgotten_spam_lessons" ON "spam_lessons" USING btree ("team_id") WHERE is_forgotten;--> statement-breakpoint
CREATE INDEX "spent_challenges_by_time" ON "spent_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "submissions_of_form" ON "submissions" USING btree ("form_key","trashed_at",(CASE WHEN confirm_hash IS NOT NULL AND confirmed_at IS NULL THEN 3 WHEN is_spam THEN 2 WHEN read_at IS NULL THEN 0 ELSE 1 END),"created_at");--> statement-breakpoint
CREATE INDEX "maybe_spam_of_form" ON "submissions" USING btree ("form_key","created_at") WHERE is_maybe_spam AND trashed_at IS NULL;--> statement-breakpoint
CREATE INDEX "trash_of_form" ON "submissions" USING btree ("form_key","created_at") WHERE trashed_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "addresses_of_form" ON "submissions" USING btree ("form_key","address","created_at") WHERE address IS NOT NULL AND trashed_at IS NULL;--> statement-breakpoint
CREATE INDEX "starred_of_form" ON "submissions" USING btree ("form_key","created_at") WHERE is_starred AND trashed_at IS NULL;--> statement-breakpoint
CREATE INDEX "assigned_submissions" ON "submissions" USING btree ("assigned_to","form_key","created_at") WHERE assigned_to IS NOT NULL;--> statement-breakpoint
CREATE INDEX "file_bytes_of_form" ON "submissions" USING btree ("form_key","created_at","file_bytes") WHERE file_bytes > 0;--> statement-breakpoint
CREATE INDEX "workspaces_of_team" ON "workspaces" USING btree ("team_id");--> statement-breakpoint
CREATE INDEX "forms_of_workspace" ON "forms" USING btree ("workspace_id","key");--> statement-breakpoint
CREATE INDEX "consents_of_form" ON "consents" USING btree ("form_id");--> statement-breakpoint
CREATE INDEX "counters_of_owner" ON "counters" USING btree ("owner","until");--> statement-breakpoint
CREATE INDEX "files_of_submission" ON "files" USING btree ("submission_id");--> statement-breakpoint
INSERT INTO "leases" ("name") VALUES ('clock'), ('leader'), ('server'), ('keys'), ('sign-in');
--> statement-breakpoint
CREATE FUNCTION "release_storage"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "counters"
	SET "amount" = greatest(0, "amount" - length(OLD."payload") - coalesce(length(OLD."files"), 0) - OLD."file_bytes")
	WHERE "until" = 9007199254740991 AND "owner" = (SELECT w."team_id" FROM "forms" f JOIN "workspaces" w ON w."id" = f."workspace_id" WHERE f."key" = OLD."form_key");
	RETURN OLD;
END $$;
--> statement-breakpoint
CREATE TRIGGER "release_storage" BEFORE DELETE ON "submissions" FOR EACH ROW EXECUTE FUNCTION "release_storage"();
--> statement-breakpoint
CREATE FUNCTION "count_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "counters" SET
		"amount" = "amount" + (NEW."trashed_at" IS NULL AND NOT NEW."is_spam")::int - (OLD."trashed_at" IS NULL AND NOT OLD."is_spam")::int,
		"spam" = "spam" + (NEW."trashed_at" IS NULL AND NEW."is_spam")::int - (OLD."trashed_at" IS NULL AND OLD."is_spam")::int
	WHERE "until" = (NEW."created_at" / 86400000000 + 1) * 86400000000 AND "owner" = (SELECT "id" FROM "forms" WHERE "key" = NEW."form_key");
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "count_change" AFTER UPDATE OF "is_spam", "trashed_at" ON "submissions" FOR EACH ROW EXECUTE FUNCTION "count_change"();
--> statement-breakpoint
CREATE FUNCTION "count_deletion"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "counters" SET "amount" = "amount" - (NOT OLD."is_spam")::int, "spam" = "spam" - OLD."is_spam"::int
	WHERE "until" = (OLD."created_at" / 86400000000 + 1) * 86400000000 AND "owner" = (SELECT "id" FROM "forms" WHERE "key" = OLD."form_key");
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "count_deletion" AFTER DELETE ON "submissions" FOR EACH ROW WHEN (OLD."trashed_at" IS NULL) EXECUTE FUNCTION "count_deletion"();
--> statement-breakpoint
CREATE FUNCTION "forget_lesson"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "spam_lessons" SET "is_forgotten" = true WHERE "submission_id" = OLD."id";
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "forget_lesson" AFTER DELETE ON "submissions" FOR EACH ROW EXECUTE FUNCTION "forget_lesson"();
--> statement-breakpoint
CREATE FUNCTION "delete_parts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "files" WHERE "submission_id" = OLD."id";
	DELETE FROM "outbox" WHERE "submission_id" = OLD."id";
	DELETE FROM "messages" WHERE "submission_id" = OLD."id";
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "delete_parts" AFTER DELETE ON "submissions" FOR EACH ROW EXECUTE FUNCTION "delete_parts"();
--> statement-breakpoint
CREATE FUNCTION "fence_records"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	"column" text;
	"record" bytea;
	"before" bytea;
	"key" bigint;
BEGIN
	FOREACH "column" IN ARRAY TG_ARGV LOOP
		EXECUTE format('SELECT ($1).%I', "column") INTO "record" USING NEW;
		"before" := NULL;
		IF TG_OP = 'UPDATE' THEN EXECUTE format('SELECT ($1).%I', "column") INTO "before" USING OLD; END IF;
		CONTINUE WHEN "record" IS NULL OR length("record") = 0 OR "record" = "before";
		"key" := ('x' || encode(substring("record" FROM 2 FOR 4), 'hex'))::bit(32)::bigint;
		-- A move copies records under any key.
		CONTINUE WHEN current_setting('formstead.moves_records', true) = 'on';
		PERFORM 1 FROM "vault_keys" WHERE "id" = "key" AND "state" = 'current' FOR SHARE;
		CONTINUE WHEN FOUND;
		PERFORM 1 FROM "instances" WHERE "key_id" = "key" FOR SHARE;
		CONTINUE WHEN FOUND OR NOT EXISTS (SELECT 1 FROM "vault_keys");
		RAISE EXCEPTION 'the record is sealed under a key that is no longer used' USING ERRCODE = 'FS001';
	END LOOP;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "challenge_secret" ON "forms" FOR EACH ROW WHEN (NEW."challenge_secret" IS NOT NULL) EXECUTE FUNCTION "fence_records"('challenge_secret');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "text" ON "consents" FOR EACH ROW EXECUTE FUNCTION "fence_records"('text');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "body" ON "messages" FOR EACH ROW WHEN (NEW."body" IS NOT NULL) EXECUTE FUNCTION "fence_records"('body');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "view" ON "inbox_views" FOR EACH ROW WHEN (NEW."view" IS NOT NULL) EXECUTE FUNCTION "fence_records"('view');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "response" ON "api_requests" FOR EACH ROW WHEN (NEW."response" IS NOT NULL) EXECUTE FUNCTION "fence_records"('response');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "weights" ON "spam_models" FOR EACH ROW WHEN (NEW."weights" IS NOT NULL) EXECUTE FUNCTION "fence_records"('weights');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "changes" ON "spam_lessons" FOR EACH ROW WHEN (NEW."changes" IS NOT NULL) EXECUTE FUNCTION "fence_records"('changes');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "totp_secret" ON "users" FOR EACH ROW WHEN (NEW."totp_secret" IS NOT NULL) EXECUTE FUNCTION "fence_records"('totp_secret');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "settings" ON "webhooks" FOR EACH ROW WHEN (NEW."settings" IS NOT NULL) EXECUTE FUNCTION "fence_records"('settings');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "settings" ON "mail_servers" FOR EACH ROW EXECUTE FUNCTION "fence_records"('settings');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "reason" ON "outbox" FOR EACH ROW WHEN (NEW."reason" IS NOT NULL) EXECUTE FUNCTION "fence_records"('reason');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE UPDATE OF "payload", "files", "spam_reasons", "source" ON "submissions" FOR EACH ROW EXECUTE FUNCTION "fence_records"('payload', 'files', 'spam_reasons', 'source');
