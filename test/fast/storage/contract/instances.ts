import { afterAll, describe, expect, test } from 'bun:test';
import { MINUTE, SECOND } from '../../../../src/lib/clock.ts';
import { newId } from '../../../../src/lib/ids.ts';
import { type Engine, newWebhook, openFixture } from './fixture.ts';

const THIS = { host: 'forms-1', pid: 4242, version: '1.2.0', keyId: 7 };
const OTHER = { host: 'forms-2', pid: 1, version: '1.3.0', keyId: 7 };

/** Tests serving processes and their claims. */
export async function describeInstances(engine: Engine): Promise<void> {
  const { store, clock, makeForm, submission, open } = await openFixture(engine);
  const openOther = () =>
    open(
      () => clock.now,
      () => null,
    );

  describe(`instances in ${engine.name}`, () => {
    afterAll(() => store.close());

    /** Queues a mail and a delivery to a webhook. */
    const queueBoth = async () => {
      const place = await makeForm();
      const webhook = newWebhook(place);
      await store.webhooks.create(webhook, 1);
      const [mailId, deliveryId] = [newId('mail'), newId('dlv')];
      const mail = { id: mailId, kind: 'notification', recipient: 'o@x.example', addressee: null } as const;
      const one = submission(place);
      const delivery = {
        webhookId: webhook.id,
        event: 'submission.created',
        submissionId: one.id,
        deleted: null,
      } as const;
      await store.queue.accept({
        ...one,
        mails: [{ ...mail, messageId: mailId }],
        deliveries: [{ ...delivery, id: deliveryId }],
      });
    };
    /** Claims the mails and deliveries that are due. */
    const claim = async (by: typeof store) => {
      const limits = { lanes: 8, lanesPerTeam: 8, slowLanes: 8, inFlight: [], lease: MINUTE };
      return [await by.claims.mails(8, MINUTE), await by.claims.deliveries(limits)].flat();
    };

    test('are listed while they serve', async () => {
      expect(await store.instances.list()).toEqual([]);
      await store.instances.beat(THIS);
      await store.instances.beat(THIS);
      const listed = { ...THIS, id: expect.stringMatching(/^ins_/), startedAt: clock.now, seenAt: clock.now };
      expect(await store.instances.list()).toEqual([listed]);
      await store.instances.beat({ ...THIS, keyId: 8 });
      expect(await store.instances.list()).toEqual([{ ...listed, keyId: 8 }]);
      await store.instances.leave();
      await store.instances.leave();
      expect(await store.instances.list()).toEqual([]);
    });

    test('that serve alone lead', async () => {
      expect([await store.instances.lead(), await store.instances.lead()]).toEqual([true, true]);
    });

    test('keep their claims while they are alive, and lose them to the next process after their death', async () => {
      const first = await openOther();
      await first.instances.beat(THIS);
      await queueBoth();
      const claimed = await claim(first);
      expect(claimed).toHaveLength(2);
      await first.instances.beat(THIS);
      expect(await claim(first)).toEqual([]);

      clock.now += 6 * SECOND;
      const next = await openOther();
      await next.instances.beat(OTHER);
      expect(await store.instances.list()).toMatchObject([OTHER]);
      const records = () =>
        Promise.all(claimed.map(({ id, fence }) => first.mails.recordResult(id, fence, { state: 'sent' })));
      expect(await records()).toEqual([false, false]);
      expect((await claim(next)).map(({ id }) => id)).toEqual(claimed.map(({ id }) => id));
      expect(await records()).toEqual([false, false]);
      expect(await claim(next)).toEqual([]);
      await next.instances.leave();
      await Promise.all([first.close(), next.close()]);
    });
  });
}
