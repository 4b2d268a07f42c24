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
CREATE INDEX `forgotten_spam_lessons` ON `spam_lessons` (`team_id`) WHERE is_forgotten = 1;--> statement-breakpoint
CREATE TABLE `spam_models` (
	`id` text PRIMARY KEY NOT NULL,
	`weights` blob NOT NULL,
	`raised_by` integer DEFAULT 0 NOT NULL,
	`halved_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `forms` ADD `maybe_spam_action` text DEFAULT 'deliver' NOT NULL;--> statement-breakpoint
ALTER TABLE `forms` ADD `akismet_key` blob;--> statement-breakpoint
ALTER TABLE `submissions` ADD `is_maybe_spam` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `maybe_spam_of_form` ON `submissions` (`form_id`) WHERE is_maybe_spam = 1 AND trashed_at IS NULL;--> statement-breakpoint
ALTER TABLE `teams` ADD `learns_spam` integer DEFAULT true NOT NULL;--> statement-breakpoint
CREATE TRIGGER `forget_lesson` AFTER DELETE ON `submissions` BEGIN
	UPDATE `spam_lessons` SET `is_forgotten` = 1 WHERE `submission_id` = OLD.`id`;
END;
