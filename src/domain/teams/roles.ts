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

export const hasPermission = (role: Role, access: Access): boolean => ACCESS_OF[role].includes(access);

/** The ids of the workspaces that a member sees; null for all workspaces of the team. An empty list is none. */
export type Reach = readonly string[] | null;

/** Returns the reach of a role: those who manage a team see all of it. */
export const reachOf = (role: Role, workspaceIds: Reach): Reach =>
  hasPermission(role, 'manage') ? null : workspaceIds;

/** Returns true if a member sees a workspace. */
export const reaches = (reach: Reach, workspaceId: string): boolean => reach === null || reach.includes(workspaceId);
