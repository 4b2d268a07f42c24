import type { Micros } from '../lib/clock.ts';
import type { DeliveryClaim } from './records.ts';

/** The first due delivery of a webhook without a lease. */
export type Candidate = Readonly<{ webhookId: string; teamId: string; isSlow: boolean; id: string; dueAt: Micros }>;

/** Teams by the number of the turn in which they were last served. */
export type Turns = Map<string, number>;

/** Teams to remember; beyond it, all count as never served. */
const MAX_TEAMS = 10_000;

/**
 * Returns the candidates that get a lane, within the limits of the process, of each team and of slow endpoints. Teams take
 * turns, the one served longest ago first; within a team the oldest delivery is first. Records the turns in `turns`.
 */
export function chooseLanes(
  candidates: readonly Candidate[],
  { lanes, lanesPerTeam, slowLanes, inFlight }: DeliveryClaim,
  turns: Turns,
): Candidate[] {
  const busy = new Set(inFlight.map(({ webhookId }) => webhookId));
  const lanesOf = new Map<string, number>();
  for (const { teamId } of inFlight) lanesOf.set(teamId, (lanesOf.get(teamId) ?? 0) + 1);
  let slow = inFlight.filter(({ isSlow }) => isSlow).length;
  const free = candidates.filter(({ webhookId }) => !busy.has(webhookId));
  const queues = Map.groupBy(
    free.toSorted((a, b) => a.dueAt - b.dueAt || (a.id < b.id ? -1 : 1)),
    ({ teamId }) => teamId,
  );
  let turn = Math.max(0, ...turns.values());
  if (turns.size > MAX_TEAMS) turns.clear();
  const chosen: Candidate[] = [];
  while (inFlight.length + chosen.length < lanes && queues.size > 0) {
    const lastTurn = (team: string) => turns.get(team) ?? 0;
    const teamId = [...queues.keys()].reduce((first, team) => (lastTurn(team) < lastTurn(first) ? team : first));
    const queue = queues.get(teamId) ?? [];
    const next = queue.findIndex(({ isSlow }) => !isSlow || slow < slowLanes);
    const [candidate] = next === -1 ? [] : queue.splice(next, 1);
    const ofTeam = lanesOf.get(teamId) ?? 0;
    if (!candidate || ofTeam >= lanesPerTeam) {
      queues.delete(teamId);
      continue;
    }
    lanesOf.set(teamId, ofTeam + 1);
    turns.set(teamId, ++turn);
    if (candidate.isSlow) slow += 1;
    chosen.push(candidate);
  }
  return chosen;
}
