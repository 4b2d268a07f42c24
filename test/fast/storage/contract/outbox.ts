import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import type { NewMail } from '../../../../src/domain/mail/mail.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/lib/clock.ts';
import { newId } from '../../../../src/lib/ids.ts';
import type { ClaimedMail, NewSubmission } from '../../../../src/storage/records.ts';
import { type Engine, openFixture, type Place } from './fixture.ts';

const SENT = { state: 'sent' } as const;

/** Tests the outbox. */
export async function describeOutbox(engine: Engine): Promise<void> {
  const { store, clock, makeForm, submission, open } = await openFixture(engine);
  describe(`mails in ${engine.name}`, () => {
    afterAll(() => store.close());

    /** Sends the mails that earlier tests left in the queue. */
    beforeEach(async () => {
      await startOther();
      await store.mails.retry('dead');
      for (const state of ['retrying', 'queued'] as const) {
        for (const { id } of await store.mails.list({ state, limit: 10_000 })) await store.mails.retry({ id });
      }
      await sendAll();
    });

    /** Starts and ends another process, for which the claims of this one are those of a dead one. */
    const startOther = async () => {
      const other = await open(
        () => clock.now,
        () => null,
      );
      await other.instances.beat({ host: 'other', pid: 2, version: '1.0.0', keyId: 1 });
      await other.instances.leave();
      await other.close();
    };
    const toOwner = (): NewMail => {
      const id = newId('mail');
      return { id, kind: 'notification', recipient: 'o@x.example', addressee: null, messageId: `<${id}@x.example>` };
    };
    const toVisitor = (addressee: string): NewMail => ({
      ...toOwner(),
      kind: 'auto_reply',
      recipient: null,
      addressee,
    });
    /** Stores a submission with these mails and returns its id. */
    const post = async (place: Place, mails: readonly NewMail[], parts: Partial<NewSubmission> = {}) => {
      const sent = { ...submission(place), mails, ...parts };
      await store.queue.accept(sent);
      return sent.id;
    };
    /** Queues a mail that is due now and returns its id. */
    const queue = async () => {
      const mail = toOwner();
      await post(await makeForm(), [mail]);
      return mail.id;
    };
    const claim = (limit = 1000) => store.claims.mails(limit, MINUTE);
    const claimOne = async (): Promise<ClaimedMail> => {
      const [mail] = await claim(1);
      if (mail) return mail;
      throw new Error('nothing is due');
    };
    const sendAll = async () => {
      const mails = await claim();
      for (const { id, fence } of mails) await store.mails.recordResult(id, fence, SENT);
      return mails;
    };
    const pathIds = (mails: readonly { id: string }[]) => mails.map(({ id }) => id).toSorted();
    const look = async (id: string) =>
      (await store.mails.list({ state: null, limit: 10_000 })).find((mail) => mail.id === id);
    const words = Buffer.from('sealed words');

    test('are queued with their submission, and only if it is stored', async () => {
      const place = await makeForm();
      const [mail, ofPaused] = [toOwner(), toOwner()];
      const submissionId = await post(place, [mail]);
      await store.forms.update(place.form.id, { isActive: false });
      await post(place, [ofPaused]);
      expect(await claim()).toEqual([
        expect.objectContaining({
          id: mail.id,
          kind: 'notification',
          formId: place.form.id,
          submissionId,
          recipient: 'o@x.example',
          messageId: mail.messageId,
          createdAt: clock.now,
          failures: 0,
        }),
      ]);
    });

    test('are claimed when due, oldest first, up to the limit', async () => {
      const ids: string[] = [];
      for (let minute = 0; minute < 4; minute++) {
        ids.push(await queue());
        clock.now += MINUTE;
      }
      const later = await claimOne();
      await store.mails.recordResult(later.id, later.fence, { state: 'queued', dueAt: clock.now + 1, reason: null });
      expect(later.id).toBe(ids[0] ?? '');
      expect(pathIds(await claim(2))).toEqual(ids.slice(1, 3));
      expect(pathIds(await claim())).toEqual(ids.slice(3));
      clock.now += 1;
      expect(pathIds(await claim())).toEqual([later.id]);
    });

    test('that are claimed are not claimed again until the lease expires', async () => {
      await queue();
      const first = await claimOne();
      clock.now += MINUTE - 1;
      expect(await claim()).toEqual([]);
      clock.now += 1;
      const second = await claimOne();
      expect(second.id).toBe(first.id);
      expect(second.fence).toBeGreaterThan(first.fence);
      expect(await store.mails.recordResult(first.id, first.fence, SENT)).toBe(false);
      expect(await look(first.id)).toMatchObject({ state: 'queued', settledAt: null });
      expect(await store.mails.recordResult(second.id, second.fence, SENT)).toBe(true);
      expect(await look(first.id)).toMatchObject({ state: 'sent', settledAt: clock.now });
    });

    test('accept one result per claim', async () => {
      await queue();
      const { id, fence } = await claimOne();
      expect(await store.mails.recordResult(id, fence, SENT)).toBe(true);
      expect(await store.mails.recordResult(id, fence, { state: 'dead', reason: words })).toBe(false);
      expect((await look(id))?.state).toBe('sent');
    });

    test('count a failure and are due at the given time; a requeued mail counts none', async () => {
      await queue();
      const first = await claimOne();
      await store.mails.recordResult(first.id, first.fence, {
        state: 'retrying',
        dueAt: clock.now + HOUR,
        reason: words,
      });
      expect(await look(first.id)).toMatchObject({
        state: 'retrying',
        failures: 1,
        dueAt: clock.now + HOUR,
        reason: words,
      });
      clock.now += HOUR;
      const second = await claimOne();
      expect(second).toMatchObject({ id: first.id, failures: 1 });
      await store.mails.recordResult(second.id, second.fence, { state: 'queued', dueAt: clock.now, reason: null });
      const third = await claimOne();
      expect(third).toMatchObject({ id: first.id, failures: 1 });
      await store.mails.recordResult(third.id, third.fence, { state: 'dead', reason: words });
      expect(await look(first.id)).toMatchObject({ state: 'dead', settledAt: clock.now, reason: words });
      clock.now += 10 * DAY;
      expect(await claim()).toEqual([]);
    });

    test('of an earlier process are due at once when another starts', async () => {
      const id = await queue();
      const before = await claimOne();
      await startOther();
      expect(await store.mails.recordResult(id, before.fence, SENT)).toBe(false);
      expect(pathIds(await claim())).toEqual([id]);
    });

    test('are due again when the clock goes back further than any retry delay or lease', async () => {
      await queue();
      const first = await claimOne();
      clock.now -= DAY;
      const second = await claimOne();
      expect(second.id).toBe(first.id);
      await store.mails.recordResult(second.id, second.fence, {
        state: 'retrying',
        dueAt: clock.now + 6 * HOUR,
        reason: words,
      });
      clock.now -= 2 * DAY;
      expect(pathIds(await claim())).toEqual([first.id]);
      clock.now += 3 * DAY;
    });

    test('are requeued without failures by a retry, except sent ones', async () => {
      const ids = [await queue(), await queue(), await queue()];
      const [a, b, c] = await claim();
      if (!a || !b || !c) throw new Error('not claimed');
      await store.mails.recordResult(a.id, a.fence, { state: 'retrying', dueAt: clock.now + HOUR, reason: words });
      await store.mails.recordResult(b.id, b.fence, { state: 'dead', reason: words });
      await store.mails.recordResult(c.id, c.fence, SENT);
      expect(await Promise.all([{ id: 'mail_none' }, { id: c.id }].map(store.mails.retry))).toEqual([0, 0]);
      expect(await store.mails.retry('dead')).toBe(1);
      expect(await store.mails.retry({ id: a.id })).toBe(1);
      const fresh = { state: 'queued', failures: 0, dueAt: clock.now, settledAt: null, reason: null };
      expect([await look(a.id), await look(b.id)]).toMatchObject([fresh, fresh]);
      expect(pathIds(await claim())).toEqual(ids.filter((id) => id !== c.id));
    });

    test('that are retried during delivery are not claimed by another worker', async () => {
      await queue();
      const { id, fence } = await claimOne();
      expect(await store.mails.retry({ id })).toBe(1);
      expect(await claim()).toEqual([]);
      expect(await store.mails.recordResult(id, fence, SENT)).toBe(true);
    });

    test('are listed newest first, all or by state', async () => {
      const ids = [await queue(), await queue(), await queue()];
      const [sent] = await claim(1);
      if (!sent) throw new Error('not claimed');
      await store.mails.recordResult(sent.id, sent.fence, SENT);
      const list = async (state: 'queued' | 'sent' | null, limit: number) =>
        (await store.mails.list({ state, limit })).map(({ id }) => id);
      expect(await list(null, 3)).toEqual(ids.toReversed());
      expect(await list('queued', 2)).toEqual(ids.filter((id) => id !== sent.id).toReversed());
      expect(await list('sent', 1)).toEqual([sent.id]);
    });

    test('are counted by state up to a maximum, with the due time of the first', async () => {
      const counts = async (most: number) => Object.fromEntries((await store.upkeep.readStats(most)).mails);
      const before = await counts(10_000);
      const since = clock.now;
      for (let mail = 0; mail < 5; mail++) await queue();
      clock.now += MINUTE;
      const [a, b, c] = await claim(3);
      if (!a || !b || !c) throw new Error('not claimed');
      await store.mails.recordResult(a.id, a.fence, { state: 'retrying', dueAt: clock.now + HOUR, reason: words });
      await store.mails.recordResult(b.id, b.fence, { state: 'dead', reason: words });
      await store.mails.recordResult(c.id, c.fence, SENT);
      const { queued = 0, retrying = 0, sent = 0, dead = 0 } = before;
      expect(await counts(10_000)).toEqual({
        queued: queued + 2,
        retrying: retrying + 1,
        sent: sent + 1,
        dead: dead + 1,
      });
      expect(await counts(1)).toEqual({ queued: 1, retrying: 1, sent: 1, dead: 1 });
      expect((await store.upkeep.readStats(0)).nextDueAt).toBe(since);
    });

    test('are deleted 7 days after delivery and 30 days after they are dead', async () => {
      const [waiting, sent, dead] = [await queue(), await queue(), await queue()];
      for (const { id, fence } of await claim()) {
        if (id === waiting)
          await store.mails.recordResult(id, fence, { state: 'queued', dueAt: clock.now, reason: null });
        else await store.mails.recordResult(id, fence, id === sent ? SENT : { state: 'dead', reason: words });
      }
      const left = async () => {
        await store.mails.prune();
        const mails = await store.mails.list({ state: null, limit: 10_000 });
        return [waiting, sent, dead].map((id) => mails.some((mail) => mail.id === id));
      };
      clock.now += 7 * DAY;
      expect(await left()).toEqual([true, true, true]);
      clock.now += 1;
      expect(await left()).toEqual([true, false, true]);
      clock.now += 23 * DAY - 1;
      expect(await left()).toEqual([true, false, true]);
      clock.now += 1;
      expect(await left()).toEqual([true, false, false]);
    });

    test('are deleted with their submission', async () => {
      const place = await makeForm();
      const mails = [toOwner(), toOwner()];
      const id = await post(place, mails);
      const [claimed] = await claim(1);
      if (!claimed) throw new Error('not claimed');
      await store.retention.deleteSubmission(id, place.teamId);
      expect(await store.mails.recordResult(claimed.id, claimed.fence, SENT)).toBe(false);
      expect(await claim()).toEqual([]);
      expect(await store.mails.findSubmissionWithForm(id)).toBeNull();
    });

    test('find their submission and its form', async () => {
      const place = await makeForm();
      const id = await post(place, [toOwner()]);
      expect(await store.mails.findSubmissionWithForm(id)).toMatchObject({ submission: { id }, form: place.form });
    });

    test('are claimed once by two stores on the same database', async () => {
      const other = await open(
        () => clock.now,
        () => null,
      );
      const ids = await Promise.all(Array.from({ length: 20 }, queue));
      const claimed: string[][] = [[], []];
      for (let round = 0; round < 10; round++) {
        const both = await Promise.all([store.claims.mails(3, MINUTE), other.claims.mails(3, MINUTE)]);
        for (const [index, mails] of both.entries()) claimed[index]?.push(...pathIds(mails));
      }
      await other.close();
      expect(claimed.flat().toSorted()).toEqual(ids.toSorted());
      expect(claimed.every((mine) => mine.length > 0)).toBe(true);
    });

    test('that reply automatically go to an address once a day per form', async () => {
      const [place, elsewhere] = [await makeForm(), await makeForm()];
      const counts: number[] = [];
      const answer = async (to: Place, addressee: string) => {
        await post(to, [toVisitor(addressee)]);
        counts.push((await sendAll()).length);
      };
      await answer(place, 'ada');
      await answer(place, 'ada');
      await answer(place, 'bob');
      await answer(elsewhere, 'ada');
      clock.now += DAY - 1;
      await answer(place, 'ada');
      clock.now += 1;
      await answer(place, 'ada');
      expect(counts).toEqual([1, 0, 1, 1, 0, 1]);
    });

    test('that reply automatically are limited per form and 24 hours; notifications are not limited', async () => {
      const place = await makeForm();
      await store.forms.update(place.form.id, { autoReplyDailyLimit: 30 });
      const answers = async (count: number) => {
        for (let n = 0; n < count; n++) await post(place, [toOwner(), toVisitor(newId('hash'))]);
        const mails = await sendAll();
        return ['notification', 'auto_reply'].map((kind) => mails.filter((mail) => mail.kind === kind).length);
      };
      expect(await answers(35)).toEqual([35, 30]);
      clock.now += DAY - 1;
      expect(await answers(1)).toEqual([1, 0]);
      clock.now += 1;
      expect(await answers(1)).toEqual([1, 1]);
    });

    test('of a held-back submission are queued once when it is released', async () => {
      const place = await makeForm();
      const id = await post(place, [], { isSpam: true, spamReasons: words });
      const mark = async (isSpam: boolean) => {
        await store.submissions.mark(id, isSpam, [toOwner()], []);
        return (await claim()).length;
      };
      expect([await mark(true), await mark(false), await mark(false)]).toEqual([0, 1, 0]);
      expect([await mark(true), await mark(false)]).toEqual([0, 0]);
    });

    test('of a submission that is spam at an attempt are canceled, and queued again when it is genuine', async () => {
      const place = await makeForm();
      const id = await post(place, [toOwner(), toVisitor(newId('hash'))]);
      const mark = (isSpam: boolean) => store.submissions.mark(id, isSpam, [], []);
      const cancelAll = async () => {
        const mails = await claim();
        for (const mail of mails) await store.mails.recordResult(mail.id, mail.fence, { state: 'canceled' });
        return mails.map((mail) => mail.id).sort();
      };
      await mark(true);
      const canceled = await cancelAll();
      expect(canceled).toHaveLength(2);
      await mark(true);
      expect([await claim(), await store.inbox.listMailsOf(id)]).toEqual([[], []]);
      await mark(false);
      expect(await store.inbox.listMailsOf(id)).toHaveLength(2);
      // Canceled although it is genuine again: the mark was undone during the attempt.
      expect(await cancelAll()).toEqual(canceled);
      expect((await store.inbox.listMailsOf(id)).map(({ state, dueAt }) => [state, dueAt])).toEqual(
        Array(2).fill(['queued', clock.now]),
      );
      expect((await sendAll()).map((mail) => mail.id).sort()).toEqual(canceled);
      await mark(true);
      await mark(false);
      expect(await claim()).toEqual([]);
    });

    test('that reply automatically are not queued again after a day, so that their limit holds', async () => {
      const id = await post(await makeForm(), [toOwner(), toVisitor(newId('hash'))]);
      await store.submissions.mark(id, true, [], []);
      for (const mail of await claim()) await store.mails.recordResult(mail.id, mail.fence, { state: 'canceled' });
      clock.now += DAY;
      await store.submissions.mark(id, false, [], []);
      expect((await claim()).map(({ kind }) => kind)).toEqual(['notification']);
    });

    test('of a submission that is possible spam again are queued again too', async () => {
      const place = await makeForm();
      const id = await post(place, [toOwner()], { isMaybeSpam: true, spamReasons: words });
      await store.inbox.markSpam([id], place.teamId);
      const [mail] = await claim();
      expect(await store.mails.recordResult(mail?.id ?? '', mail?.fence ?? 0, { state: 'canceled' })).toBe(true);
      expect(await store.inbox.restoreMaybeSpam([id], place.teamId)).toEqual([id]);
      expect((await claim()).map((queued) => queued.id)).toEqual([mail?.id ?? '']);
    });

    test('of a submission that was never held back are not queued again', async () => {
      const id = await post(await makeForm(), []);
      await store.submissions.mark(id, true, [toOwner()], []);
      await store.submissions.mark(id, false, [toOwner()], []);
      expect(await claim()).toEqual([]);
    });
  });
}
