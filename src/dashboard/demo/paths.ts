/** The page that gives out the session of a demo. */
export const DEMO_PATH = '/dashboard/demo';

/** Answers the webhooks of a demo, which lead to the demo itself. */
export const HOOK_PATH = '/demo/hook';
