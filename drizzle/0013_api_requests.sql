CREATE TABLE `api_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`content` text NOT NULL,
	`status` integer,
	`response` blob,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `api_requests_by_time` ON `api_requests` (`created_at`);--> statement-breakpoint
ALTER TABLE `api_keys` ADD `form_ids` text;