import { BodyMemory } from '../http/body-memory.ts';
import { Downloads } from '../http/downloads.ts';
import { type Intake, newIntake } from '../intake/accept.ts';
import type { Context } from './context.ts';

/** The services of a process, and the state of its server: intake of posts, and memory and connections for requests. */
export type ServerContext = Context & Readonly<{ intake: Intake; bodies: BodyMemory; downloads: Downloads }>;

/** The same without the store. Features of the dashboard take that of their request, which has what the viewer sees. */
export type SharedContext = Omit<ServerContext, 'store'>;

/** Adds the state of a server to the services of its process. */
export function toServerContext(context: Context): ServerContext {
  return {
    ...context,
    intake: newIntake(context),
    bodies: new BodyMemory(context.config.bodyMemoryBytes),
    downloads: new Downloads(context.log),
  };
}
