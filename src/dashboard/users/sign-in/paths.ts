export const SECOND_FACTOR_PATH = '/dashboard/second-factor';

/** Returns the path of the sign-in page; `to` is the page to open after the sign-in. */
export const signInPath = (to: string): string => `/dashboard/sign-in?to=${encodeURIComponent(to)}`;

/** Returns the token of the invitation that a path belongs to; null for another path. */
export function getInvitation(path: string): string | null {
  return /^\/dashboard\/welcome\/([\w-]+)(\?|$)/.exec(path)?.[1] ?? null;
}

/** Returns the path of a link into a team. */
export const welcomePath = (token: string): string => `/dashboard/welcome/${token}`;
