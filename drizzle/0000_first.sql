CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`name` text NOT NULL,
	`scope` text NOT NULL,
	`form_ids` text,
	`hash` text NOT NULL,
	`created_by` text,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`last_used_at` integer,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_of_team` ON `api_keys` (`team_id`);--> statement-breakpoint
CREATE TABLE `api_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`content` text NOT NULL,
	`status` integer,
	`response` blob,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `api_requests_by_time` ON `api_requests` (`created_at`);--> statement-breakpoint
CREATE TABLE `audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`team_id` text,
	`actor` text NOT NULL,
	`actor_id` text NOT NULL,
	`actor_name` text,
	`address` text,
	`action` text NOT NULL,
	`details` text NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `audit_of_team` ON `audit` (`team_id`);--> statement-breakpoint
CREATE INDEX `audit_of_actor` ON `audit` (`team_id`,`actor_id`);--> statement-breakpoint
CREATE INDEX `audit_of_action` ON `audit` (`team_id`,`action`);--> statement-breakpoint
CREATE INDEX `audit_of_actor_and_action` ON `audit` (`team_id`,`actor_id`,`action`);--> statement-breakpoint
CREATE TABLE `consents` (
	`id` text PRIMARY KEY NOT NULL,
	`form_id` text NOT NULL,
	`text` blob NOT NULL,
	FOREIGN KEY (`form_id`) REFERENCES `forms`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `consents_of_form` ON `consents` (`form_id`);--> statement-breakpoint
CREATE TABLE `counters` (
	`until` integer NOT NULL,
	`owner` text NOT NULL,
	`amount` integer NOT NULL,
	`spam` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`until`, `owner`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `counters_of_owner` ON `counters` (`owner`,`until`);--> statement-breakpoint
CREATE TABLE `files` (
	`blob` text PRIMARY KEY NOT NULL,
	`submission_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `files_of_submission` ON `files` (`submission_id`);--> statement-breakpoint
