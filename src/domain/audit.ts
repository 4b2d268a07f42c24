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

/**
 * Audit actions of commands, by their words. Null leaves no entry: the command only reads, or sets up the machine rather
 * than the instance. Pages, actions and operations declare theirs.
 */
export const COMMAND_AUDIT_ACTIONS: Readonly<Record<string, AuditAction | null>> = {
  demo: null,
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
  'user operator': 'operator.on',
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
