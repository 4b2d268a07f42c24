/** Roles in a team: `owner` has full access, `editor` edits forms and submissions, `viewer` only reads. */
export const ROLES = ['owner', 'editor', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

/**
 * Access that a page or an action needs: `open` nothing, `self` a session, for the user's own account, the others a
 * role in the team: `read`, `edit` for forms and submissions, `manage` for the team itself.
 */
export type Access = 'open' | 'self' | 'read' | 'edit' | 'manage';

const ACCESS_OF: Readonly<Record<Role, readonly Access[]>> = {
  owner: ['open', 'self', 'read', 'edit', 'manage'],
  editor: ['open', 'self', 'read', 'edit'],
  viewer: ['open', 'self', 'read'],
};

/** Tells if a role has access. */
export function hasPermission(role: Role, access: Access): boolean {
  return ACCESS_OF[role].includes(access);
}
