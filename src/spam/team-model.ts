import { learnedWeight, MIN_LESSONS, type Scored, TABLE_SIZE } from '../domain/spam/spam-table.ts';
import type { Payload, StoredSubmission } from '../domain/submissions/submission.ts';
import { type Micros, SECOND } from '../lib/clock.ts';
import { RecentValues } from '../lib/recent-values.ts';
import type { Store } from '../storage/store.ts';
import { openOr, openPayload } from '../vault/open-submission.ts';
import { spamModelAad, type Vault } from '../vault/vault.ts';
import { extractFeatures } from './features/features.ts';
import { SPAM_THRESHOLD } from './signal.ts';
import { structureSignals } from './structure.ts';
import { getPlaces, type PlaceKey, placeKey } from './team-places.ts';
import { extractText, type SubmittedText } from './text.ts';
import { contentWeight, readAgain, readWording } from './wording.ts';

/** Returns the features of a text that teams learn. They are valid until the next text is read. */
export const getFeatures = ({ fields }: SubmittedText): Int32Array => extractFeatures(fields).hashes;

/** Returns the weight of a stored text by itself. */
function storedWeight(submitted: SubmittedText): number {
  const reading = readWording(submitted);
  const structure = structureSignals(submitted, reading.totals);
  return contentWeight(readAgain(submitted, reading) ?? reading, structure);
}

/** Returns a payload as a lesson needs it: its places under a team's key, and its weight without the team's model. */
export function scoreForTeam(payload: Payload, key: PlaceKey): Scored {
  const submitted = extractText(payload);
  const distance = storedWeight(submitted) - SPAM_THRESHOLD;
  return { places: getPlaces(getFeatures(submitted), key), distance };
}

/** A team's spam filter, as posts are judged by it. */
export class TeamModel {
  constructor(
    private readonly table: Int16Array,
    private readonly raisedBy: number,
    private readonly key: PlaceKey,
  ) {}

  /** The points that the team's threshold is lowered by. */
  get loweredBy(): number {
    return Math.max(0, -this.raisedBy);
  }

  /** Returns the weight to add for these features; negative for messages like ones marked as genuine. */
  weightOf(features: Int32Array): number {
    return learnedWeight(this.table, this.raisedBy, getPlaces(features, this.key));
  }
}

/** Time until a model is read again. */
const MAX_AGE = 5 * SECOND;
/** Workspaces in memory. A table takes 32 KB. */
const MAX_ENTRIES = 64;

type Deps = Readonly<{ store: Store; vault: Vault }>;

/** The models of the teams that received posts last, by workspace. */
export class TeamModels {
  readonly #models = new RecentValues<TeamModel | null>(MAX_AGE, MAX_ENTRIES);

  constructor(private readonly deps: Deps) {}

  /**
   * Returns the model of a workspace's team; null if it has none with enough lessons, or turned learning off. Returns a
   * promise only if the model has to be read.
   */
  find(workspaceId: string, now: Micros): TeamModel | null | Promise<TeamModel | null> {
    return this.#models.find(workspaceId, now, () => readModel(this.deps, workspaceId).catch(() => null));
  }
}

/** Reads the model of a workspace's team. A damaged one has no effect. */
export async function readModel({ store, vault }: Deps, workspaceId: string): Promise<TeamModel | null> {
  const stored = await store.spam.findModelFor(workspaceId);
  if (!stored || Math.min(stored.spam, stored.genuine) < MIN_LESSONS) return null;
  const { teamId, weights, raisedBy } = stored;
  const table = openSpamTable(vault, teamId, weights);
  return table && new TeamModel(table, raisedBy, placeKey(vault, teamId));
}

/** The weight of a text by itself, and what a team's model adds to it. */
export type Weights = Readonly<{ content: number; learned: number }>;

/** Weighs a stored submission; null if it is damaged. */
export function weighStored(vault: Vault, submission: StoredSubmission, model: TeamModel): Weights | null {
  const payload = openOr(() => openPayload(vault, submission), null);
  return payload && weigh(payload, model);
}

export function weigh(payload: Payload, model: TeamModel): Weights {
  const submitted = extractText(payload);
  return { content: storedWeight(submitted), learned: model.weightOf(getFeatures(submitted)) };
}

/** Opens the sealed table of a team's spam filter; null if it is damaged. */
export function openSpamTable(vault: Vault, teamId: string, weights: Uint8Array): Int16Array | null {
  const bytes = openOr(() => vault.open(weights, spamModelAad(teamId)), null);
  if (bytes?.length !== TABLE_SIZE * Int16Array.BYTES_PER_ELEMENT) return null;
  return new Int16Array(Uint8Array.from(bytes).buffer);
}
