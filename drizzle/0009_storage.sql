CREATE TABLE `team_storage` (
	`team_id` text PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `submissions` ADD `file_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
INSERT INTO `team_storage` (`team_id`, `bytes`)
SELECT w.`team_id`, sum(length(s.`payload`) + coalesce(length(s.`files`), 0))
FROM `submissions` s JOIN `forms` f ON f.`id` = s.`form_id` JOIN `workspaces` w ON w.`id` = f.`workspace_id`
GROUP BY w.`team_id`;
--> statement-breakpoint
CREATE TRIGGER `release_storage` BEFORE DELETE ON `submissions` BEGIN
	UPDATE `team_storage`
	SET `bytes` = max(0, `bytes` - length(OLD.`payload`) - coalesce(length(OLD.`files`), 0) - OLD.`file_bytes`)
	WHERE `team_id` = (SELECT w.`team_id` FROM `forms` f JOIN `workspaces` w ON w.`id` = f.`workspace_id` WHERE f.`id` = OLD.`form_id`);
END;
