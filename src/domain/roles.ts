/** Roles in a team: `owner` has full access, `editor` edits forms and submissions, `viewer` only reads. */
export const ROLES = ['owner', 'editor', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

/**
 * The permission that a page or action requires. `open` requires nothing, `self` a signed-in user. The others depend on
 * the role in the team: `read`, `edit` forms and submissions, `manage` the team.
 */
export type Permission = 'open' | 'self' | 'read' | 'edit' | 'manage';

const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  owner: ['open', 'self', 'read', 'edit', 'manage'],
  editor: ['open', 'self', 'read', 'edit'],
  viewer: ['open', 'self', 'read'],
};

/** Reports whether the role has the permission. */
export function hasPermission(role: Role, permission: Permission): boolean {
  return ROLE_PERMISSIONS[role].includes(permission);
}

/**
 * Reports whether the role may use a route such as `GET /dashboard/forms`; false for routes not in `ROUTE_PERMISSIONS`.
 */
export function canUseRoute(role: Role, route: string): boolean {
  const permission = ROUTE_PERMISSIONS[route];
  return permission !== undefined && hasPermission(role, permission);
}

/**
 * The required permission of each dashboard route, by method and path. Missing routes are denied, and a test fails. The
 * management API checks key scopes instead; commands require no role, only access to the machine.
 */
export const ROUTE_PERMISSIONS: Readonly<Record<string, Permission>> = {
  'GET /dashboard': 'read',
  'GET /dashboard/*': 'self',

  'GET /dashboard/sign-in': 'open',
  'POST /dashboard/sign-in': 'open',
  'POST /dashboard/sign-out': 'open',
  'GET /dashboard/welcome/:token': 'open',
  'POST /dashboard/welcome/:token': 'open',
  'GET /dashboard/second-factor': 'open',
  'POST /dashboard/second-factor': 'open',
  'GET /dashboard/reset': 'open',
  'POST /dashboard/reset': 'open',
  'GET /dashboard/reset/:token': 'open',
  'POST /dashboard/reset/:token': 'open',

  'GET /dashboard/account': 'self',
  'POST /dashboard/account/preferences': 'self',
  'POST /dashboard/account/password': 'self',
  'GET /dashboard/account/delete': 'self',
  'POST /dashboard/account/delete': 'self',
  'GET /dashboard/account/second-factor': 'self',
  'POST /dashboard/account/second-factor': 'self',
  'POST /dashboard/account/second-factor/codes': 'self',
  'POST /dashboard/account/second-factor/off': 'self',
  'GET /dashboard/account/sessions/end': 'self',
  'POST /dashboard/account/sessions/end': 'self',
  'GET /dashboard/account/sessions/:sessionId/end': 'self',
  'POST /dashboard/account/sessions/:sessionId/end': 'self',

  'GET /dashboard/forms': 'read',
  'POST /dashboard/workspaces': 'edit',
  'POST /dashboard/workspaces/:workspaceId': 'edit',
  'GET /dashboard/forms/new': 'edit',
  'POST /dashboard/forms/new': 'edit',
  'GET /dashboard/forms/:formId/settings': 'edit',
  'POST /dashboard/forms/:formId/settings/:part': 'edit',
  'GET /dashboard/forms/:formId/connect': 'read',
  'POST /dashboard/forms/:formId/connect/test': 'edit',

  'GET /dashboard/inbox': 'read',
  'GET /dashboard/inbox/new': 'read',
  'GET /dashboard/forms/:formId': 'read',
  'GET /dashboard/forms/:formId/new': 'read',
  'POST /dashboard/submissions': 'edit',
  'GET /dashboard/submissions/:submissionId': 'read',
  'GET /dashboard/submissions/:submissionId/values/:index': 'read',
  'GET /dashboard/submissions/:submissionId/files/:fileId': 'read',
  'GET /dashboard/submissions/:submissionId/delete': 'edit',
  'POST /dashboard/submissions/:submissionId/delete': 'edit',
  'POST /dashboard/submissions/:submissionId/read': 'edit',
  'POST /dashboard/submissions/:submissionId/unread': 'edit',
  'POST /dashboard/submissions/:submissionId/spam': 'edit',
  'POST /dashboard/submissions/:submissionId/genuine': 'edit',
  'POST /dashboard/submissions/:submissionId/mails/:mailId/send': 'edit',

  'GET /dashboard/forms/:formId/export': 'read',
  'GET /dashboard/forms/:formId/export.csv': 'read',
  'GET /dashboard/forms/:formId/export.jsonl': 'read',
  'GET /dashboard/forms/:formId/export.zip': 'read',
  'GET /dashboard/forms/:formId/export/progress': 'read',

  'GET /dashboard/mail': 'read',
  'POST /dashboard/mail/retry': 'edit',
  'POST /dashboard/mail/:mailId/retry': 'edit',
  'POST /dashboard/mail/test': 'edit',

  'GET /dashboard/usage': 'read',

  'GET /dashboard/team': 'read',
  'POST /dashboard/team/switch': 'self',
  'GET /dashboard/team/second-factor': 'manage',
  'POST /dashboard/team/second-factor': 'manage',
  'GET /dashboard/team/leave': 'self',
  'POST /dashboard/team/leave': 'self',
  'POST /dashboard/team/members/:userId': 'manage',
  'GET /dashboard/team/members/:userId/remove': 'manage',
  'POST /dashboard/team/members/:userId/remove': 'manage',
  'POST /dashboard/team/invitations': 'manage',
  'POST /dashboard/team/invitations/:invitationId/revoke': 'manage',

  'GET /dashboard/erase': 'manage',
  'POST /dashboard/erase': 'manage',
  'GET /dashboard/erase/:erasureId': 'manage',
  'GET /dashboard/erase/:erasureId/export.jsonl': 'manage',
  'GET /dashboard/erase/:erasureId/export.zip': 'manage',
  'GET /dashboard/erase/:erasureId/delete': 'manage',
  'POST /dashboard/erase/:erasureId/delete': 'manage',
  'GET /dashboard/erase/:erasureId/receipt.json': 'manage',

  'GET /dashboard/audit': 'manage',

  'GET /dashboard/keys': 'manage',
  'POST /dashboard/keys': 'manage',
  'GET /dashboard/keys/:keyId/revoke': 'manage',
  'POST /dashboard/keys/:keyId/revoke': 'manage',
};
