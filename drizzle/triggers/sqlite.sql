CREATE TRIGGER `release_storage` BEFORE DELETE ON `submissions` BEGIN
	UPDATE `counters`
	SET `amount` = max(0, `amount` - length(OLD.`payload`) - coalesce(length(OLD.`files`), 0) - OLD.`file_bytes`)
	WHERE `until` = 9007199254740991 AND `owner` = (SELECT w.`team_id` FROM `forms` f JOIN `workspaces` w ON w.`id` = f.`workspace_id` WHERE f.`key` = OLD.`form_key`);
END;
--> statement-breakpoint
CREATE TRIGGER `count_change` AFTER UPDATE OF `is_spam`, `trashed_at` ON `submissions` BEGIN
	UPDATE `counters` SET
		`amount` = `amount` + (NEW.`trashed_at` IS NULL AND NOT NEW.`is_spam`) - (OLD.`trashed_at` IS NULL AND NOT OLD.`is_spam`),
		`spam` = `spam` + (NEW.`trashed_at` IS NULL AND NEW.`is_spam`) - (OLD.`trashed_at` IS NULL AND OLD.`is_spam`)
	WHERE `until` = (NEW.`created_at` / 86400000000 + 1) * 86400000000 AND `owner` = (SELECT `id` FROM `forms` WHERE `key` = NEW.`form_key`);
END;
--> statement-breakpoint
CREATE TRIGGER `count_deletion` AFTER DELETE ON `submissions` WHEN OLD.`trashed_at` IS NULL BEGIN
	UPDATE `counters` SET `amount` = `amount` - NOT OLD.`is_spam`, `spam` = `spam` - OLD.`is_spam`
	WHERE `until` = (OLD.`created_at` / 86400000000 + 1) * 86400000000 AND `owner` = (SELECT `id` FROM `forms` WHERE `key` = OLD.`form_key`);
END;
--> statement-breakpoint
CREATE TRIGGER `forget_lesson` AFTER DELETE ON `submissions` BEGIN
	UPDATE `spam_lessons` SET `is_forgotten` = 1 WHERE `submission_id` = OLD.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `delete_parts` AFTER DELETE ON `submissions` BEGIN
	DELETE FROM `files` WHERE `submission_id` = OLD.`id`;
	DELETE FROM `outbox` WHERE `submission_id` = OLD.`id`;
	DELETE FROM `messages` WHERE `submission_id` = OLD.`id`;
END;
