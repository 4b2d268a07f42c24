INSERT INTO "leases" ("name") VALUES ('clock'), ('leader'), ('server'), ('keys'), ('sign-in');
--> statement-breakpoint
CREATE FUNCTION "release_storage"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "counters"
	SET "amount" = greatest(0, "amount" - length(OLD."payload") - coalesce(length(OLD."files"), 0) - OLD."file_bytes")
	WHERE "until" = 9007199254740991 AND "owner" = (SELECT w."team_id" FROM "forms" f JOIN "workspaces" w ON w."id" = f."workspace_id" WHERE f."key" = OLD."form_key");
	RETURN OLD;
END $$;
--> statement-breakpoint
CREATE TRIGGER "release_storage" BEFORE DELETE ON "submissions" FOR EACH ROW EXECUTE FUNCTION "release_storage"();
--> statement-breakpoint
CREATE FUNCTION "count_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "counters" SET
		"amount" = "amount" + (NEW."trashed_at" IS NULL AND NOT NEW."is_spam")::int - (OLD."trashed_at" IS NULL AND NOT OLD."is_spam")::int,
		"spam" = "spam" + (NEW."trashed_at" IS NULL AND NEW."is_spam")::int - (OLD."trashed_at" IS NULL AND OLD."is_spam")::int
	WHERE "until" = (NEW."created_at" / 86400000000 + 1) * 86400000000 AND "owner" = (SELECT "id" FROM "forms" WHERE "key" = NEW."form_key");
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "count_change" AFTER UPDATE OF "is_spam", "trashed_at" ON "submissions" FOR EACH ROW EXECUTE FUNCTION "count_change"();
--> statement-breakpoint
CREATE FUNCTION "count_deletion"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "counters" SET "amount" = "amount" - (NOT OLD."is_spam")::int, "spam" = "spam" - OLD."is_spam"::int
	WHERE "until" = (OLD."created_at" / 86400000000 + 1) * 86400000000 AND "owner" = (SELECT "id" FROM "forms" WHERE "key" = OLD."form_key");
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "count_deletion" AFTER DELETE ON "submissions" FOR EACH ROW WHEN (OLD."trashed_at" IS NULL) EXECUTE FUNCTION "count_deletion"();
--> statement-breakpoint
CREATE FUNCTION "forget_lesson"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "spam_lessons" SET "is_forgotten" = true WHERE "submission_id" = OLD."id";
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "forget_lesson" AFTER DELETE ON "submissions" FOR EACH ROW EXECUTE FUNCTION "forget_lesson"();
--> statement-breakpoint
CREATE FUNCTION "delete_parts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "files" WHERE "submission_id" = OLD."id";
	DELETE FROM "outbox" WHERE "submission_id" = OLD."id";
	DELETE FROM "messages" WHERE "submission_id" = OLD."id";
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "delete_parts" AFTER DELETE ON "submissions" FOR EACH ROW EXECUTE FUNCTION "delete_parts"();
--> statement-breakpoint
CREATE FUNCTION "fence_records"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	"column" text;
	"record" bytea;
	"before" bytea;
	"key" bigint;
BEGIN
	FOREACH "column" IN ARRAY TG_ARGV LOOP
		EXECUTE format('SELECT ($1).%I', "column") INTO "record" USING NEW;
		"before" := NULL;
		IF TG_OP = 'UPDATE' THEN EXECUTE format('SELECT ($1).%I', "column") INTO "before" USING OLD; END IF;
		CONTINUE WHEN "record" IS NULL OR length("record") = 0 OR "record" = "before";
		"key" := ('x' || encode(substring("record" FROM 2 FOR 4), 'hex'))::bit(32)::bigint;
		-- A move copies records under any key.
		CONTINUE WHEN current_setting('formstead.moves_records', true) = 'on';
		PERFORM 1 FROM "vault_keys" WHERE "id" = "key" AND "state" = 'current' FOR SHARE;
		CONTINUE WHEN FOUND;
		PERFORM 1 FROM "instances" WHERE "key_id" = "key" FOR SHARE;
		CONTINUE WHEN FOUND OR NOT EXISTS (SELECT 1 FROM "vault_keys");
		RAISE EXCEPTION 'the record is sealed under a key that is no longer used' USING ERRCODE = 'FS001';
	END LOOP;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "challenge_secret" ON "forms" FOR EACH ROW WHEN (NEW."challenge_secret" IS NOT NULL) EXECUTE FUNCTION "fence_records"('challenge_secret');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "text" ON "consents" FOR EACH ROW EXECUTE FUNCTION "fence_records"('text');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "body" ON "messages" FOR EACH ROW WHEN (NEW."body" IS NOT NULL) EXECUTE FUNCTION "fence_records"('body');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "view" ON "inbox_views" FOR EACH ROW WHEN (NEW."view" IS NOT NULL) EXECUTE FUNCTION "fence_records"('view');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "response" ON "api_requests" FOR EACH ROW WHEN (NEW."response" IS NOT NULL) EXECUTE FUNCTION "fence_records"('response');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "weights" ON "spam_models" FOR EACH ROW WHEN (NEW."weights" IS NOT NULL) EXECUTE FUNCTION "fence_records"('weights');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "changes" ON "spam_lessons" FOR EACH ROW WHEN (NEW."changes" IS NOT NULL) EXECUTE FUNCTION "fence_records"('changes');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "totp_secret" ON "users" FOR EACH ROW WHEN (NEW."totp_secret" IS NOT NULL) EXECUTE FUNCTION "fence_records"('totp_secret');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "settings" ON "webhooks" FOR EACH ROW WHEN (NEW."settings" IS NOT NULL) EXECUTE FUNCTION "fence_records"('settings');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "settings" ON "mail_servers" FOR EACH ROW EXECUTE FUNCTION "fence_records"('settings');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE INSERT OR UPDATE OF "reason" ON "outbox" FOR EACH ROW WHEN (NEW."reason" IS NOT NULL) EXECUTE FUNCTION "fence_records"('reason');
--> statement-breakpoint
CREATE TRIGGER "fence_records" BEFORE UPDATE OF "payload", "files", "spam_reasons", "source" ON "submissions" FOR EACH ROW EXECUTE FUNCTION "fence_records"('payload', 'files', 'spam_reasons', 'source');
