import { MARKETING } from './marketing.ts';
import { MONEY } from './money.ts';
import { NOTICES } from './notices.ts';
import type { Topic } from './topic.ts';
import { WARES } from './wares.ts';

/** All that is offered unasked. */
export const TOPICS: readonly Topic[] = [...MARKETING, ...MONEY, ...WARES, ...NOTICES];
