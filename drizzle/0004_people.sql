CREATE TABLE `form_days` (
	`form_id` text NOT NULL,
	`day` integer NOT NULL,
	`received` integer NOT NULL,
	PRIMARY KEY(`form_id`, `day`),
	FOREIGN KEY (`form_id`) REFERENCES `forms`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `members` (
	`user_id` text NOT NULL,
	`team_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `team_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `members_of_team` ON `members` (`team_id`);--> statement-breakpoint
CREATE TABLE `one_time_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`team_id` text,
	`user_id` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `one_time_links_by_expiry` ON `one_time_links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`address` text NOT NULL,
	`browser` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_id_unique` ON `sessions` (`id`);--> statement-breakpoint
CREATE INDEX `sessions_of_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_by_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`password_hash` text NOT NULL,
	`language` text,
	`time_zone` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`form_id` text,
	`submission_id` text,
	`team_id` text,
	`covers_from` integer,
	`covers_until` integer,
	`percent` integer,
	`recipient` text,
	`addressee` text,
	`message_id` text NOT NULL,
	`state` text NOT NULL,
	`failures` integer NOT NULL,
	`due_at` integer NOT NULL,
	`leased_until` integer,
	`fence` integer NOT NULL,
	`created_at` integer NOT NULL,
	`settled_at` integer,
	`reason` blob,
	FOREIGN KEY (`form_id`) REFERENCES `forms`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`submission_id`) REFERENCES `submissions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_outbox`("id", "kind", "form_id", "submission_id", "recipient", "addressee", "message_id", "state", "failures", "due_at", "leased_until", "fence", "created_at", "settled_at", "reason") SELECT "id", "kind", "form_id", "submission_id", "recipient", "addressee", "message_id", "state", "failures", "due_at", "leased_until", "fence", "created_at", "settled_at", "reason" FROM `outbox`;--> statement-breakpoint
DROP TABLE `outbox`;--> statement-breakpoint
ALTER TABLE `__new_outbox` RENAME TO `outbox`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `mails_to_send` ON `outbox` (`due_at`) WHERE state IN ('queued', 'retrying');--> statement-breakpoint
CREATE INDEX `mails_settled` ON `outbox` (`settled_at`) WHERE state IN ('sent', 'dead');--> statement-breakpoint
CREATE INDEX `mails_of_submission` ON `outbox` (`submission_id`);--> statement-breakpoint
CREATE INDEX `mails_of_form` ON `outbox` (`form_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `mails_of_team` ON `outbox` (`team_id`,`state`,`id`) WHERE team_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `auto_replies` ON `outbox` (`form_id`,`created_at`) WHERE kind = 'auto_reply';--> statement-breakpoint
ALTER TABLE `forms` ADD `digest` text;--> statement-breakpoint
ALTER TABLE `forms` ADD `time_zone` text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE `forms` ADD `digested_until` integer;--> statement-breakpoint
ALTER TABLE `forms` ADD `held_back_until` integer;--> statement-breakpoint
ALTER TABLE `submissions` ADD `read_at` integer;--> statement-breakpoint
CREATE INDEX `genuine_of_form` ON `submissions` (`form_id`) WHERE is_spam = 0;--> statement-breakpoint
CREATE INDEX `unread_of_form` ON `submissions` (`form_id`) WHERE is_spam = 0 AND read_at IS NULL;--> statement-breakpoint
INSERT INTO `form_days` SELECT `form_id`, `created_at` / 86400000000, count(*) FROM `submissions` GROUP BY 1, 2;
