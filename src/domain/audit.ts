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

/** All audit actions, in the order of the dashboard's filter. */
export const AUDIT_ACTIONS = [
  'signed_in',
  'signed_out',
  'sign_in_failed',
  'account.created',
  'account.changed',
  'account.deleted',
  'email_change.requested',
  'email_change.confirmed',
  'password.changed',
  'password.reset',
  'reset_link.mailed',
  'reset_link.made',
  'second_factor.on',
  'second_factor.off',
  'recovery_codes.made',
  'sessions.ended',
  'team.created',
  'team.changed',
  'team.deleted',
  'welcome_link.made',
  'member.joined',
  'member.added',
  'member.role_changed',
  'member.removed',
  'member.left',
  'invitation.made',
  'invitation.revoked',
  'workspace.created',
  'workspace.changed',
  'workspace.deleted',
  'form.created',
  'form.changed',
  'form.trashed',
  'form.restored',
  'form.deleted',
  'form.tested',
  'recipient.unsubscribed',
  'submissions.imported',
  'import.undone',
  'submissions.searched',
  'submission.read',
  'submission.marked',
  'submission.trashed',
  'submission.restored',
  'submission.deleted',
  'submission.assigned',
  'reply.sent',
  'note.added',
  'note.deleted',
  'trash.emptied',
  'submissions.expired',
  'person.searched',
  'person.exported',
  'person.erased',
  'mail.retried',
  'mail.dismissed',
  'mail.tested',
  'export.csv',
  'export.xlsx',
  'export.jsonl',
  'export.zip',
  'audit.exported',
  'spam.learning_changed',
  'spam.forgotten',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.secret_rotated',
  'webhook.tested',
  'webhook.redelivered',
  'key.created',
  'key.revoked',
  'vault.rotated',
  'vault.copied',
  'vault.key_removed',
  'clock.repaired',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/**
 * Audit actions of commands, by their words. Null leaves no entry: the command only reads, or sets up the machine rather
 * than the instance. Pages, actions and operations declare theirs.
 */
export const COMMAND_AUDIT_ACTIONS: Readonly<Record<string, AuditAction | null>> = {
  serve: null,
  init: null,
  'instance list': null,
  'team create': 'team.created',
  'team update': 'team.changed',
  'team list': null,
  'team delete': 'team.deleted',
  'team member list': null,
  'team member add': 'member.added',
  'team member update': 'member.role_changed',
  'team member set': 'member.role_changed',
  'team member remove': 'member.removed',
  'user create': 'welcome_link.made',
  'user reset': 'reset_link.made',
  'user sign-out': 'sessions.ended',
  'user delete': 'account.deleted',
  'user list': null,
  'workspace create': 'workspace.created',
  'workspace list': null,
  'workspace update': 'workspace.changed',
  'workspace delete': 'workspace.deleted',
  'form create': 'form.created',
  'form update': 'form.changed',
  'form list': null,
  'form show': null,
  'form move': 'form.changed',
  'form delete': 'form.trashed',
  'form restore': 'form.restored',
  'form routes': null,
  'submission list': null,
  'submission show': null,
  'submission delete': 'submission.deleted',
  'submission mark': 'submission.marked',
  'submission export': 'export.csv',
  'submission erase': 'person.erased',
  import: 'submissions.imported',
  'webhook create': 'webhook.created',
  'webhook list': null,
  'webhook update': 'webhook.changed',
  'webhook delete': 'webhook.deleted',
  'webhook rotate-secret': 'webhook.secret_rotated',
  'webhook test': 'webhook.tested',
  'webhook deliveries': null,
  'webhook redeliver': 'webhook.redelivered',
  // Each change of a file has a separate entry.
  apply: null,
  diff: null,
  pull: null,
  'key create': 'key.created',
  'key revoke': 'key.revoked',
  'key list': null,
  'outbox list': null,
  'files restore': null,
  'outbox retry': 'mail.retried',
  'mail test': 'mail.tested',
  'audit export': 'audit.exported',
  backup: null,
  restore: null,
  move: null,
  'vault rotate': 'vault.rotated',
  'vault list': null,
  'vault check': null,
  'vault remove': 'vault.key_removed',
  'clock repair': 'clock.repaired',
  config: null,
  doctor: null,
  health: null,
  'service install': null,
};
