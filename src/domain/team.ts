import type { Micros } from '../lib/clock.ts';
import { AppError } from './errors.ts';

/** Who pays: owns workspaces and keys, and is on a plan, which is named here and defined by the configuration. */
export type Team = Readonly<{
  id: string;
  name: string;
  plan: string;
  requiresSecondFactor: boolean;
  createdAt: Micros;
}>;

/** What a team groups its forms in. */
export type Workspace = Readonly<{ id: string; teamId: string; name: string; createdAt: Micros }>;

const MAX_NAME = 200;

/** The trimmed name of a team, workspace, form or key: 1 to 200 characters. Throws `invalid_input` otherwise. */
export function parseName(text: string): string {
  const name = text.trim();
  const length = [...name].length;
  if (length < 1) throw new AppError('invalid_input', 'name is empty; it takes 1 to 200 characters.');
  if (length > MAX_NAME) {
    throw new AppError('invalid_input', `name has ${length} characters; it takes 1 to ${MAX_NAME}.`);
  }
  return name;
}
