/** What a team may do: use the management API, and store so many submissions a month (null: as many as it likes). */
export type Plan = Readonly<{ api_access: boolean; submissions_limit: number | null }>;

/** All plans by their name. */
export type Plans = Readonly<Record<string, Plan>>;

export const BUILT_IN_PLANS: Plans = {
  free: { api_access: false, submissions_limit: 100 },
  pro: { api_access: true, submissions_limit: 5_000 },
  business: { api_access: true, submissions_limit: 50_000 },
  unlimited: { api_access: true, submissions_limit: null },
};

/**
 * The plan of that name. A name that the configuration no longer defines keeps taking submissions, because losing a
 * visitor's message is worse than a wrong bill, but gives no access to the API.
 */
export function planNamed(plans: Plans, name: string): Plan {
  return (Object.hasOwn(plans, name) ? plans[name] : undefined) ?? { api_access: false, submissions_limit: null };
}
