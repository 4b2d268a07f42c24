import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { getDestinations } from '../../../../src/domain/forms/destinations.ts';
import { deliveriesForSubmission, type Webhook } from '../../../../src/domain/webhooks/webhook.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src/lib/clock.ts';
import { newId } from '../../../../src/lib/ids.ts';
import type { ClaimedDelivery, WebhookResult } from '../../../../src/storage/records.ts';
import { type Engine, newWebhook, openFixture, type Place } from './fixture.ts';

const LIMITS = { lanes: 8, lanesPerTeam: 2, slowLanes: 4, lease: MINUTE };

const ATTEMPT = { reason: Buffer.from('sealed'), durationMs: 12, isTimeout: false, isGone: false, pauseUntil: null };
const DELIVERED: WebhookResult = { ...ATTEMPT, state: 'sent', dueAt: null, status: 200 };
const failed = (dueAt: number, parts: Partial<WebhookResult> = {}): WebhookResult => ({
  ...ATTEMPT,
  state: 'retrying',
  dueAt,
  status: 500,
  ...parts,
});

/** Tests webhooks and their deliveries. */
export async function describeWebhooks(engine: Engine): Promise<void> {
  const { store, clock, makeForm, makeMember, submission } = await openFixture(engine);
  describe(`webhooks in ${engine.name}`, () => {
    afterAll(() => store.close());

    const open: Webhook[] = [];
    beforeEach(async () => {
      for (const { id } of open.splice(0)) await store.webhooks.delete(id);
    });

    const hook = async (place: Place, parts: Partial<Webhook> = {}): Promise<Webhook> => {
      const webhook = newWebhook(place, { createdAt: clock.now, ...parts });
      await store.webhooks.create(webhook, 10);
      open.push(webhook);
      return webhook;
    };
    const post = async ({ form, ...place }: Place, parts: { isSpam?: boolean } = {}) => {
      const current = (await store.forms.findPublic(form.id)) ?? form;
      const { webhooks } = getDestinations(current, [], { isSpam: parts.isSpam ?? false, hasMail: false });
      const deliveries = deliveriesForSubmission(webhooks, 'sub_unknown');
      const sent = { ...submission({ form, ...place }), ...parts, deliveries };
      await store.queue.accept(sent);
      return sent.id;
    };
    const claim = (inFlight: readonly ClaimedDelivery[] = [], limits = LIMITS) =>
      store.claims.deliveries({ ...limits, inFlight });
    const log = async ({ id }: Webhook) =>
      (await store.deliveries.list(id, { before: null, limit: 100 })).map(({ event, state, attempts }) => [
        event,
        state,
        attempts,
      ]);

    test('a form lists the routes of its webhooks, and has a limit of them', async () => {
      const place = await makeForm();
      const first = await hook(place, { when: [{ field: 'a', is: 'b' }] });
      const second = await hook(place, { includeSpam: true });
      const routes = async () => (await store.forms.findPublic(place.form.id))?.webhookRoutes;
      const routeOf = ({ id, events, includeSpam, when }: Webhook) => ({ id, events, includeSpam, when });
      expect(await routes()).toEqual([routeOf(first), routeOf(second)]);
      await store.webhooks.update(first.id, { events: ['submission.deleted'] });
      await store.webhooks.delete(second.id);
      expect(await routes()).toEqual([{ ...routeOf(first), events: ['submission.deleted'] }]);
      await expect(store.webhooks.create({ ...first, id: newId('whk') }, 1)).rejects.toThrow('at most 1');
    });

    test('another team finds, changes and deletes nothing', async () => {
      const [place, stranger] = [await makeForm(), await makeForm()];
      const { id } = await hook(place);
      expect(await store.webhooks.find(id, stranger.teamId)).toBeNull();
      expect(await store.webhooks.update(id, { body: 'thin' }, stranger.teamId)).toBeNull();
      expect(await store.webhooks.delete(id, stranger.teamId)).toBe(false);
      expect((await store.webhooks.find(id, place.teamId))?.body).toBe('full');
    });

    test('deliveries of one webhook are claimed one at a time, in order', async () => {
      const place = await makeForm();
      await hook(place);
      const sent = [await post(place), await post(place), await post(place)];
      for (const id of sent) {
        const [delivery, ...others] = await claim();
        expect([delivery?.submissionId, others, await claim()]).toEqual([id, [], []]);
        await store.deliveries.recordResult(delivery?.id ?? '', delivery?.fence ?? 0, DELIVERED);
      }
      expect(await claim()).toEqual([]);
    });

    test('a failed delivery waits for its time and lets later ones pass', async () => {
      const place = await makeForm();
      const webhook = await hook(place);
      const [first, second] = [await post(place), await post(place)];
      const [failing] = await claim();
      expect(failing?.submissionId).toBe(first);
      await store.deliveries.recordResult(failing?.id ?? '', failing?.fence ?? 0, failed(clock.now + MINUTE));
      const [next] = await claim();
      expect(next?.submissionId).toBe(second);
      await store.deliveries.recordResult(next?.id ?? '', next?.fence ?? 0, DELIVERED);
      expect(await claim()).toEqual([]);
      clock.now += MINUTE;
      const [again] = await claim();
      expect([again?.id, again?.failures]).toEqual([failing?.id, 1]);
      expect(await log(webhook)).toEqual([
        ['submission.created', 'delivered', 1],
        ['submission.created', 'retrying', 1],
      ]);
    });

    test('a team uses two lanes, slow endpoints four, and all eight', async () => {
      const places = await Promise.all(Array.from({ length: 6 }, () => makeForm()));
      for (const place of places) {
        for (let count = 0; count < 3; count++) await hook(place);
        await post(place);
      }
      const claimed = await claim();
      expect(claimed.length).toBe(8);
      const teams = claimed.map(({ teamId }) => teamId);
      expect(Math.max(...teams.map((id) => teams.filter((other) => other === id).length))).toBe(2);
      for (let batch = claimed; batch.length > 0; batch = await claim()) {
        for (const { id, fence } of batch) {
          await store.deliveries.recordResult(id, fence, failed(clock.now + MINUTE, { isTimeout: true }));
        }
      }
      clock.now += MINUTE;
      const slow = await claim();
      expect([slow.length, slow.every(({ isSlow }) => isSlow)]).toEqual([4, true]);
    });

    test('teams take turns, however many older deliveries one has', async () => {
      const [crowd, other] = [await makeForm(), await makeForm()];
      for (let count = 0; count < 6; count++) await hook(crowd);
      await post(crowd);
      await hook(other);
      const late = await post(other);
      const one = { ...LIMITS, lanes: 1, lanesPerTeam: 1 };
      const served: Array<string | null> = [];
      for (let turn = 0; turn < 2; turn++) {
        const [delivery] = await claim([], one);
        served.push(delivery?.submissionId ?? null);
        await store.deliveries.recordResult(delivery?.id ?? '', delivery?.fence ?? 0, DELIVERED);
      }
      expect(served[1]).toBe(late);
    });

    test('an endpoint that takes more than two seconds is slow until it is faster', async () => {
      const place = await makeForm();
      const webhook = await hook(place);
      const slowAfter = async (durationMs: number) => {
        await post(place);
        const [delivery] = await claim();
        await store.deliveries.recordResult(delivery?.id ?? '', delivery?.fence ?? 0, { ...DELIVERED, durationMs });
        await post(place);
        const [next] = await claim();
        await store.deliveries.recordResult(next?.id ?? '', next?.fence ?? 0, { ...DELIVERED, durationMs });
        return next?.webhookId === webhook.id && next.isSlow;
      };
      expect([await slowAfter(2_000), await slowAfter(2_001), await slowAfter(10)]).toEqual([false, true, false]);
    });

    test('an endpoint rests after ten failures, probes with one delivery, and the others keep their tries', async () => {
      const place = await makeForm();
      const webhook = await hook(place);
      for (let count = 0; count < 12; count++) await post(place);
      for (let count = 0; count < 10; count++) {
        const [delivery] = await claim();
        await store.deliveries.recordResult(delivery?.id ?? '', delivery?.fence ?? 0, failed(clock.now + 5 * SECOND));
      }
      clock.now += 10 * SECOND;
      expect(await claim()).toEqual([]);
      const probed = new Set<string>();
      for (let count = 0; count < 3; count++) {
        clock.now = (await store.webhooks.find(webhook.id))?.restUntil ?? 0;
        const [probe, ...others] = await claim();
        expect(others).toEqual([]);
        probed.add(probe?.id ?? '');
        await store.deliveries.recordResult(probe?.id ?? '', probe?.fence ?? 0, failed(clock.now + MINUTE));
      }
      expect(probed.size).toBe(1);
      clock.now = (await store.webhooks.find(webhook.id))?.restUntil ?? 0;
      const [probe] = await claim();
      await store.deliveries.recordResult(probe?.id ?? '', probe?.fence ?? 0, DELIVERED);
      const { failures, restUntil } = (await store.webhooks.find(webhook.id)) ?? webhook;
      expect([failures, restUntil, (await claim()).length]).toEqual([0, null, 1]);
    });

    test('owners are told after an hour and a day of rests, and after five days the webhook is disabled', async () => {
      const place = await makeForm();
      const webhook = await hook(place);
      await post(place);
      const begun = clock.now;
      const alerts: number[] = [];
      for (let count = 0; count < 60; count++) {
        const [delivery] = await claim();
        if (!delivery) break;
        const result = await store.deliveries.recordResult(delivery.id, delivery.fence, failed(clock.now));
        if (result?.alert) alerts.push(clock.now - begun);
        clock.now = (await store.webhooks.find(webhook.id))?.restUntil ?? clock.now;
      }
      const found = await store.webhooks.find(webhook.id);
      expect([found?.isActive, found?.disabledReason]).toEqual([false, 'failing']);
      expect(alerts.length).toBe(3);
      const [first = 0, second = 0, third = 0] = alerts;
      expect([
        first <= 2 * HOUR,
        second >= 12 * HOUR && second <= 30 * HOUR,
        third >= 4 * DAY && third <= 6 * DAY,
      ]).toEqual([true, true, true]);
      expect(await log(webhook)).toEqual([['submission.created', 'retrying', expect.any(Number)]]);
      await store.webhooks.update(webhook.id, { isActive: true });
      expect((await claim()).length).toBe(1);
    });

    test('an endpoint that is gone is disabled at once, and its deliveries stay queued', async () => {
      const place = await makeForm();
      const webhook = await hook(place);
      await post(place);
      const [delivery] = await claim();
      const result = failed(clock.now + MINUTE, { status: 410, isGone: true });
      expect(await store.deliveries.recordResult(delivery?.id ?? '', delivery?.fence ?? 0, result)).toEqual({
        alert: true,
      });
      await post(place);
      clock.now += HOUR;
      expect([await claim(), (await store.webhooks.find(webhook.id))?.disabledReason]).toEqual([[], 'gone']);
      expect((await log(webhook)).length).toBe(2);
    });

    test('webhooks of a form that fail at the same time are in one mail to each owner', async () => {
      const place = await makeForm();
      const owner = await makeMember(place.teamId, 'owner');
      const webhooks = await Promise.all(Array.from({ length: 6 }, () => hook(place)));
      await post(place);
      const deliveries = await claim([], { ...LIMITS, lanesPerTeam: webhooks.length });
      expect(deliveries.length).toBe(webhooks.length);
      const result = failed(clock.now + MINUTE, { isGone: true });
      await Promise.all(deliveries.map(({ id, fence }) => store.deliveries.recordResult(id, fence, result)));
      const mails = await store.mails.list({ state: 'queued', limit: 100 });
      const alerts = mails.filter(({ kind, formId }) => kind === 'webhook_failing' && formId === place.form.id);
      expect(alerts.map(({ recipient }) => recipient)).toEqual([owner.email]);
    });

    test('a paused webhook keeps its deliveries, and deleting it cancels them', async () => {
      const place = await makeForm();
      const webhook = await hook(place, { isActive: false });
      await post(place);
      expect(await claim()).toEqual([]);
      expect(await store.webhooks.delete(webhook.id)).toBe(true);
      expect(await log(webhook)).toEqual([['submission.created', 'canceled', 0]]);
      await post(place);
      expect((await log(webhook)).length).toBe(1);
    });

    test('a delivery that is canceled because of spam is queued again, under its id, when the mark is undone', async () => {
      const place = await makeForm();
      const webhook = await hook(place);
      const gone = await hook(place);
      const id = await post(place);
      await store.webhooks.delete(gone.id);
      const mark = (isSpam: boolean) => store.submissions.mark(id, isSpam, [], []);
      const cancel = async () => {
        const [delivery] = await claim();
        const result = { ...ATTEMPT, state: 'canceled', dueAt: null, status: null } as const;
        await store.deliveries.recordResult(delivery?.id ?? '', delivery?.fence ?? 0, result);
        return delivery?.id;
      };
      await mark(true);
      const canceled = await cancel();
      expect((await log(webhook)).map(([, state]) => state)).toEqual(['canceled']);
      await mark(false);
      // Canceled although it is genuine again: the mark was undone during the attempt.
      expect(await cancel()).toBe(canceled as string);
      expect((await log(webhook)).map(([, state]) => state)).toEqual(['queued']);
      expect((await log(gone)).map(([, state]) => state)).toEqual(['canceled']);
      expect((await claim()).map((delivery) => delivery.id)).toEqual([canceled as string]);
    });

    test('a delivery for a webhook that was deleted meanwhile is not written, and the submission is stored', async () => {
      const place = await makeForm();
      const webhook = await hook(place);
      const sent = submission(place);
      const deliveries = deliveriesForSubmission([webhook], sent.id);
      await store.webhooks.delete(webhook.id);
      expect((await store.queue.accept({ ...sent, deliveries })).outcome).toBe('stored');
      expect(await log(webhook)).toEqual([]);
    });

    test('spam is delivered only if asked for, and once when it is released', async () => {
      const place = await makeForm();
      const [genuine, all] = [await hook(place), await hook(place, { includeSpam: true })];
      const id = await post(place, { isSpam: true });
      expect([await log(genuine), (await log(all)).length]).toEqual([[], 1]);
      const deliveries = deliveriesForSubmission([genuine, all], id);
      await store.submissions.mark(id, false, [], deliveries);
      await store.submissions.mark(id, true, [], []);
      await store.submissions.mark(id, false, [], deliveriesForSubmission([genuine, all], id));
      expect([(await log(genuine)).length, (await log(all)).length]).toEqual([1, 1]);
    });

    test('deleting a submission removes its deliveries and tells webhooks that want to know', async () => {
      const place = await makeForm();
      const webhook = await hook(place, { events: ['submission.created', 'submission.deleted'] });
      const [single, old] = [await post(place), await post(place)];
      await store.retention.deleteSubmission(single, place.teamId);
      await store.retention.deleteOlder(place.form.id, Number.MAX_SAFE_INTEGER);
      const found = await store.deliveries.list(webhook.id, { before: null, limit: 10 });
      expect(found.map(({ event, deleted }) => [event, deleted?.id]).sort()).toEqual(
        [single, old].map((id) => ['submission.deleted', id]).sort(),
      );
    });

    test('reaching the plan limit is told once to webhooks of all forms of the team', async () => {
      const place = await makeForm();
      await store.teams.update(place.teamId, { plan: 'hundred' });
      const webhook = await hook(place, { events: ['form.cap_reached'] });
      for (let count = 0; count < 101; count++) await post(place);
      expect(await log(webhook)).toEqual([['form.cap_reached', 'queued', 0]]);
    });

    test('a delivery is sent again under its id, alone or with all failed ones', async () => {
      const place = await makeForm();
      const webhook = await hook(place);
      const sent = [await post(place), await post(place), await post(place)];
      const ids: string[] = [];
      for (const [index] of sent.entries()) {
        const [delivery] = await claim();
        ids.push(delivery?.id ?? '');
        const result: WebhookResult = index === 0 ? DELIVERED : { ...ATTEMPT, state: 'dead', dueAt: null, status: 500 };
        await store.deliveries.recordResult(delivery?.id ?? '', delivery?.fence ?? 0, result);
      }
      expect(await store.deliveries.redeliver({ id: ids[0] ?? '' })).toBe(1);
      expect(await store.deliveries.redeliver({ webhookId: webhook.id })).toBe(2);
      expect((await log(webhook)).map(([, state]) => state)).toEqual(['queued', 'queued', 'queued']);
      const [again] = await claim();
      expect(ids).toContain(again?.id ?? '');
    });

    test('past submissions are queued once for a new endpoint', async () => {
      const place = await makeForm();
      const sent = [await post(place), await post(place)];
      const webhook = await hook(place);
      const past = () => sent.flatMap((id) => deliveriesForSubmission([webhook], id));
      expect(await store.webhooks.queuePast(webhook.id, past())).toBe(2);
      const first = (await store.deliveries.list(webhook.id, { before: null, limit: 10 })).map(({ id }) => id);
      expect(await store.webhooks.queuePast(webhook.id, past())).toBe(2);
      expect((await store.deliveries.list(webhook.id, { before: null, limit: 10 })).map(({ id }) => id)).toEqual(first);
      expect((await claim())[0]?.submissionId).toBe(sent[0] ?? '');
      await store.retention.deleteSubmission(sent[1] ?? '', place.teamId);
      expect(await store.webhooks.queuePast(webhook.id, past())).toBe(1);
    });

    test('submissions sent once more are delivered in the given order, whatever the ids of their deliveries', async () => {
      const place = await makeForm();
      const sent = [await post(place), await post(place), await post(place)];
      const webhook = await hook(place);
      const newestFirst = sent.toReversed().flatMap((id) => deliveriesForSubmission([webhook], id));
      await store.webhooks.queuePast(webhook.id, newestFirst.toReversed());
      const order: Array<string | null | undefined> = [];
      for (const _ of sent) {
        const [delivery] = await claim();
        order.push(delivery?.submissionId);
        await store.deliveries.recordResult(delivery?.id ?? '', delivery?.fence ?? 0, DELIVERED);
      }
      expect(order).toEqual(sent);
    });

    test('only the holder of the latest lease can record a result', async () => {
      const place = await makeForm();
      await hook(place);
      await post(place);
      const [first] = await claim();
      clock.now += 2 * MINUTE;
      const [second] = await claim();
      expect(second?.id).toBe(first?.id ?? '');
      expect(await store.deliveries.recordResult(first?.id ?? '', first?.fence ?? 0, DELIVERED)).toBeNull();
      expect(await store.deliveries.recordResult(second?.id ?? '', second?.fence ?? 0, DELIVERED)).toEqual({
        alert: false,
      });
    });

    test('deliveries are no mails, and are deleted after 30 days together with deleted webhooks', async () => {
      const place = await makeForm();
      const webhook = await hook(place);
      const id = await post(place);
      const isOfForm = ({ formId }: Readonly<{ formId: string | null }>) => formId === place.form.id;
      const mails = [
        await store.inbox.listMailsOf(id),
        await store.mails.listOfTeam(place.teamId, { state: 'queued', before: null, limit: 10 }),
        (await store.mails.list({ state: null, limit: 100 })).filter(isOfForm),
        (await store.claims.mails(100, MINUTE)).filter(isOfForm),
      ];
      expect(mails).toEqual([[], [], [], []]);
      await store.webhooks.delete(webhook.id);
      clock.now += 31 * DAY;
      await store.mails.prune();
      expect(await log(webhook)).toEqual([]);
    });
  });
}