CREATE TABLE `form_checks` (
	`form_id` text PRIMARY KEY NOT NULL,
	`page_checked_at` integer,
	`page_seen_at` integer,
	`page_failures` integer DEFAULT 0 NOT NULL,
	`page_problem` text,
	`closed_until` integer,
	`silent_at` integer,
	`limited_at` integer,
	`unsent_at` integer,
	FOREIGN KEY (`form_id`) REFERENCES `forms`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `form_logos` (
	`form_id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`image` text NOT NULL,
	FOREIGN KEY (`form_id`) REFERENCES `forms`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `forms` (
	`key` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`short_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`is_active` integer NOT NULL,
	`redirect_url` text,
	`fields` text NOT NULL,
	`enforces_rules` integer DEFAULT false NOT NULL,
	`allowed_origins` text DEFAULT '[]' NOT NULL,
	`allowed_file_types` text DEFAULT '[]' NOT NULL,
	`accepts_files` integer DEFAULT true NOT NULL,
	`opens_at` text,
	`closes_at` text,
	`max_submissions` integer,
	`once_per_address` integer DEFAULT false NOT NULL,
	`confirm_address` integer DEFAULT false NOT NULL,
	`closed_message` text,
	`consent_text` text,
	`thanks_title` text,
	`success_message` text,
	`language` text DEFAULT 'visitor' NOT NULL,
	`intro` text,
	`button_label` text,
	`challenge` text,
	`challenge_verify_url` text,
	`challenge_secret` blob,
	`blocked_words` text DEFAULT '[]' NOT NULL,
	`maybe_spam_action` text DEFAULT 'deliver' NOT NULL,
	`notify` text DEFAULT '[]' NOT NULL,
	`notify_when` text DEFAULT '{}' NOT NULL,
	`attach_files` integer DEFAULT false NOT NULL,
	`thread_mails` integer DEFAULT false NOT NULL,
	`auto_reply_subject` text,
	`auto_reply_text` text,
	`auto_reply_daily_limit` integer DEFAULT 100 NOT NULL,
	`watch_page` text,
	`silence_alarm` integer DEFAULT true NOT NULL,
	`digest` text,
	`time_zone` text DEFAULT 'UTC' NOT NULL,
	`digested_until` integer,
	`held_back_until` integer,
	`retention_days` integer,
	`public_name` text,
	`accent_color` text,
	`has_hosted_page` integer DEFAULT false NOT NULL,
	`sender_name` text,
	`reply_to` text,
	`keeps_source` integer DEFAULT false NOT NULL,
	`archived_at` integer,
	`trashed_at` integer,
	`webhook_routes` text DEFAULT '[]' NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `forms_id_unique` ON `forms` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `forms_short_id_unique` ON `forms` (`short_id`);--> statement-breakpoint
CREATE INDEX `forms_of_workspace` ON `forms` (`workspace_id`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`form_id` text NOT NULL,
	`key` text NOT NULL,
	`content` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`form_id`, `key`),
	FOREIGN KEY (`form_id`) REFERENCES `forms`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_by_time` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE TABLE `identities` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`issuer`, `subject`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_of_user` ON `identities` (`user_id`,`issuer`);--> statement-breakpoint
CREATE TABLE `import_rows` (
	`hash` text PRIMARY KEY NOT NULL,
	`import_id` text NOT NULL,
	`submission_id` text NOT NULL,
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `import_rows_of_import` ON `import_rows` (`import_id`);--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`form_id` text NOT NULL,
	`source` text NOT NULL,
	`added` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	`undone_at` integer,
	FOREIGN KEY (`form_id`) REFERENCES `forms`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `imports_of_form` ON `imports` (`form_id`);--> statement-breakpoint
CREATE TABLE `inbox_layouts` (
	`user_id` text NOT NULL,
	`form_id` text NOT NULL,
	`layout` text NOT NULL,
	`columns` text DEFAULT '[]' NOT NULL,
	PRIMARY KEY(`user_id`, `form_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`form_id`) REFERENCES `forms`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `inbox_layouts_of_form` ON `inbox_layouts` (`form_id`);--> statement-breakpoint
CREATE TABLE `inbox_views` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`team_id` text NOT NULL,
	`view` blob NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `inbox_views_of_user` ON `inbox_views` (`user_id`,`team_id`);--> statement-breakpoint
CREATE TABLE `instances` (
	`id` text PRIMARY KEY NOT NULL,
	`host` text NOT NULL,
	`pid` integer NOT NULL,
	`version` text NOT NULL,
	`key_id` integer NOT NULL,
	`started_at` integer NOT NULL,
	`seen_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text,
	`until` integer
);
--> statement-breakpoint
CREATE TABLE `mail_servers` (
	`id` text PRIMARY KEY NOT NULL,
	`settings` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `members` (
	`user_id` text NOT NULL,
	`team_id` text NOT NULL,
	`role` text DEFAULT 'owner' NOT NULL,
	`workspace_ids` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `team_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `members_of_team` ON `members` (`team_id`);--> statement-breakpoint
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`submission_id` text NOT NULL,
	`form_id` text NOT NULL,
	`kind` text NOT NULL,
	`author_id` text NOT NULL,
	`body` blob NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `messages_of_submission` ON `messages` (`submission_id`);--> statement-breakpoint
CREATE TABLE `milestones` (
	`name` text PRIMARY KEY NOT NULL,
	`reached_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `one_time_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`team_id` text,
	`user_id` text,
	`role` text,
	`workspace_ids` text,
	`email` text,
	`new_email` text,
	`created_by` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `one_time_links_by_expiry` ON `one_time_links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`form_id` text,
	`submission_id` text,
	`team_id` text,
	`reply_id` text,
	`webhook_id` text,
	`event` text,
	`deleted` text,
	`covers_from` integer,
	`covers_until` integer,
	`percent` integer,
	`recipient` text,
	`addressee` text,
	`language` text,
	`message_id` text NOT NULL,
	`state` text NOT NULL,
	`failures` integer NOT NULL,
	`due_at` integer NOT NULL,
	`leased_until` integer,
	`claimed_by` text,
	`fence` integer NOT NULL,
	`created_at` integer NOT NULL,
	`settled_at` integer,
	`reason` blob,
	`duration_ms` integer,
	`last_status` integer,
	FOREIGN KEY (`form_id`) REFERENCES `forms`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`reply_id`) REFERENCES `messages`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `mails_to_send` ON `outbox` (`due_at`) WHERE state IN ('queued', 'retrying') AND webhook_id IS NULL;--> statement-breakpoint
CREATE INDEX `mails_due_of_form` ON `outbox` (`form_id`,`due_at`) WHERE state IN ('queued', 'retrying') AND webhook_id IS NULL;--> statement-breakpoint
CREATE INDEX `deliveries_to_send` ON `outbox` (`webhook_id`,`due_at`) WHERE state IN ('queued', 'retrying') AND webhook_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `deliveries_leased` ON `outbox` (`webhook_id`,`leased_until`) WHERE leased_until IS NOT NULL AND webhook_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `deliveries_of_webhook` ON `outbox` (`webhook_id`,`id`) WHERE webhook_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `outbox_settled` ON `outbox` (`settled_at`) WHERE state IN ('sent', 'dead', 'canceled');--> statement-breakpoint
CREATE INDEX `mails_failed` ON `outbox` (`form_id`) WHERE state = 'dead' AND kind NOT IN ('auto_reply', 'confirmation');--> statement-breakpoint
CREATE INDEX `mails_of_submission` ON `outbox` (`submission_id`);--> statement-breakpoint
CREATE INDEX `mails_of_reply` ON `outbox` (`reply_id`) WHERE reply_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `mails_of_form` ON `outbox` (`form_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `mails_of_team` ON `outbox` (`team_id`,`state`,`id`) WHERE team_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `auto_replies` ON `outbox` (`form_id`,`created_at`) WHERE kind = 'auto_reply';--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credential_id_unique` ON `passkeys` (`credential_id`);--> statement-breakpoint
CREATE INDEX `passkeys_of_user` ON `passkeys` (`user_id`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`user_id` text NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`user_id`, `hash`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `rewrites` (
	`id` integer PRIMARY KEY NOT NULL,
	`requested` integer NOT NULL,
	`rewritten` integer NOT NULL,
	`cleared` integer NOT NULL,
	`attempted_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`team_id` text,
	`is_pending` integer DEFAULT false NOT NULL,
	`method` text DEFAULT 'password' NOT NULL,
	`is_multi_factor` integer DEFAULT false NOT NULL,
	`password_at` integer DEFAULT 0 NOT NULL,
	`address` text NOT NULL,
	`browser` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_id_unique` ON `sessions` (`id`);--> statement-breakpoint
CREATE INDEX `sessions_of_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_by_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sign_in_attempts` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sign_in_attempts_by_name` ON `sign_in_attempts` (`name`,`expires_at`);--> statement-breakpoint
CREATE INDEX `sign_in_attempts_by_time` ON `sign_in_attempts` (`expires_at`);--> statement-breakpoint
CREATE TABLE `spam_lessons` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`submission_id` text NOT NULL,
	`is_spam` integer NOT NULL,
	`balances` text,
	`changes` blob NOT NULL,
	`is_forgotten` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `spam_lessons_of_team` ON `spam_lessons` (`team_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `spam_lessons_of_submission` ON `spam_lessons` (`submission_id`);--> statement-breakpoint
CREATE INDEX `forgotten_spam_lessons` ON `spam_lessons` (`team_id`) WHERE is_forgotten;--> statement-breakpoint
CREATE TABLE `spam_models` (
	`id` text PRIMARY KEY NOT NULL,
	`weights` blob NOT NULL,
	`raised_by` integer DEFAULT 0 NOT NULL,
	`halved_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `spent_challenges` (
	`id` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `spent_challenges_by_time` ON `spent_challenges` (`expires_at`);--> statement-breakpoint
CREATE TABLE `steady_clock` (
	`id` integer PRIMARY KEY NOT NULL,
	`seen_at` integer NOT NULL,
	`steady_since` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `submissions` (
	`created_at` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`form_key` integer NOT NULL,
	`is_spam` integer NOT NULL,
	`is_maybe_spam` integer DEFAULT false NOT NULL,
	`payload` blob NOT NULL,
	`files` blob,
	`file_bytes` integer DEFAULT 0 NOT NULL,
	`spam_reasons` blob,
	`read_at` integer,
	`is_starred` integer DEFAULT false NOT NULL,
	`assigned_to` text,
	`trashed_at` integer,
	`source` blob,
	`address` text,
	`confirm_hash` text,
	`confirm_mailed_at` integer,
	`confirmed_at` integer,
	`consent` text,
	FOREIGN KEY (`form_key`) REFERENCES `forms`(`key`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`assigned_to`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `submissions_of_form` ON `submissions` (`form_key`,`trashed_at`,(CASE WHEN confirm_hash IS NOT NULL AND confirmed_at IS NULL THEN 3 WHEN is_spam THEN 2 WHEN read_at IS NULL THEN 0 ELSE 1 END));--> statement-breakpoint
CREATE INDEX `maybe_spam_of_form` ON `submissions` (`form_key`) WHERE is_maybe_spam AND trashed_at IS NULL;--> statement-breakpoint
CREATE INDEX `trash_of_form` ON `submissions` (`form_key`) WHERE trashed_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `addresses_of_form` ON `submissions` (`form_key`,`address`) WHERE address IS NOT NULL AND trashed_at IS NULL;--> statement-breakpoint
CREATE INDEX `starred_of_form` ON `submissions` (`form_key`) WHERE is_starred AND trashed_at IS NULL;--> statement-breakpoint
CREATE INDEX `assigned_submissions` ON `submissions` (`assigned_to`,`form_key`) WHERE assigned_to IS NOT NULL;--> statement-breakpoint
CREATE INDEX `file_bytes_of_form` ON `submissions` (`form_key`,`created_at`,`file_bytes`) WHERE file_bytes > 0;--> statement-breakpoint
CREATE TABLE `teams` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`plan` text NOT NULL,
	`requires_second_factor` integer DEFAULT false NOT NULL,
	`learns_spam` integer DEFAULT true NOT NULL,
	`set_up_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`password_hash` text,
	`name` text,
	`theme` text,
	`language` text,
	`time_zone` text,
	`totp_secret` blob,
	`totp_step` integer,
	`is_operator` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `vault_keys` (
	`id` integer PRIMARY KEY NOT NULL,
	`check_value` text NOT NULL,
	`state` text DEFAULT 'current' NOT NULL,
	`fingerprint_key` blob,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`form_id` text NOT NULL,
	`kind` text NOT NULL,
	`events` text NOT NULL,
	`body` text NOT NULL,
	`include_spam` integer NOT NULL,
	`when` text NOT NULL,
	`is_active` integer NOT NULL,
	`disabled_reason` text,
	`settings` blob NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`failing_since` integer,
	`rest_until` integer,
	`is_slow` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` text,
	`deleted_at` integer,
	FOREIGN KEY (`form_id`) REFERENCES `forms`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `webhooks_of_form` ON `webhooks` (`form_id`);--> statement-breakpoint
CREATE TABLE `workspaces` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`name` text NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `workspaces_of_team` ON `workspaces` (`team_id`);--> statement-breakpoint
CREATE TRIGGER `release_storage` BEFORE DELETE ON `submissions` BEGIN
	UPDATE `counters`
	SET `amount` = max(0, `amount` - length(OLD.`payload`) - coalesce(length(OLD.`files`), 0) - OLD.`file_bytes`)
	WHERE `until` = 9007199254740991 AND `owner` = (SELECT w.`team_id` FROM `forms` f JOIN `workspaces` w ON w.`id` = f.`workspace_id` WHERE f.`key` = OLD.`form_key`);
END;
--> statement-breakpoint
CREATE TRIGGER `count_change` AFTER UPDATE OF `is_spam`, `trashed_at` ON `submissions` BEGIN
	UPDATE `counters` SET
		`amount` = `amount` + (NEW.`trashed_at` IS NULL AND NOT NEW.`is_spam`) - (OLD.`trashed_at` IS NULL AND NOT OLD.`is_spam`),
		`spam` = `spam` + (NEW.`trashed_at` IS NULL AND NEW.`is_spam`) - (OLD.`trashed_at` IS NULL AND OLD.`is_spam`)
	WHERE `until` = (NEW.`created_at` / 86400000000 + 1) * 86400000000 AND `owner` = (SELECT `id` FROM `forms` WHERE `key` = NEW.`form_key`);
END;
--> statement-breakpoint
CREATE TRIGGER `count_deletion` AFTER DELETE ON `submissions` WHEN OLD.`trashed_at` IS NULL BEGIN
	UPDATE `counters` SET `amount` = `amount` - NOT OLD.`is_spam`, `spam` = `spam` - OLD.`is_spam`
	WHERE `until` = (OLD.`created_at` / 86400000000 + 1) * 86400000000 AND `owner` = (SELECT `id` FROM `forms` WHERE `key` = OLD.`form_key`);
END;
--> statement-breakpoint
CREATE TRIGGER `forget_lesson` AFTER DELETE ON `submissions` BEGIN
	UPDATE `spam_lessons` SET `is_forgotten` = 1 WHERE `submission_id` = OLD.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `delete_parts` AFTER DELETE ON `submissions` BEGIN
	DELETE FROM `files` WHERE `submission_id` = OLD.`id`;
	DELETE FROM `outbox` WHERE `submission_id` = OLD.`id`;
	DELETE FROM `messages` WHERE `submission_id` = OLD.`id`;
END;
