import { applyLesson, guardOf, halvingsOf, lessonOf, MAX_MARKS, type Scored } from '../domain/spam-table.ts';
import type { StoredSubmission } from '../domain/submission.ts';
import { scoreForTeam } from '../intake/spam/team-model.ts';
import { type PlaceKey, placeKey } from '../intake/spam/team-places.ts';
import { type Clock, DAY, type Micros } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { mapYielding } from '../lib/map-yielding.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import {
  changeModel,
  isUnlearned,
  LESSONS_PER_STEP,
  NOTHING,
  type OpenModel,
  openModel,
  sealLesson,
  sealModel,
} from '../services/spam-learning.ts';
import type { SpamLesson, Store } from '../storage/store.ts';
import { openOr, openPayload } from '../vault/open-submission.ts';
import type { Vault } from '../vault/vault.ts';
import type { Job } from './loop.ts';

/** Newest messages of the inbox that are read for the guard and for balancing. */
const SAMPLE_SIZE = 400;
/** Opened genuine messages that no change may flag. */
const GUARD_SIZE = 200;
/** Younger messages may be spam that nobody has marked yet. */
const MIN_AGE = 7 * DAY;
/** Submissions in memory at once, and the size up to which a payload is read. */
const PAGE_SIZE = 10;
const MAX_PAYLOAD_BYTES = 64 * 1024;

type Deps = Readonly<{ store: Store; vault: Vault; clock: Clock }>;

/** An opened genuine message of the team without a lesson. */
type Genuine = Scored & Pick<StoredSubmission, 'id' | 'createdAt'>;

/** The newest opened genuine messages of a team, and how many others have lessons. */
type Sample = { readonly genuine: Genuine[]; learned: number };

/** Creates the job that learns the marks of teams and forgets what withdrawn marks and deleted submissions taught. */
export function spamLearningJob(deps: Deps): Job {
  const step = async (signal: AbortSignal) => {
    while (!signal.aborted && (await learnNext(deps))) await yieldToEventLoop();
  };
  return { name: 'spam learning', everyMs: 250, step };
}

/** Processes some lessons of one team. Returns false if there are none, or the team changed meanwhile. */
async function learnNext(deps: Deps): Promise<boolean> {
  const { store, vault, clock } = deps;
  const work = await store.findSpamWork(LESSONS_PER_STEP);
  if (!work) return false;
  const { teamId, lessons } = work;
  const since = Math.min(...lessons.map(({ createdAt }) => createdAt), clock());
  const model = await openModel(deps, teamId, since);
  const forgotten = lessons.filter((lesson) => !isUnlearned(lesson));
  for (const lesson of forgotten) changeModel(vault, model, lesson, -1);

  const key = placeKey(vault, teamId);
  const sample = await readSample(deps, teamId, key);
  const { learned, gone } = await learnMarks(deps, model, key, lessons.filter(isUnlearned), sample);
  model.raisedBy = guardOf(model.table, sample.genuine.slice(0, GUARD_SIZE));

  const removed = [...forgotten, ...gone].map(({ id }) => id);
  const change = { before: model.before, model: sealModel(vault, teamId, model), learned, removed };
  if (!(await store.saveSpamModel(teamId, change))) return false;
  if (learned.length > 0) await store.limitSpamMarks(teamId, MAX_MARKS);
  return true;
}

/** Learns marks, and takes the messages that balance them out of `sample`. `gone` has marks on deleted submissions. */
async function learnMarks(
  { store, vault, clock }: Deps,
  model: OpenModel,
  key: PlaceKey,
  marks: readonly SpamLesson[],
  sample: Sample,
): Promise<Readonly<{ learned: SpamLesson[]; gone: SpamLesson[] }>> {
  const learned: SpamLesson[] = [];
  const gone: SpamLesson[] = [];
  const learn = (mark: SpamLesson, message: Scored): void => {
    const lesson = lessonOf(message, mark.isSpam);
    applyLesson(model.table, lesson, 1, halvingsOf(mark.createdAt, model.halvedAt));
    learned.push({ ...mark, changes: sealLesson(vault, mark.id, lesson) });
  };
  for (const mark of marks) {
    const submission = (await store.findSubmissionWithForm(mark.submissionId))?.submission;
    const payload = submission && openOr(() => openPayload(vault, submission), null);
    const other = mark.isSpam && payload ? takeBalance(sample, clock() - MIN_AGE) : null;
    if (!payload) gone.push(mark);
    // Without a message to balance it, a spam mark could flag genuine messages.
    else if (mark.isSpam && !other) learned.push({ ...mark, changes: sealLesson(vault, mark.id, NOTHING) });
    else learn(mark, scoreForTeam(payload, key));
    if (payload && other) {
      const { createdAt } = mark;
      const balance = { id: newId('les'), submissionId: other.id, isSpam: false, balances: mark.id, createdAt };
      learn({ ...balance, changes: new Uint8Array(0) }, other);
    }
    await yieldToEventLoop();
  }
  return { learned, gone };
}

/** Takes a random message from before `before`. Half of the sample is left for the guard. */
function takeBalance(sample: Sample, before: Micros): Genuine | null {
  const fit = sample.genuine.filter(({ createdAt }) => createdAt < before);
  const chosen = fit[Math.floor(Math.random() * fit.length)];
  if (!chosen || sample.genuine.length <= sample.learned) return null;
  sample.genuine.splice(sample.genuine.indexOf(chosen), 1);
  sample.learned += 1;
  return chosen;
}

async function readSample({ store, vault }: Deps, teamId: string, key: PlaceKey): Promise<Sample> {
  const formIds = (await store.listForms(teamId)).map(({ id }) => id);
  const selection = { formIds, part: 'inbox', from: null, until: null } as const;
  const times = await store.listInboxTimes(selection, { before: Number.MAX_SAFE_INTEGER, limit: SAMPLE_SIZE });
  const sample: Sample = { genuine: [], learned: 0 };
  for (let first = 0; first < times.length; first += PAGE_SIZE) {
    const page = await store.findSubmissionsAt(times.slice(first, first + PAGE_SIZE));
    const learned = new Set(await store.findLearnedSubmissions(page.map(({ id }) => id)));
    const fit = page.filter(
      ({ id, readAt, payload }) => readAt !== null && payload.length <= MAX_PAYLOAD_BYTES && !learned.has(id),
    );
    const scored = await mapYielding(fit, (submission): Genuine | null => {
      const payload = openOr(() => openPayload(vault, submission), null);
      return payload && { ...scoreForTeam(payload, key), id: submission.id, createdAt: submission.createdAt };
    });
    sample.learned += learned.size;
    sample.genuine.push(...scored.filter((one) => one !== null));
    await yieldToEventLoop();
  }
  return sample;
}
