import { afterAll, describe, expect, test } from 'bun:test';
import type { NewMail, Summary } from '../../../../src/domain/mail/mail.ts';
import { HOUR, type Micros } from '../../../../src/lib/clock.ts';
import { newId } from '../../../../src/lib/ids.ts';
import type { NewSubmission } from '../../../../src/storage/records.ts';
import { type Engine, openFixture, type Place } from './fixture.ts';

/** Tests digests and spam summaries. */
export async function describeSummaries(engine: Engine): Promise<void> {
  const { store, clock, makeForm, submission } = await openFixture(engine);
  describe(`summaries in ${engine.name}`, () => {
    afterAll(() => store.close());

    const digesting = async () => {
      const place = await makeForm();
      await store.forms.update(place.form.id, { digest: 'hourly', notify: ['a@x.example', 'b@x.example'] });
      await queueSummaries(place);
      return place;
    };
    const queueSummaries = ({ form }: Place, digestUntil = clock.now) =>
      store.digests.queue([{ formId: form.id, digestUntil, heldBackUntil: clock.now }]);
    const keep = async (place: Place, parts: Partial<NewSubmission> = {}) => {
      const sent = { ...submission(place), ...parts };
      await store.queue.accept(sent);
      return sent.id;
    };
    const mailsOf = async ({ form }: Place) =>
      (await store.mails.list({ state: null, limit: 10_000 })).filter(({ formId }) => formId === form.id);
    const flagged = { isSpam: true, spamReasons: Buffer.from('sealed') };

    test('are queued once per recipient for the submissions in their period', async () => {
      const place = await digesting();
      clock.now += HOUR;
      const [first, second] = [await keep(place), await keep(place)];
      await keep(place, flagged);
      clock.now += HOUR;
      const queued = await Promise.all([queueSummaries(place), queueSummaries(place)]);
      expect(queued.toSorted()).toEqual([0, 4]);
      const mails = await mailsOf(place);
      expect(mails.map(({ kind, recipient }) => `${kind} ${recipient}`).sort()).toEqual([
        'digest a@x.example',
        'digest b@x.example',
        'held_back a@x.example',
        'held_back b@x.example',
      ]);
      const digest = mails.find(({ kind }) => kind === 'digest') as Summary;
      expect(await store.digests.countSubmissions(digest, 10)).toBe(2);
      expect(await store.digests.countSubmissions(digest, 1)).toBe(1);
      const page = (after: Micros) => store.digests.listSubmissions(digest, { after, limit: 1 });
      const [one] = await page(0);
      const [two] = await page(one?.createdAt ?? 0);
      expect([one?.id, two?.id, await page(two?.createdAt ?? 0)]).toEqual([first, second, []]);
    });

    test('leave out possible spam of forms that hold it', async () => {
      const place = await digesting();
      clock.now += HOUR;
      await keep(place);
      await keep(place, { isMaybeSpam: true, spamReasons: Buffer.from('sealed') });
      clock.now += HOUR;
      await queueSummaries(place);
      const digest = (await mailsOf(place)).find(({ kind }) => kind === 'digest') as Summary;
      expect(await store.digests.countSubmissions(digest, 10)).toBe(2);
      await store.forms.update(place.form.id, { maybeSpamAction: 'hold' });
      expect(await store.digests.countSubmissions(digest, 10)).toBe(1);
    });

    test('are not queued without submissions', async () => {
      const place = await digesting();
      clock.now += HOUR;
      expect(await queueSummaries(place)).toBe(0);
      expect(await store.digests.listProgress({ after: '', limit: 1_000 })).toContainEqual({
        id: place.form.id,
        digest: 'hourly',
        timeZone: 'UTC',
        digestedUntil: clock.now,
        heldBackUntil: clock.now,
      });
    });

    test('replace notifications and no other mails', async () => {
      const place = await digesting();
      const mail = (kind: NewMail['kind']) => ({
        id: newId('mail'),
        kind,
        recipient: null,
        addressee: kind,
        messageId: kind,
      });
      await keep(place, { mails: [mail('notification'), mail('auto_reply')] });
      expect((await mailsOf(place)).map(({ kind }) => kind)).toEqual(['auto_reply']);
    });

    test('cover submissions accepted after the clock went back, and none twice', async () => {
      const place = await digesting();
      await keep(place);
      clock.now += 5 * HOUR;
      await queueSummaries(place);
      clock.now -= 3 * HOUR;
      await keep(place);
      expect(await queueSummaries(place, clock.now - HOUR)).toBe(0);
      clock.now += 4 * HOUR;
      expect(await queueSummaries(place)).toBe(2);
      const mails = (await mailsOf(place)) as Summary[];
      expect(await Promise.all(mails.map((mail) => store.digests.countSubmissions(mail, 10)))).toEqual([1, 1, 1, 1]);
    });
  });
}
