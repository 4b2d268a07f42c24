import { nextWebhookAttemptAt, REST_AFTER } from '../../domain/webhooks/webhook.ts';
import { type Clock, MINUTE, SECOND } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';
import { ShareExhaustedError } from '../../lib/outgoing-shares.ts';
import type { ClaimedDelivery, WebhookResult } from '../../storage/records.ts';
import type { Store } from '../../storage/store.ts';
import { openSettings, sealAttempt, sealSettings } from '../../vault/open-webhook.ts';
import { UnreadableRecordError } from '../../vault/vault.ts';
import type { Transport } from '../engine.ts';
import { getKind } from '../targets/index.ts';
import type { FormEvent } from './event.ts';
import type { Attempt } from './post.ts';
import { type SendDeps, sendEvent } from './send.ts';

export type WebhookDeps = SendDeps & Readonly<{ store: Store; clock: Clock; log: Logger }>;

/** Deliveries in flight: in all, for a team, and to endpoints that were slow last time. See `OutgoingShares`. */
const LANES = { lanes: 64, lanesPerTeam: 8, slowLanes: 48 };
/** Longer than an attempt can take. */
const LEASE = 2 * MINUTE;
/** Bytes kept of an endpoint's answer, and of the body sent. */
const MAX_KEPT_ANSWER = 1024;
const MAX_KEPT_BODY = 16 * 1024;

type Result = WebhookResult & Readonly<{ otherResults?: ReadonlyArray<readonly [ClaimedDelivery, WebhookResult]> }>;

/** Creates the transport that posts events to webhooks. */
export function webhookTransport(deps: WebhookDeps): Transport<ClaimedDelivery, Result> {
  const { store, clock, log } = deps;
  const recordOne = async (delivery: ClaimedDelivery, result: WebhookResult) => {
    const recorded = await store.deliveries.recordResult(delivery.id, delivery.fence, result);
    if (recorded) logResult(log, delivery, result, recorded.alert);
    return recorded !== null;
  };
  return {
    name: 'webhooks',
    // Each endpoint gets one delivery at a time, which a delay would slow down.
    claimDelayMs: 0,
    claim: (inFlight) => store.claims.deliveries({ ...LANES, lease: LEASE, inFlight }),
    attempt: (delivery, signal) => attemptDelivery(deps, delivery, signal),
    record: async (delivery, { otherResults = [], ...result }) => {
      for (const [other, shared] of otherResults) await recordOne(other, shared);
      return recordOne(delivery, result);
    },
    requeue: (delivery) => store.deliveries.recordResult(delivery.id, delivery.fence, requeued(clock())),
    logFields,
  };
}

/** Logs successes, and of an outage only its start and the times at which owners are told. */
function logResult(log: Logger, delivery: ClaimedDelivery, { state, status }: WebhookResult, isAlert: boolean): void {
  const fields = { ...logFields(delivery), status };
  if (state === 'sent') log.info('webhook delivered', fields);
  else if (isAlert) log.error('webhook keeps failing; see "formstead webhook deliveries"', fields);
  else if (delivery.webhook.failures === 0) log.warn('webhook failed, will retry', fields);
}

function logFields({ id, webhookId, event, submissionId }: ClaimedDelivery) {
  return { delivery: id, webhook: webhookId, event, submission: submissionId };
}

