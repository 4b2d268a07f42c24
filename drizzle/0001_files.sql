CREATE TABLE `files` (
	`blob` text PRIMARY KEY NOT NULL,
	`submission_id` text NOT NULL,
	FOREIGN KEY (`submission_id`) REFERENCES `submissions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `files_of_submission` ON `files` (`submission_id`);--> statement-breakpoint
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
ALTER TABLE `forms` ADD `enforces_rules` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `forms` ADD `allowed_origins` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `forms` ADD `allowed_file_types` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `forms` ADD `thanks_title` text;--> statement-breakpoint
ALTER TABLE `forms` ADD `thanks_text` text;--> statement-breakpoint
ALTER TABLE `submissions` ADD `files` blob;