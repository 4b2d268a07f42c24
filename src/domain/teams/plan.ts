/**
 * A team's plan: access to the management API, the monthly limit of submissions, and the limit of stored bytes. Null
 * means unlimited, as a missing `storage_bytes` does.
 */
export type Plan = Readonly<{ api_access: boolean; submissions_limit: number | null; storage_bytes?: number | null }>;

export type Plans = Readonly<Record<string, Plan>>;

export const BUILT_IN_PLANS: Plans = {
  free: { api_access: false, submissions_limit: 100 },
  pro: { api_access: true, submissions_limit: 5_000 },
  business: { api_access: true, submissions_limit: 50_000 },
  unlimited: { api_access: true, submissions_limit: null },
};

/**
 * Returns the plan of that name. A plan that is no longer configured accepts submissions without a limit, because
 * losing a message is worse than a wrong bill, but grants no API access.
 */
export function planNamed(plans: Plans, name: string): Plan {
  return (Object.hasOwn(plans, name) ? plans[name] : undefined) ?? { api_access: false, submissions_limit: null };
}

/** Returns true if a plan limits submissions or storage. */
export function hasLimit({ submissions_limit: submissions, storage_bytes: bytes = null }: Plan): boolean {
  return submissions !== null || bytes !== null;
}
