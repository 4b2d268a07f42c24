/** Tables whose `created_at` is only shown or compared with the clock. */
export const DATED = [
  ...['teams', 'workspaces', 'forms', 'webhooks', 'idempotency_keys', 'api_keys', 'users', 'members', 'vault_keys'],
  ...['messages', 'inbox_views', 'api_requests', 'imports', 'spam_lessons'],
];

/** Other times that are now at the latest. An earlier end of a rest makes the next probe due. */
export const PAST = [
  ['sessions', 'last_used_at'],
  ['sessions', 'password_at'],
  ['api_keys', 'last_used_at'],
  ['webhooks', 'failing_since'],
  ['webhooks', 'rest_until'],
  ['webhooks', 'deleted_at'],
  ['rewrites', 'attempted_at'],
  ['outbox', 'created_at'],
  ['outbox', 'settled_at'],
  ['submissions', 'trashed_at'],
  ['forms', 'trashed_at'],
  ['forms', 'archived_at'],
  ['teams', 'set_up_at'],
  ['milestones', 'reached_at'],
  ['imports', 'finished_at'],
  ['imports', 'undone_at'],
  ['spam_models', 'halved_at'],
  ['spam_models', 'updated_at'],
] as const;