/** Makes one attempt and returns its outcome. Throws only for errors of the storage. */
async function attemptDelivery(deps: WebhookDeps, delivery: ClaimedDelivery, signal: AbortSignal): Promise<Result> {
  const { store, vault, clock } = deps;
  const event = await currentEvent(deps, delivery);
  if (!event) return settled(deps, delivery, OBSOLETE);
  try {
    const { webhook, id } = delivery;
    const settings = openSettings(vault, webhook);
    const room = (getKind(webhook.kind).batch ?? 1) - 1;
    const isBatch = room > 0 && delivery.event === 'submission.created' && webhook.failures < REST_AFTER;
    const more = isBatch ? await store.claims.moreDeliveries(delivery, room, LEASE) : [];
    const batch = await Promise.all(more.map(async (each) => [each, await currentEvent(deps, each)] as const));
    const events = batch.flatMap(([, other]) => other ?? []);
    const { request, attempt } = await deps.poster.network.shares.run('delivery', delivery.teamId, () =>
      sendEvent(deps, webhook, settings, { id, event }, { otherEvents: events, signal }),
    );
    if (attempt.settings) {
      // The vendor has replaced them, such as the id of a Telegram chat.
      const replaced = sealSettings(vault, webhook, { ...settings, ...attempt.settings });
      await store.webhooks.update(webhook.id, { settings: replaced });
    }
    const isCut = attempt.reason !== null && signal.aborted;
    const getResult = (each: ClaimedDelivery) =>
      isCut ? requeued(clock()) : toResult(deps, each, attempt, request?.body ?? '');
    const shared = batch.map(([each, other]) => {
      return [each, other ? { ...getResult(each), isShared: true } : settled(deps, each, OBSOLETE)] as const;
    });
    return { ...getResult(delivery), otherResults: shared };
  } catch (error) {
    // Lanes of an earlier claim may not have ended, such as after a jump of the clock.
    if (error instanceof ShareExhaustedError) return requeued(clock() + SECOND);
    if (!(error instanceof UnreadableRecordError)) throw error;
    return settled(deps, delivery, { state: 'dead', reason: `The settings of the webhook are ${error.message}.` });
  }
}

const OBSOLETE = { state: 'canceled', reason: 'The submission was deleted or marked as spam.' } as const;

/** Returns the event of a delivery from current data; null if its submission was deleted, or is spam and not wanted. */
async function currentEvent({ store }: WebhookDeps, delivery: ClaimedDelivery): Promise<FormEvent | null> {
  const { event: type, form, deleted, createdAt, submissionId, webhook } = delivery;
  const submission = submissionId && ((await store.mails.findSubmissionWithForm(submissionId))?.submission ?? null);
  const isMissing = !submission || (submission.isSpam && !webhook.includeSpam);
  if (type === 'submission.created' && isMissing) return null;
  return { type, form, submission: submission || null, deleted, createdAt };
}

function toResult(
  { vault, clock }: WebhookDeps,
  delivery: ClaimedDelivery,
  attempt: Attempt,
  body: string,
): WebhookResult {
  const { status, reason, durationMs, isTimeout, isGone, retryAt, limitsRate } = attempt;
  const record = sealAttempt(vault, delivery.id, {
    reason,
    answer: beginning(attempt.answer, MAX_KEPT_ANSWER),
    body: beginning(body, MAX_KEPT_BODY),
    bodyBytes: Buffer.byteLength(body),
  });
  const base = { reason: record, status, durationMs, isTimeout, isGone, pauseUntil: limitsRate ? retryAt : null };
  if (reason === null) return { ...base, state: 'sent', dueAt: null };
  const dueAt = nextWebhookAttemptAt(delivery.failures + 1, clock(), Math.random(), retryAt);
  return dueAt === null ? { ...base, state: 'dead', dueAt: null } : { ...base, state: 'retrying', dueAt };
}

function settled(
  { vault }: WebhookDeps,
  { id }: ClaimedDelivery,
  { state, reason }: Readonly<{ state: 'dead' | 'canceled'; reason: string }>,
): WebhookResult {
  const record = sealAttempt(vault, id, { reason, answer: '', body: '', bodyBytes: 0 });
  return { ...NO_ATTEMPT, state, dueAt: null, reason: record };
}

const requeued = (dueAt: number): WebhookResult => ({ ...NO_ATTEMPT, state: 'queued', dueAt, reason: null });

const NO_ATTEMPT = { status: null, durationMs: 0, isTimeout: false, isGone: false, pauseUntil: null };

/** Truncates a text to the stored length, at a character. */
function beginning(text: string, maxBytes: number): string {
  return Buffer.from(text)
    .subarray(0, maxBytes)
    .toString()
    .replace(/\ufffd$/, '');
}
