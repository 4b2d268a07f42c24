CREATE TABLE `rewrites` (
	`id` integer PRIMARY KEY NOT NULL,
	`requested` integer NOT NULL,
	`rewritten` integer NOT NULL,
	`cleared` integer NOT NULL,
	`attempted_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `api_keys` ADD `created_by` text;--> statement-breakpoint
ALTER TABLE `one_time_links` ADD `created_by` text REFERENCES users(id) ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE `sessions` ADD `password_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `api_keys` SET `created_by` = (
	SELECT `actor_id` FROM `audit`
	WHERE `action` = 'key.created' AND `actor` = 'user' AND `team_id` = `api_keys`.`team_id` AND json_extract(`details`, '$.key_id') = `api_keys`.`id`
);
