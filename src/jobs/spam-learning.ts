import * as tables from '../domain/spam/spam-table.ts';
import type { StoredSubmission } from '../domain/submissions/submission.ts';
import { DAY, type Micros } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { mapYielding } from '../lib/map-yielding.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import type { Services } from '../services/services.ts';
import {
  fit,
  isUnlearned,
  LESSONS_PER_STEP,
  NOTHING,
  type OpenLesson,
  openLessons,
  readStoredModel,
  sealLesson,
  sealModel,
} from '../services/spam/spam-learning.ts';
import { scoreForTeam } from '../spam/team-model.ts';
import { type PlaceKey, placeKey } from '../spam/team-places.ts';
import type { SpamLesson } from '../storage/records.ts';
import { openOr, openPayload } from '../vault/open-submission.ts';
import type { Job } from './loop.ts';

/** Newest messages of the inbox that are read for the threshold and for balancing. */
const SAMPLE_SIZE = 400;
/** Share of them that balances may take. */
const MAX_TAKEN = 0.8;
/** Younger messages may be spam that nobody has marked yet. */
const MIN_AGE = 7 * DAY;
/** Submissions in memory at once, and the size up to which a payload is read. */
const PAGE_SIZE = 10;
const MAX_PAYLOAD_BYTES = 64 * 1024;

type Deps = Pick<Services, 'store' | 'vault' | 'clock'>;

/** An opened genuine message of the team. */
type Opened = tables.Scored & Pick<StoredSubmission, 'id' | 'createdAt'>;

/** The newest opened genuine messages of a team, and those of them without a lesson. */
type Sample = Readonly<{ genuine: readonly Opened[]; unlearned: Set<Opened> }>;

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
  const work = await store.spam.findWork(LESSONS_PER_STEP);
  if (!work) return false;
  const { teamId, lessons } = work;
  const since = Math.min(...lessons.map(({ createdAt }) => createdAt), clock());
  const { halvedAt, before } = await readStoredModel(deps, teamId, since);
  const forgotten = lessons.filter((lesson) => !isUnlearned(lesson));

  const key = placeKey(vault, teamId);
  const sample = await readSample(deps, teamId, key);
  const { learned, gone } = await readMarks(deps, key, lessons.filter(isUnlearned), sample);
  const sealed = learned.map(({ mark, message }) => ({ ...mark, changes: sealLesson(vault, mark.id, message) }));
  const removed = [...forgotten, ...gone].map(({ id }) => id);
  const existing = await openLessons(deps, { teamId, halvedAt, removed });
  const toLesson = ({ mark, message }: Learned) => {
    return { ...mark, ...message, halvings: tables.getHalvings(mark.createdAt, halvedAt) };
  };
  const all = [...existing, ...learned.map(toLesson)].sort((a, b) => (a.id < b.id ? -1 : 1));
  const { table, raisedBy } = await fitModel(all, sample);

  const change = { before, model: sealModel(vault, teamId, table, raisedBy, halvedAt), learned: sealed, removed };
  if (!(await store.spam.saveModel(teamId, change))) return false;
  if (learned.length > 0) await store.spam.limitMarks(teamId, tables.MAX_MARKS);
  return true;
}

/** Fits a table to lessons, and its threshold to the genuine messages of the team. */
async function fitModel(lessons: readonly OpenLesson[], { genuine }: Sample) {
  const { table, amounts } = await fit(lessons);
  const owns = new Map(lessons.map(({ submissionId, isSpam }, at) => [submissionId, isSpam ? 0 : (amounts[at] ?? 0)]));
  const messages = genuine.map((message): tables.Genuine => ({ ...message, own: owns.get(message.id) ?? 0 }));
  const corrections = lessons.filter(({ isSpam, balances }) => !isSpam && balances === null).length;
  return { table, raisedBy: tables.getThreshold(table, messages, corrections) };
}

/** A mark or a balance with what it teaches. */
type Learned = Readonly<{ mark: SpamLesson; message: tables.Scored }>;

/** Reads the messages of marks, and takes messages that balance them out of `sample`. `gone` has marks on deleted ones. */
async function readMarks({ store, vault, clock }: Deps, key: PlaceKey, marks: readonly SpamLesson[], sample: Sample) {
  const learned: Learned[] = [];
  const gone: SpamLesson[] = [];
  for (const mark of marks) {
    const submission = (await store.mails.findSubmissionWithForm(mark.submissionId))?.submission;
    const payload = submission && openOr(() => openPayload(vault, submission), null);
    if (!payload) {
      gone.push(mark);
      continue;
    }
    const balances = mark.isSpam ? takeBalances(sample, clock() - MIN_AGE) : [];
    // Without a message to balance it, a spam mark could flag genuine messages.
    const isBalanced = !mark.isSpam || balances.length > 0;
    learned.push({ mark, message: isBalanced ? tables.getLesson(scoreForTeam(payload, key)) : NOTHING });
    for (const balance of balances) {
      const own = { id: newId('les'), submissionId: balance.id, isSpam: false, balances: mark.id };
      const lesson = { ...own, changes: new Uint8Array(0), createdAt: mark.createdAt };
      learned.push({ mark: lesson, message: tables.getLesson(balance) });
    }
    await yieldToEventLoop();
  }
  return { learned, gone };
}

/** Takes messages from before `before`, unless lessons have most of the sample. */
function takeBalances({ genuine, unlearned }: Sample, before: Micros): Opened[] {
  const taken: Opened[] = [];
  while (taken.length < tables.BALANCES && unlearned.size > genuine.length * (1 - MAX_TAKEN)) {
    const fit = [...unlearned].filter(({ createdAt }) => createdAt < before);
    const balance = tables.pickBalance(fit, Math.random);
    if (!balance) break;
    unlearned.delete(balance);
    taken.push(balance);
  }
  return taken;
}

async function readSample({ store, vault }: Deps, teamId: string, key: PlaceKey): Promise<Sample> {
  const formIds = (await store.forms.list(teamId)).map(({ id }) => id);
  const selection = { formIds, part: 'inbox', from: null, until: null } as const;
  const times = await store.inbox.listTimes(selection, { before: Number.MAX_SAFE_INTEGER, limit: SAMPLE_SIZE });
  const genuine: Opened[] = [];
  const unlearned = new Set<Opened>();
  for (let first = 0; first < times.length; first += PAGE_SIZE) {
    const page = await store.inbox.findSubmissionsAt(times.slice(first, first + PAGE_SIZE));
    const learned = new Set(await store.spam.findLearned(page.map(({ id }) => id)));
    const fit = page.filter(({ readAt, payload }) => readAt !== null && payload.length <= MAX_PAYLOAD_BYTES);
    const scored = await mapYielding(fit, (submission): Opened | null => {
      const payload = openOr(() => openPayload(vault, submission), null);
      return payload && { ...scoreForTeam(payload, key), id: submission.id, createdAt: submission.createdAt };
    });
    for (const submission of scored) {
      if (!submission) continue;
      genuine.push(submission);
      if (!learned.has(submission.id)) unlearned.add(submission);
    }
    await yieldToEventLoop();
  }
  return { genuine, unlearned };
}
