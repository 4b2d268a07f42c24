CREATE TABLE `spent_challenges` (
	`id` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `spent_challenges_by_time` ON `spent_challenges` (`expires_at`);--> statement-breakpoint
ALTER TABLE `forms` ADD `challenge` text;--> statement-breakpoint
ALTER TABLE `forms` ADD `challenge_verify_url` text;--> statement-breakpoint
ALTER TABLE `forms` ADD `challenge_secret` blob;--> statement-breakpoint
ALTER TABLE `forms` ADD `blocked_words` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `submissions` ADD `spam_reasons` blob;--> statement-breakpoint
CREATE INDEX `spam_of_form` ON `submissions` (`form_id`) WHERE is_spam = 1;