CREATE TABLE `form_logos` (
	`form_id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`image` text NOT NULL,
	FOREIGN KEY (`form_id`) REFERENCES `forms`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
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
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`submission_id` text NOT NULL,
	`form_id` text NOT NULL,
	`kind` text NOT NULL,
	`author_id` text NOT NULL,
	`body` blob NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`submission_id`) REFERENCES `submissions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `messages_of_submission` ON `messages` (`submission_id`);--> statement-breakpoint
CREATE TABLE `milestones` (
	`name` text PRIMARY KEY NOT NULL,
	`reached_at` integer NOT NULL
);
--> statement-breakpoint
DROP INDEX `submissions_of_form`;--> statement-breakpoint
DROP INDEX `genuine_of_form`;--> statement-breakpoint
DROP INDEX `spam_of_form`;--> statement-breakpoint
DROP INDEX `unread_of_form`;--> statement-breakpoint
ALTER TABLE `submissions` ADD `is_starred` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `submissions` ADD `assigned_to` text REFERENCES users(id) ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE `submissions` ADD `trashed_at` integer;--> statement-breakpoint
ALTER TABLE `submissions` ADD `source` blob;--> statement-breakpoint
CREATE INDEX `trash_of_form` ON `submissions` (`form_id`) WHERE trashed_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `starred_of_form` ON `submissions` (`form_id`) WHERE is_starred = 1 AND trashed_at IS NULL;--> statement-breakpoint
CREATE INDEX `assigned_submissions` ON `submissions` (`assigned_to`,`form_id`) WHERE assigned_to IS NOT NULL;--> statement-breakpoint
CREATE INDEX `submissions_of_form` ON `submissions` (`form_id`,`trashed_at`);--> statement-breakpoint
CREATE INDEX `genuine_of_form` ON `submissions` (`form_id`) WHERE is_spam = 0 AND trashed_at IS NULL;--> statement-breakpoint
CREATE INDEX `spam_of_form` ON `submissions` (`form_id`) WHERE is_spam = 1 AND trashed_at IS NULL;--> statement-breakpoint
CREATE INDEX `unread_of_form` ON `submissions` (`form_id`) WHERE is_spam = 0 AND read_at IS NULL AND trashed_at IS NULL;--> statement-breakpoint
ALTER TABLE `form_days` ADD `genuine` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `form_days` ADD `spam` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `form_days` DROP COLUMN `received`;--> statement-breakpoint
DELETE FROM `form_days`;--> statement-breakpoint
INSERT INTO `form_days` (`form_id`, `day`, `genuine`, `spam`)
SELECT `form_id`, `created_at` / 86400000000, sum(`is_spam` = 0), sum(`is_spam` = 1) FROM `submissions` GROUP BY 1, 2;
--> statement-breakpoint
CREATE TRIGGER `count_change` AFTER UPDATE OF `is_spam`, `trashed_at` ON `submissions` BEGIN
	UPDATE `form_days` SET
		`genuine` = `genuine` + (NEW.`trashed_at` IS NULL AND NOT NEW.`is_spam`) - (OLD.`trashed_at` IS NULL AND NOT OLD.`is_spam`),
		`spam` = `spam` + (NEW.`trashed_at` IS NULL AND NEW.`is_spam`) - (OLD.`trashed_at` IS NULL AND OLD.`is_spam`)
	WHERE `form_id` = NEW.`form_id` AND `day` = NEW.`created_at` / 86400000000;
END;
--> statement-breakpoint
CREATE TRIGGER `count_deletion` AFTER DELETE ON `submissions` WHEN OLD.`trashed_at` IS NULL BEGIN
	UPDATE `form_days` SET `genuine` = `genuine` - NOT OLD.`is_spam`, `spam` = `spam` - OLD.`is_spam`
	WHERE `form_id` = OLD.`form_id` AND `day` = OLD.`created_at` / 86400000000;
END;--> statement-breakpoint
ALTER TABLE `forms` ADD `public_name` text;--> statement-breakpoint
ALTER TABLE `forms` ADD `accent_color` text;--> statement-breakpoint
ALTER TABLE `forms` ADD `has_hosted_page` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `forms` ADD `closed_text` text;--> statement-breakpoint
ALTER TABLE `forms` ADD `sender_name` text;--> statement-breakpoint
ALTER TABLE `forms` ADD `reply_to` text;--> statement-breakpoint
ALTER TABLE `forms` ADD `keeps_source` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `forms` ADD `archived_at` integer;--> statement-breakpoint
ALTER TABLE `forms` ADD `trashed_at` integer;--> statement-breakpoint
ALTER TABLE `one_time_links` ADD `new_email` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `reply_id` text REFERENCES messages(id) ON DELETE CASCADE;--> statement-breakpoint
CREATE INDEX `mails_of_reply` ON `outbox` (`reply_id`) WHERE reply_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `teams` ADD `set_up_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `name` text;--> statement-breakpoint
ALTER TABLE `users` ADD `theme` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `position` integer DEFAULT 0 NOT NULL;