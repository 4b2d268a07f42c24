ALTER TABLE `vault_keys` ADD `state` text DEFAULT 'current' NOT NULL;--> statement-breakpoint
ALTER TABLE `vault_keys` ADD `fingerprint_key` blob;