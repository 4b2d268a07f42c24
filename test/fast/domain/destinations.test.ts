import { describe, expect, test } from 'bun:test';
import { parseRecipientConditions, type When } from '../../../src/domain/forms/condition.ts';
import { getDestinations } from '../../../src/domain/forms/destinations.ts';
import type { Payload } from '../../../src/domain/submissions/submission.ts';
import type { WebhookEvent, WebhookRoute } from '../../../src/domain/webhooks/webhook.ts';

const PAYLOAD: Payload = [['topic', 'sales']];
const MET: When = [{ field: 'topic', is: 'sales' }];
const UNMET: When = [{ field: 'topic', is: 'support' }];
/** Conditions of a recipient or webhook: none, met ones, unmet ones; `absent` if there is no such route. */
const CASES = { always: [], met: MET, unmet: UNMET, absent: null } as const;
type Case = keyof typeof CASES;
const NAMES = Object.keys(CASES) as Case[];

const hook = (id: string, when: When, parts: Partial<WebhookRoute> = {}): WebhookRoute => {
  return { id, events: ['submission.created'], includeSpam: false, when, ...parts };
};
const form = (recipients: Readonly<Record<string, When>>, webhookRoutes: readonly WebhookRoute[]) => {
  return { notify: Object.keys(recipients), notifyWhen: recipients, webhookRoutes };
};
const shown = ({ recipients, webhooks, isFallback }: ReturnType<typeof getDestinations>) => {
  return { recipients, webhooks: webhooks.map(({ id }) => id), isFallback };
};
const decide = (of: ReturnType<typeof form>, { isSpam = false, hasMail = true, payload = PAYLOAD } = {}) =>
  shown(getDestinations(of, payload, { isSpam, hasMail }));

/** All pairs of recipients with all pairs of webhooks. */
const combinations = NAMES.flatMap((a) =>
  NAMES.flatMap((b) => NAMES.flatMap((c) => NAMES.map((d) => [a, b, c, d] as const))),
);

test.each(combinations)('recipients %s and %s, webhooks %s and %s', (ada, bob, one, two) => {
  const present = (name: string, which: Case) => (CASES[which] === null ? [] : [[name, CASES[which]] as const]);
  const recipients = [...present('ada', ada), ...present('bob', bob)];
  const webhooks = [...present('one', one), ...present('two', two)];
  const namesOf = (routes: typeof recipients) => routes.map(([name]) => name);
  const takes = ([, when]: readonly [string, When]) => when !== UNMET;
  const of = form(
    Object.fromEntries(recipients),
    webhooks.map(([id, when]) => hook(id, when)),
  );
  const [met, metHooks] = [recipients.filter(takes), webhooks.filter(takes)];
  const hasFallback = recipients.length > 0 || webhooks.length > 1;
  const isFallback = hasFallback && met.length + metHooks.length === 0;
  const expected = isFallback
    ? { recipients: namesOf(recipients), webhooks: recipients.length > 0 ? [] : namesOf(webhooks), isFallback }
    : { recipients: namesOf(met), webhooks: namesOf(metHooks), isFallback };
  expect(decide(of)).toEqual(expected);

  // Nobody is missed: a submission reaches at least one route, unless the only one is a webhook with a filter.
  if (hasFallback) {
    expect(expected.recipients.length + expected.webhooks.length).toBeGreaterThan(0);
  }
});

describe('the fallback', () => {
  test('goes to webhooks if no mail server is configured', () => {
    const of = form({ ada: UNMET }, [hook('one', UNMET), hook('two', UNMET)]);
    expect(decide(of, { hasMail: false })).toEqual({ recipients: [], webhooks: ['one', 'two'], isFallback: true });
    expect(decide(form({ ada: MET }, []), { hasMail: false })).toEqual({
      recipients: [],
      webhooks: [],
      isFallback: false,
    });
  });

  test('does not apply to the only webhook of a form, whose conditions are a filter', () => {
    const of = form({}, [hook('one', UNMET)]);
    expect(decide(of)).toEqual({ recipients: [], webhooks: [], isFallback: false });
  });

  test('leaves out webhooks that do not take submissions', () => {
    const events: WebhookEvent[] = ['submission.deleted'];
    const of = form({}, [hook('deleted', [], { events }), hook('one', UNMET), hook('two', UNMET)]);
    expect(decide(of)).toEqual({ recipients: [], webhooks: ['one', 'two'], isFallback: true });
  });

  test('for spam is the same, without recipients and webhooks that exclude spam', () => {
    const spam = { includeSpam: true };
    const hooks = [hook('genuine', UNMET), hook('all', UNMET, spam)];
    expect(decide(form({}, hooks), { isSpam: true })).toEqual({ recipients: [], webhooks: ['all'], isFallback: true });
    expect(decide(form({ ada: UNMET }, hooks), { isSpam: true }).webhooks).toEqual([]);
    const met = [hook('genuine', MET), hook('all', UNMET, spam)];
    expect(decide(form({}, met), { isSpam: true })).toEqual({ recipients: [], webhooks: [], isFallback: false });
    expect(decide(form({ ada: [] }, [hook('all', [], spam)]), { isSpam: true }).recipients).toEqual([]);
  });
});

describe('conditions of recipients', () => {
  const RECIPIENTS = ['Ada@example.com', 'bob@xn--bcher-kva.example'];

  test('are found by address in any case and notation', () => {
    const text = JSON.stringify({ 'ada@EXAMPLE.com': MET, 'bob@bücher.example': UNMET[0] });
    expect(parseRecipientConditions(text, RECIPIENTS)).toEqual({
      'Ada@example.com': MET,
      'bob@xn--bcher-kva.example': UNMET,
    });
    expect(parseRecipientConditions('{"ada@example.com": []}', RECIPIENTS)).toEqual({});
  });

  test.each([
    ['{"eve@example.com": []}', /"eve@example.com" has conditions but is no recipient.*Add it/],
    ['{"__proto__": []}', /"__proto__" has conditions but is no recipient/],
    ['{"ada@example.com": [{"field": "topic"}]}', /Each condition needs a field and one of/],
    ['[]', /must be JSON such as {"ada@example.com"/],
    ['nonsense', /must be JSON such as/],
    ['null', /must be JSON such as/],
  ])('%s is refused', (text, message) => {
    expect(() => parseRecipientConditions(text, RECIPIENTS)).toThrow(message);
  });
});
