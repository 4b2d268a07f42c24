import type { Micros } from '../lib/clock.ts';

/**
 * The kind of an audit actor: a dashboard `user`, an API `key`, a `command` on the machine, the `system` itself, or
 * `anybody` for visitors who are not signed in.
 */
export type ActorKind = 'user' | 'key' | 'command' | 'system' | 'anybody';

/**
 * The actor of an audit entry. `id` is a user id, a key id, or the kind itself for other kinds. `name` is a snapshot:
 * email address, key name, or the OS user of a command. `address` is a truncated IP address, null for commands and the
 * system.
 */
export type Actor = Readonly<{ kind: ActorKind; id: string; name: string | null; address: string | null }>;

/** Ids of affected objects, counts and names of settings; never user input or submitted values. */
export type AuditDetails = Readonly<Record<string, string | number | boolean>>;

/** A new audit entry. `teamId` is null for actions outside any team. */
export type AuditEntry = Readonly<{
  at: Micros;
  teamId: string | null;
  actor: Actor;
  action: AuditAction;
  details: AuditDetails;
}>;

/** A stored entry. Ids ascend in insertion order. */
export type StoredAuditEntry = AuditEntry & Readonly<{ id: number }>;

/** Retention of audit entries, in days. */
export const AUDIT_RETENTION_DAYS = 365;

const SIGN_INS = ['signed_in', 'signed_out', 'sign_in_failed'] as const;

/** What happens to each noun. */
const EVENTS = {
  account: ['created', 'changed', 'deleted'],
  email_change: ['requested', 'confirmed'],
  identity: ['linked', 'unlinked'],
  password: ['changed', 'reset', 'removed'],
  passkey: ['added', 'renamed', 'removed', 'cloned'],
  operator: ['on', 'off'],
  reset_link: ['mailed', 'made'],
  second_factor: ['on', 'off'],
  recovery_codes: ['made'],
  sessions: ['ended'],
  team: ['created', 'changed', 'deleted'],
  welcome_link: ['made'],
  member: ['joined', 'added', 'role_changed', 'removed', 'left'],
  invitation: ['made', 'revoked'],
  workspace: ['created', 'changed', 'deleted'],
  form: ['created', 'changed', 'trashed', 'restored', 'deleted', 'tested'],
  recipient: ['unsubscribed'],
  submissions: ['imported', 'searched', 'expired'],
  import: ['undone'],
  submission: ['read', 'marked', 'trashed', 'restored', 'deleted', 'assigned'],
  reply: ['sent'],
  note: ['added', 'deleted'],
  trash: ['emptied'],
  person: ['searched', 'exported', 'erased'],
  mail: ['retried', 'dismissed', 'tested'],
  mail_server: ['changed'],
  export: ['csv', 'xlsx', 'jsonl', 'zip'],
  audit: ['exported'],
  spam: ['learning_changed', 'forgotten'],
  webhook: ['created', 'changed', 'deleted', 'secret_rotated', 'tested', 'redelivered'],
  key: ['created', 'revoked'],
  vault: ['rotated', 'copied', 'key_removed'],
  clock: ['repaired'],
} as const;

type Events = typeof EVENTS;

/** An audit action: about a sign-in, or a noun and its event, such as `form.created`. */
export type AuditAction =
  | (typeof SIGN_INS)[number]
  | { [Noun in keyof Events]: `${Noun}.${Events[Noun][number]}` }[keyof Events];

/** All audit actions, in the order of the dashboard's filter. */
export const AUDIT_ACTIONS = [
  ...SIGN_INS,
  ...Object.entries(EVENTS).flatMap(([noun, events]) => events.map((event) => `${noun}.${event}` as AuditAction)),
];

const COMMANDS: Readonly<Record<string, Readonly<Record<string, AuditAction | null>>>> = {
  '': {
    ...{ demo: null, serve: null, init: null, backup: null, restore: null, move: null },
    ...{ config: null, doctor: null, health: null, import: 'submissions.imported' },
    // Each change of a file has a separate entry.
    ...{ apply: null, diff: null, pull: null },
  },
  instance: { list: null },
  team: { create: 'team.created', update: 'team.changed', list: null, delete: 'team.deleted' },
  'team member': {
    ...{ list: null, add: 'member.added', remove: 'member.removed' },
    ...{ update: 'member.role_changed', set: 'member.role_changed' },
  },
  user: {
    ...{ create: 'welcome_link.made', reset: 'reset_link.made', 'sign-out': 'sessions.ended' },
    ...{ delete: 'account.deleted', operator: 'operator.on', list: null },
  },
  workspace: { create: 'workspace.created', list: null, update: 'workspace.changed', delete: 'workspace.deleted' },
  form: {
    ...{ create: 'form.created', update: 'form.changed', list: null, show: null, move: 'form.changed' },
    ...{ delete: 'form.trashed', restore: 'form.restored', routes: null },
  },
  submission: {
    ...{ list: null, show: null, delete: 'submission.deleted', mark: 'submission.marked' },
    ...{ export: 'export.csv', erase: 'person.erased' },
  },
  webhook: {
    ...{ create: 'webhook.created', list: null, update: 'webhook.changed', delete: 'webhook.deleted' },
    ...{ 'rotate-secret': 'webhook.secret_rotated', test: 'webhook.tested' },
    ...{ deliveries: null, redeliver: 'webhook.redelivered' },
  },
  key: { create: 'key.created', revoke: 'key.revoked', list: null },
  outbox: { list: null, retry: 'mail.retried' },
  files: { restore: null },
  mail: { test: 'mail.tested' },
  audit: { export: 'audit.exported' },
  vault: { rotate: 'vault.rotated', list: null, check: null, remove: 'vault.key_removed' },
  clock: { repair: 'clock.repaired' },
  service: { install: null },
};

/**
 * Audit actions of commands, by their words. Null leaves no entry: the command only reads, or sets up the machine rather
 * than the instance. Pages, actions and operations declare theirs.
 */
export const COMMAND_AUDIT_ACTIONS: Readonly<Record<string, AuditAction | null>> = Object.fromEntries(
  Object.entries(COMMANDS).flatMap(([noun, verbs]) =>
    Object.entries(verbs).map(([verb, action]) => [`${noun} ${verb}`.trim(), action]),
  ),
);
