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
  'form.created',
  'form.changed',
  'form.tested',
  'submission.marked',
  'submission.deleted',
  'submissions.expired',
  'person.searched',
  'person.exported',
  'person.erased',
  'mail.retried',
  'mail.tested',
  'export.csv',
  'export.jsonl',
  'export.zip',
  'audit.exported',
  'key.created',
  'key.revoked',
  'vault.rotated',
  'vault.key_removed',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/**
 * The audit action per dashboard or API route (method and path) and per command. A test requires every route other than
 * GET, every export and every command. Null means deliberately not recorded:
 * - read-only actions, confirmation pages, and setup of the machine rather than the instance;
 * - read and unread marks, which opening a submission sets and which would drown the other entries;
 * - downloads of single files, which are read like the submission itself;
 * - password reset requests: the response hides the account's existence, and the mailed link is recorded when created.
 */
export const AUDIT_ACTION_BY_ROUTE: Readonly<Record<string, AuditAction | null>> = {
  'POST /dashboard/sign-in': 'signed_in',
  'POST /dashboard/sign-out': 'signed_out',
  'POST /dashboard/welcome/:token': 'account.created',
  'POST /dashboard/reset': null,
  'POST /dashboard/reset/:token': 'password.reset',

  'POST /dashboard/account/preferences': 'account.changed',
  'POST /dashboard/account/password': 'password.changed',
  'POST /dashboard/account/delete': 'account.deleted',
  'POST /dashboard/second-factor': 'signed_in',
  'POST /dashboard/account/second-factor': 'second_factor.on',
  'POST /dashboard/account/second-factor/codes': 'recovery_codes.made',
  'POST /dashboard/account/second-factor/off': 'second_factor.off',
  'POST /dashboard/team/second-factor': 'team.changed',
  'POST /dashboard/account/sessions/end': 'sessions.ended',
  'POST /dashboard/account/sessions/:sessionId/end': 'sessions.ended',

  'POST /dashboard/workspaces': 'workspace.created',
  'POST /dashboard/workspaces/:workspaceId': 'workspace.changed',
  'POST /dashboard/forms/new': 'form.created',
  'POST /dashboard/forms/:formId/settings/:part': 'form.changed',
  'POST /dashboard/forms/:formId/connect/test': 'form.tested',

  // A bulk action; the handler records the specific action.
  'POST /dashboard/submissions': 'submission.marked',
  'POST /dashboard/submissions/:submissionId/delete': 'submission.deleted',
  'POST /dashboard/submissions/:submissionId/read': null,
  'POST /dashboard/submissions/:submissionId/unread': null,
  'POST /dashboard/submissions/:submissionId/spam': 'submission.marked',
  'POST /dashboard/submissions/:submissionId/genuine': 'submission.marked',
  'POST /dashboard/submissions/:submissionId/mails/:mailId/send': 'mail.retried',

  'GET /dashboard/forms/:formId/export': null,
  'GET /dashboard/forms/:formId/export.csv': 'export.csv',
  'GET /dashboard/forms/:formId/export.jsonl': 'export.jsonl',
  'GET /dashboard/forms/:formId/export.zip': 'export.zip',
  'GET /dashboard/forms/:formId/export/progress': null,

  'POST /dashboard/mail/retry': 'mail.retried',
  'POST /dashboard/mail/:mailId/retry': 'mail.retried',
  'POST /dashboard/mail/test': 'mail.tested',

  'POST /dashboard/erase': 'person.searched',
  'GET /dashboard/erase/:erasureId/export.jsonl': 'person.exported',
  'GET /dashboard/erase/:erasureId/export.zip': 'person.exported',
  'POST /dashboard/erase/:erasureId/delete': 'person.erased',

  'POST /dashboard/keys': 'key.created',
  'POST /dashboard/keys/:keyId/revoke': 'key.revoked',

  'POST /dashboard/team/switch': null,
  'POST /dashboard/team/leave': 'member.left',
  'POST /dashboard/team/members/:userId': 'member.role_changed',
  'POST /dashboard/team/members/:userId/remove': 'member.removed',
  'POST /dashboard/team/invitations': 'invitation.made',
  'POST /dashboard/team/invitations/:invitationId/revoke': 'invitation.revoked',

  'PATCH /v1/forms/:formId': 'form.changed',
  'DELETE /v1/submissions/:submissionId': 'submission.deleted',

  serve: null,
  'team create': 'team.created',
  'team update': 'team.changed',
  'team list': null,
  'team member list': null,
  'team member set': 'member.role_changed',
  'team member remove': 'member.removed',
  'user create': 'welcome_link.made',
  'user reset': 'reset_link.made',
  'user sign-out': 'sessions.ended',
  'user delete': 'account.deleted',
  'user list': null,
  'workspace create': 'workspace.created',
  'workspace list': null,
  'form create': 'form.created',
  'form update': 'form.changed',
  'form list': null,
  'submission list': null,
  'submission mark': 'submission.marked',
  'submission erase': 'person.erased',
  'key create': 'key.created',
  'key revoke': 'key.revoked',
  'key list': null,
  'outbox list': null,
  'outbox retry': 'mail.retried',
  'mail test': 'mail.tested',
  'audit export': 'audit.exported',
  backup: null,
  restore: null,
  'vault rotate': 'vault.rotated',
  'vault list': null,
  'vault check': null,
  'vault remove': 'vault.key_removed',
  doctor: null,
  health: null,
  'service install': null,
};
