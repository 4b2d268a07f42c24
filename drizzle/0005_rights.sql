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
CREATE TABLE `recovery_codes` (
	`user_id` text NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`user_id`, `hash`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `steady_clock` (
	`id` integer PRIMARY KEY NOT NULL,
	`seen_at` integer NOT NULL,
	`steady_since` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `forms` ADD `retention_days` integer;--> statement-breakpoint
ALTER TABLE `members` ADD `role` text DEFAULT 'owner' NOT NULL;--> statement-breakpoint
ALTER TABLE `one_time_links` ADD `role` text;--> statement-breakpoint
ALTER TABLE `one_time_links` ADD `email` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `team_id` text REFERENCES teams(id);--> statement-breakpoint
ALTER TABLE `sessions` ADD `is_pending` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `teams` ADD `requires_second_factor` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `totp_secret` blob;--> statement-breakpoint
ALTER TABLE `users` ADD `totp_step` integer;