import { afterAll, describe, expect, test } from 'bun:test';
import type { SpamLesson } from '../../../../src/storage/records.ts';
import { type Engine, openFixture, type Place } from './fixture.ts';

/** Tests marks, lessons and models of spam filters. */
export async function describeSpamModels(engine: Engine): Promise<void> {
  const { store, clock, makeForm, submission } = await openFixture(engine);

  const accept = async (place: Place, isSpam = false) => {
    const wanted = { ...submission(place), isSpam, spamReasons: isSpam ? Buffer.from('reasons') : null };
    await store.queue.accept(wanted);
    return wanted.id;
  };
  const workOf = async ({ teamId }: Place) => (await store.spam.findWork(100, teamId))?.lessons ?? [];
  const summaryOf = async (place: Place) =>
    (await workOf(place)).map(({ submissionId, isSpam, changes }) => [submissionId, isSpam, changes.length]);
  const save = async (place: Place, learned: readonly SpamLesson[], removed: readonly string[] = []) => {
    const before = (await store.spam.findModel(place.teamId))?.weights ?? null;
    const model = { weights: crypto.getRandomValues(Buffer.alloc(64)), raisedBy: 3, halvedAt: clock.now };
    return store.spam.saveModel(place.teamId, { before, model, learned, removed });
  };
  const withChanges = (lesson: SpamLesson): SpamLesson => ({ ...lesson, changes: Buffer.from('changes') });
  const learnAll = async (place: Place) => save(place, (await workOf(place)).map(withChanges));

  describe(`spam filters of teams in ${engine.name}`, () => {
    afterAll(() => store.close());

    test('a mark is recorded with its submission, unless it repeats the state or learning is off', async () => {
      const place = await makeForm();
      const [one, two, three] = [await accept(place), await accept(place), await accept(place, true)];
      await store.submissions.mark(one, false, null, []);
      expect(await summaryOf(place)).toEqual([]);
      clock.now += 1;
      await store.submissions.mark(one, true, null, []);
      clock.now += 1;
      await store.inbox.markSpam([one, two], place.teamId);
      clock.now += 1;
      await store.submissions.mark(three, false, null, []);
      expect(await summaryOf(place)).toEqual([
        [one, true, 0],
        [two, true, 0],
        [three, false, 0],
      ]);
      await store.teams.update(place.teamId, { learnsSpam: false });
      await store.submissions.mark(await accept(place), true, null, []);
      expect(await workOf(place)).toHaveLength(3);
    });

    test('a mark replaces the earlier one, and not spam for a submission that arrived as genuine withdraws it', async () => {
      const place = await makeForm();
      const [genuine, flagged] = [await accept(place), await accept(place, true)];
      await store.submissions.mark(genuine, true, null, []);
      await store.submissions.mark(genuine, false, null, []);
      expect(await summaryOf(place)).toEqual([]);
      await store.submissions.mark(genuine, true, null, []);
      await store.submissions.mark(flagged, false, null, []);
      expect(await learnAll(place)).toBe(true);
      expect(await summaryOf(place)).toEqual([]);
      await store.submissions.mark(genuine, false, null, []);
      await store.submissions.mark(flagged, true, null, []);
      expect(new Set(await summaryOf(place))).toEqual(
        new Set([
          [genuine, true, 7],
          [flagged, false, 7],
          [flagged, true, 0],
        ]),
      );
    });

    test('marks on possible spam are learned in both directions, with and without a mail server', async () => {
      const place = await makeForm();
      for (const mails of [null, []]) {
        for (const isSpam of [true, false]) {
          const wanted = { ...submission(place), isMaybeSpam: true, spamReasons: Buffer.from('reasons') };
          await store.queue.accept(wanted);
          await store.submissions.mark(wanted.id, !isSpam, mails, []);
          expect(await learnAll(place)).toBe(true);
          await store.submissions.mark(wanted.id, isSpam, mails, []);
          expect(await summaryOf(place)).toEqual([
            [wanted.id, !isSpam, 7],
            [wanted.id, isSpam, 0],
          ]);
          expect(
            await save(
              place,
              [],
              (await workOf(place)).map(({ id }) => id),
            ),
          ).toBe(true);
        }
      }
    });

    test('restored possible spam has no mark, and is listed apart', async () => {
      const place = await makeForm();
      const maybe = { ...submission(place), isMaybeSpam: true, spamReasons: Buffer.from('reasons') };
      await store.queue.accept(maybe);
      const other = await accept(place);
      const listed = async () => {
        const page = { onlySpam: false, onlyMaybeSpam: true, limit: 10 };
        return ((await store.submissions.listRecent(place.form.id, page)) ?? []).map(({ id }) => id);
      };
      expect(await listed()).toEqual([maybe.id]);
      await store.inbox.markSpam([maybe.id, other], place.teamId);
      expect([await listed(), (await workOf(place)).length]).toEqual([[], 2]);
      expect(await store.inbox.restoreMaybeSpam([maybe.id, other], 'another team')).toEqual([]);
      expect(await store.inbox.restoreMaybeSpam([maybe.id, other], place.teamId)).toEqual([maybe.id]);
      expect([await listed(), await summaryOf(place)]).toEqual([[maybe.id], [[other, true, 0]]]);
    });

    test('a model to check again is work, and a team without one has none', async () => {
      const place = await makeForm();
      await store.spam.recheckModel(place.teamId);
      expect(await workOf(place)).toEqual([]);
      await save(place, []);
      await store.spam.recheckModel(place.teamId);
      expect(await summaryOf(place)).toEqual([['', false, 0]]);
    });

    test('a lesson has to be forgotten when its submission is deleted, with the message that balances it', async () => {
      const place = await makeForm();
      const [marked, other] = [await accept(place), await accept(place)];
      await store.submissions.mark(marked, true, null, []);
      const [mark] = await workOf(place);
      if (!mark) throw new Error('The mark was not recorded.');
      const balance = { ...mark, id: 'balance', submissionId: other, isSpam: false, balances: mark.id };
      expect(await save(place, [mark, balance].map(withChanges))).toBe(true);
      expect(await store.spam.countLessons(place.teamId)).toMatchObject({ spam: 1, genuine: 0, balancing: 1 });
      expect(await store.spam.countLessons(place.teamId, Number.MAX_SAFE_INTEGER)).toMatchObject({
        spam: 0,
        balancing: 0,
      });
      expect(await store.spam.findLearned([marked, other, 'none'])).toEqual([other, marked].toSorted());
      await store.retention.deleteSubmission(marked, place.teamId);
      expect(new Set((await workOf(place)).map(({ id }) => id))).toEqual(new Set([mark.id, 'balance']));
      expect(await save(place, [], [mark.id, 'balance'])).toBe(true);
      expect(await store.spam.countLessons(place.teamId)).toMatchObject({ spam: 0, balancing: 0 });
    });

    test('a change that is out of date changes nothing', async () => {
      const place = await makeForm();
      const id = await accept(place);
      await store.submissions.mark(id, true, null, []);
      const marks = (await workOf(place)).map(withChanges);
      const model = { weights: Buffer.from('weights'), raisedBy: 0, halvedAt: 1 };
      const change = { before: Buffer.from('other'), model, learned: marks, removed: [] };
      expect(await store.spam.saveModel(place.teamId, change)).toBe(false);
      await store.retention.deleteSubmission(id, place.teamId);
      expect(await store.spam.saveModel(place.teamId, { ...change, before: null })).toBe(false);
      expect([await store.spam.findModel(place.teamId), (await workOf(place)).length]).toEqual([null, 1]);
    });

    test('keeps the newest marks and belongs to one team', async () => {
      const [place, stranger] = [await makeForm(), await makeForm()];
      const ids: string[] = [];
      for (let n = 0; n < 5; n++) {
        clock.now += 1;
        ids.push(await accept(place));
        await store.inbox.markSpam(ids.slice(-1), place.teamId);
      }
      await learnAll(place);
      await store.spam.limitMarks(place.teamId, 3);
      expect((await workOf(place)).map(({ submissionId }) => submissionId)).toEqual(ids.slice(0, 2));
      expect(await store.spam.findModelFor(place.form.workspaceId)).toMatchObject({ teamId: place.teamId, spam: 3 });
      expect(await store.spam.findModelFor(stranger.form.workspaceId)).toBeNull();
      expect(await store.spam.listLessons(place.teamId, { after: '', limit: 10 })).toHaveLength(3);
      await store.spam.deleteModel(place.teamId);
      expect([await store.spam.findModel(place.teamId), await workOf(place)]).toEqual([null, []]);
    });
  });
}
