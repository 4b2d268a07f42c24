CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`form_id` text NOT NULL,
	`kind` text NOT NULL,
	`events` text NOT NULL,
	`body` text NOT NULL,
	`include_spam` integer NOT NULL,
	`when` text NOT NULL,
	`is_active` integer NOT NULL,
	`disabled_reason` text,
	`settings` blob NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`failing_since` integer,
	`rest_until` integer,
	`is_slow` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`form_id`) REFERENCES `forms`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `webhooks_of_form` ON `webhooks` (`form_id`);--> statement-breakpoint
DROP INDEX `mails_settled`;--> statement-breakpoint
DROP INDEX `mails_to_send`;--> statement-breakpoint
DROP INDEX `mails_due_of_form`;--> statement-breakpoint
ALTER TABLE `outbox` ADD `webhook_id` text REFERENCES webhooks(id) ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE `outbox` ADD `event` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `deleted` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `duration_ms` integer;--> statement-breakpoint
ALTER TABLE `outbox` ADD `last_status` integer;--> statement-breakpoint
CREATE INDEX `deliveries_to_send` ON `outbox` (`webhook_id`,`due_at`) WHERE state IN ('queued', 'retrying') AND webhook_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `deliveries_leased` ON `outbox` (`webhook_id`,`leased_until`) WHERE leased_until IS NOT NULL AND webhook_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `deliveries_of_webhook` ON `outbox` (`webhook_id`,`id`) WHERE webhook_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `outbox_settled` ON `outbox` (`settled_at`) WHERE state IN ('sent', 'dead', 'canceled');--> statement-breakpoint
CREATE INDEX `mails_to_send` ON `outbox` (`due_at`) WHERE state IN ('queued', 'retrying') AND webhook_id IS NULL;--> statement-breakpoint
CREATE INDEX `mails_due_of_form` ON `outbox` (`form_id`,`due_at`) WHERE state IN ('queued', 'retrying') AND webhook_id IS NULL;--> statement-breakpoint
ALTER TABLE `forms` ADD `webhook_routes` text DEFAULT '[]' NOT NULL;