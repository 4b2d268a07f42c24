import type { Micros } from '../../lib/clock.ts';
import { invalidInput } from '../errors.ts';

/** A team, the owner of workspaces and API keys. `plan` is the name of a configured plan. */
export type Team = Readonly<{
  id: string;
  name: string;
  plan: string;
  requiresSecondFactor: boolean;
  /** The spam filter learns from the team's marks. */
  learnsSpam: boolean;
  /** The time at which the checklist for new teams was finished or dismissed. */
  setUpAt: Micros | null;
  createdAt: Micros;
}>;

/** A group of a team's forms. Workspaces are listed by `position`, then by age. */
export type Workspace = Readonly<{ id: string; teamId: string; name: string; position: number; createdAt: Micros }>;

const MAX_NAME = 200;

/** Trims the name of a team, workspace, form or key. Throws `invalid_input` unless it has 1 to 200 characters. */
export function parseName(text: string): string {
  const name = text.trim();
  const length = [...name].length;
  if (length >= 1 && length <= MAX_NAME) return name;
  throw invalidInput(`The name must have 1 to ${MAX_NAME} characters (got ${length}).`, ['invalid_name', MAX_NAME]);
}
