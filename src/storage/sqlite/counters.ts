import type { DayCounts } from '../accept-decision.ts';
import type { Drizzle } from './database.ts';

/** Returns functions that add to the counts of a form's day and to the stored bytes of a team. */
export function counterWriter({ $client }: Drizzle) {
  const countDay = $client.query<never, [formId: string, day: number, genuine: number, spam: number]>(
    `INSERT INTO form_days (form_id, day, genuine, spam) VALUES (?, ?, ?, ?)
     ON CONFLICT (form_id, day) DO UPDATE SET genuine = genuine + excluded.genuine, spam = spam + excluded.spam`,
  );
  const addStored = $client.query<never, [teamId: string, bytes: number]>(
    `INSERT INTO team_storage (team_id, bytes) VALUES (?, ?)
     ON CONFLICT (team_id) DO UPDATE SET bytes = bytes + excluded.bytes`,
  );
  return {
    countDay: ({ formId, day, genuine, spam }: DayCounts): void => void countDay.run(formId, day, genuine, spam),
    addStored: (teamId: string, bytes: number): void => void addStored.run(teamId, bytes),
  };
}
