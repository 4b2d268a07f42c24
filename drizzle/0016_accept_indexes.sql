DROP INDEX `genuine_of_form`;--> statement-breakpoint
DROP INDEX `spam_of_form`;--> statement-breakpoint
DROP INDEX `unread_of_form`;--> statement-breakpoint
DROP INDEX `submissions_of_form`;--> statement-breakpoint
CREATE INDEX `submissions_of_form` ON `submissions` (`form_id`,`trashed_at`,(CASE WHEN is_spam THEN 2 ELSE read_at IS NOT NULL END));