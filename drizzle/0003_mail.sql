CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`form_id` text NOT NULL,
	`submission_id` text NOT NULL,
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
	FOREIGN KEY (`submission_id`) REFERENCES `submissions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `mails_to_send` ON `outbox` (`due_at`) WHERE state IN ('queued', 'retrying');--> statement-breakpoint
CREATE INDEX `mails_settled` ON `outbox` (`settled_at`) WHERE state IN ('sent', 'dead');--> statement-breakpoint
CREATE INDEX `mails_of_submission` ON `outbox` (`submission_id`);--> statement-breakpoint
CREATE INDEX `auto_replies` ON `outbox` (`form_id`,`created_at`) WHERE kind = 'auto_reply';--> statement-breakpoint
ALTER TABLE `forms` ADD `notify` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `forms` ADD `attach_files` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `forms` ADD `thread_mails` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `forms` ADD `auto_reply_subject` text;--> statement-breakpoint
ALTER TABLE `forms` ADD `auto_reply_text` text;