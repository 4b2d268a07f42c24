import { afterAll, describe, expect, test } from 'bun:test';
import type { NewMail, Summary } from '../../../../src/domain/mail/mail.ts';
import { getPeriod } from '../../../../src/domain/usage.ts';
import { deliveriesForSubmission } from '../../../../src/domain/webhooks/webhook.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/lib/clock.ts';
import { getRandomPart, getTime, newId } from '../../../../src/lib/ids.ts';
import type { NewSubmission } from '../../../../src/storage/records.ts';
import { type Engine, newWebhook, openFixture, type Place } from './fixture.ts';

const LEAP = 40 * DAY;

/** Tests the repair of times after the clock was ahead. */
export async function describeClock(engine: Engine): Promise<void> {
  const { store, clock, makeForm, makeMember, submission, used, page } = await openFixture(engine);
  describe(`the repair of the clock in ${engine.name}`, () => {
    afterAll(() => store.close());

    const keep = async (place: Place, parts: Partial<NewSubmission> = {}) => {
      const sent = { ...submission(place), ...parts };
      await store.queue.accept(sent);
      return sent.id;
    };
    const items = async (place: Place) => ((await page(place)) ?? []).toReversed();

    test('keeps the order of submissions, and their count in the present month', async () => {
      const place = await makeForm();
      const ids = [await keep(place), await keep(place)];
      const before = await items(place);
      clock.now += LEAP;
      for (let count = 0; count < 3; count++) ids.push(await keep(place));
      clock.now -= LEAP - HOUR;
      ids.push(await keep(place));
      expect(await store.clock.repair()).toBe(4);
      const after = await items(place);
      expect(after.map(({ id }) => getRandomPart(id))).toEqual(ids.map(getRandomPart));
      expect(after.map(({ id }) => getTime(id))).toEqual(after.map(({ createdAt }) => createdAt));
      expect(after.slice(0, 2)).toEqual(before);
      expect(after.at(-1)?.createdAt).toBe(clock.now);
      expect(await used(place)).toBe(6);
      expect(await store.usage.count(place.teamId, getPeriod(clock.now + LEAP).start)).toBe(0);
      clock.now += MINUTE;
      ids.push(await keep(place));
      expect((await items(place)).at(-1)).toMatchObject({ id: ids.at(-1), createdAt: clock.now });
      expect(await store.clock.repair()).toBe(0);
    });

    test('keeps files, mails, notes and marks of submissions, which get new ids', async () => {
      const place = await makeForm();
      clock.now += LEAP;
      const mail: NewMail = {
        ...{ id: newId('mail'), kind: 'notification', recipient: 'o@x.example', addressee: null },
        messageId: '<a@x.example>',
      };
      const blob = newId('blob');
      const old = await keep(place, { blobs: [blob], mails: [mail] });
      const note = {
        id: newId('msg'),
        submissionId: old,
        formId: place.form.id,
        kind: 'note',
        authorId: 'usr_a',
      } as const;
      await store.messages.add({ ...note, body: Buffer.from('sealed') }, null, place.teamId);
      await store.inbox.markSpam([old], place.teamId);
      clock.now -= LEAP - HOUR;
      await store.clock.repair();
      const [{ id } = { id: '' }] = await items(place);
      expect([id === old, await store.submissions.find(old, place.teamId)]).toEqual([false, null]);
      expect(await store.submissions.find(id, place.teamId)).toMatchObject({ id, isSpam: true });
      expect((await store.inbox.listMailsOf(id)).map((one) => one.id)).toEqual([mail.id]);
      expect((await store.messages.list([id])).map((one) => one.id)).toEqual([note.id]);
      expect(await store.spam.findLearned([old, id])).toEqual([id]);
      expect(await store.retention.deleteSubmission(id, place.teamId)).toEqual([blob]);
      expect([await store.inbox.listMailsOf(id), await store.messages.list([id])]).toEqual([[], []]);
    });

    test('lets the clock date submissions again if those of the future were deleted', async () => {
      const place = await makeForm();
      clock.now += LEAP;
      const id = await keep(place);
      await store.retention.deleteSubmission(id, place.teamId);
      clock.now -= LEAP - HOUR;
      expect(await store.clock.repair()).toBe(0);
      clock.now += MINUTE;
      await keep(place);
      expect((await items(place)).map(({ createdAt }) => createdAt)).toEqual([clock.now]);
    });

    test('leaves each submission in the digest that covers it, and the others to the next one', async () => {
      const place = await makeForm();
      const summarize = () =>
        store.digests.queue([{ formId: place.form.id, digestUntil: clock.now, heldBackUntil: clock.now }]);
      await store.forms.update(place.form.id, { digest: 'hourly', notify: ['a@x.example'] });
      await summarize();
      clock.now += LEAP;
      const covered = [await keep(place), await keep(place)];
      clock.now += HOUR;
      expect(await summarize()).toBe(1);
      clock.now += MINUTE;
      const open = await keep(place);
      clock.now -= LEAP;
      await store.clock.repair();
      clock.now += HOUR;
      expect(await summarize()).toBe(1);
      const digests = (await store.mails.list({ state: null, limit: 100 })).filter(
        (mail): mail is typeof mail & Summary => mail.kind === 'digest' && mail.formId === place.form.id,
      );
      const coverage = await Promise.all(
        digests.map(async (digest) => {
          const found = await store.digests.listSubmissions(digest, { after: 0, limit: 10 });
          return found.map(({ id }) => getRandomPart(id));
        }),
      );
      expect(coverage.sort((a, b) => b.length - a.length)).toEqual([covered.map(getRandomPart), [getRandomPart(open)]]);
    });

    test('makes queued mails due', async () => {
      const place = await makeForm();
      clock.now += HOUR;
      const id = newId('mail');
      const mail: NewMail = {
        ...{ id, kind: 'notification', recipient: 'o@x.example', addressee: null },
        messageId: `<${id}@x.example>`,
      };
      await keep(place, { mails: [mail] });
      clock.now -= HOUR;
      const claim = async () => (await store.claims.mails(1000, MINUTE)).map((claimed) => claimed.id);
      expect(await claim()).not.toContain(id);
      await store.clock.repair();
      expect(await claim()).toContain(id);
    });

    test('lets a resting webhook try again, and deletes a deleted one after 30 days', async () => {
      const place = await makeForm();
      clock.now += LEAP;
      const future = { createdAt: clock.now, failingSince: clock.now, restUntil: clock.now + HOUR, failures: 10 };
      const [resting, deleted] = [newWebhook(place, future), newWebhook(place, future)];
      for (const webhook of [resting, deleted]) await store.webhooks.create(webhook, 10);
      const id = await keep(place);
      await store.webhooks.queuePast(resting.id, deliveriesForSubmission([resting], id));
      await store.webhooks.delete(deleted.id);
      clock.now -= LEAP - HOUR;
      const limits = { lanes: 1000, lanesPerTeam: 2, slowLanes: 4, lease: MINUTE, inFlight: [] };
      const claimed = async () => (await store.claims.deliveries(limits)).map(({ webhookId }) => webhookId);
      await store.clock.repair();
      expect(await claimed()).toContain(resting.id);
      const { now } = clock;
      expect(await store.webhooks.find(resting.id)).toMatchObject({
        createdAt: now,
        failingSince: now,
        restUntil: now,
      });
      clock.now += 30 * DAY + HOUR;
      await store.mails.prune();
      // The id is free again.
      await store.webhooks.create(deleted, 10);
      await store.webhooks.delete(deleted.id);
    });

    test('dates the last purge and password checks of the future now', async () => {
      const place = await makeForm();
      clock.now += LEAP;
      const user = await makeMember(place.teamId, 'owner');
      const times = { createdAt: clock.now, lastUsedAt: clock.now, expiresAt: clock.now + DAY };
      const of = {
        userId: user.id,
        teamId: null,
        isPending: false,
        method: 'password' as const,
        isMultiFactor: false,
        address: '',
        browser: '',
      };
      await store.sessions.create('checked', { id: newId('ses'), passwordAt: clock.now, ...of, ...times });
      await store.upkeep.purge();
      clock.now -= LEAP - HOUR;
      await store.clock.repair();
      expect((await store.sessions.find('checked'))?.session.passwordAt).toBe(clock.now);
      expect((await store.upkeep.readPurges()).purgedAt).toBe(clock.now);
    });

    test('shortens sessions and lets codes work again', async () => {
      const place = await makeForm();
      clock.now += LEAP;
      const user = await makeMember(place.teamId, 'owner');
      const times = { createdAt: clock.now, lastUsedAt: clock.now, expiresAt: clock.now + DAY };
      const session = {
        id: newId('ses'),
        userId: user.id,
        teamId: null,
        isPending: false,
        method: 'password' as const,
        isMultiFactor: false,
        passwordAt: 0,
        address: '',
        browser: '',
      };
      await store.sessions.create('session', { ...session, ...times });
      const step = Math.floor(clock.now / (30 * 1_000_000));
      await store.secondFactors.add(user.id, { secret: Buffer.from('s'), step, codeHashes: [] }, session.id);
      clock.now -= LEAP - HOUR;
      await store.clock.repair();
      expect((await store.sessions.find('session'))?.session).toMatchObject({
        createdAt: clock.now,
        lastUsedAt: clock.now,
        expiresAt: clock.now + DAY,
      });
      const pending = { ...session, ...times, isPending: true, id: newId('ses') };
      await store.sessions.create('pending', pending);
      const next = { step: Math.floor(clock.now / (30 * 1_000_000)) + 1 };
      const done = { ...pending, isPending: false, id: newId('ses') };
      expect(await store.secondFactors.complete(pending.id, next, 'done', done)).toBe(true);
    });
  });
}
