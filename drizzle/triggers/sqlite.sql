INSERT INTO `submission_clock` (`id`, `last_created_at`) VALUES (1, 0);
--> statement-breakpoint
CREATE TRIGGER `release_storage` BEFORE DELETE ON `submissions` BEGIN
	UPDATE `team_storage`
	SET `bytes` = max(0, `bytes` - length(OLD.`payload`) - coalesce(length(OLD.`files`), 0) - OLD.`file_bytes`)
	WHERE `team_id` = (SELECT w.`team_id` FROM `forms` f JOIN `workspaces` w ON w.`id` = f.`workspace_id` WHERE f.`id` = OLD.`form_id`);
END;
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
END;
--> statement-breakpoint
CREATE TRIGGER `forget_lesson` AFTER DELETE ON `submissions` BEGIN
	UPDATE `spam_lessons` SET `is_forgotten` = 1 WHERE `submission_id` = OLD.`id`;
END;
