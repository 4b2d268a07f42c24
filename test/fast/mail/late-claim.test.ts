import { expect, test } from 'bun:test';
import { DeliveryEngine } from '../../../src/delivery/engine.ts';
import { MailTransport } from '../../../src/delivery/mail/transport.ts';
import { HOUR, systemClock } from '../../../src/lib/clock.ts';
import { smtpMailer } from '../../../src/mail/smtp.ts';
import type { Store } from '../../../src/storage/store.ts';
import { startInstance } from '../../support/instance.ts';
import { startSmtp } from '../../support/smtp.ts';

/**
 * Returns a store whose second claim of a mail answers late: when a result was refused, before or after the caller
 * learns that. The answer of PostgreSQL to a claim can arrive at either time. `claimedAgain` resolves at the second claim.
 */
function withLateClaims(inner: Store, arrives: 'before' | 'after') {
  const refused = Promise.withResolvers<void>();
  const claimedAgain = Promise.withResolvers<void>();
  const store: Store = {
    ...inner,
    claims: {
      ...inner.claims,
      mails: async (...args) => {
        const mails = await inner.claims.mails(...args);
        if (!mails.some(({ fence }) => fence > 1)) return mails;
        claimedAgain.resolve();
        await refused.promise;
        return mails;
      },
    },
    mails: {
      ...inner.mails,
      recordResult: async (...args) => {
        const isRecorded = await inner.mails.recordResult(...args);
        if (isRecorded) return true;
        const nextTurn = new Promise((resolve) => setImmediate(resolve));
        if (arrives === 'after') nextTurn.then(() => refused.resolve());
        else refused.resolve();
        if (arrives === 'before') await nextTurn;
        return false;
      },
    },
  };
  return { store, claimedAgain: claimedAgain.promise };
}

test.each(['before', 'after'] as const)(
  'a mail that is claimed again when the clock jumps is sent once, if the claim arrives %s its result is refused',
  async (arrives) => {
    let ahead = 0;
    const clock = () => systemClock() + ahead;
    const smtp = await startSmtp();
    const env = { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' };
    const instance = await startInstance({ env, clock });
    const { mail, store, vault, blobs, log, config } = instance.context;
    await mail.outbox.stop();
    const { plans, baseUrl, mailAttachLimit: attachLimit } = config;
    const mailer = smtpMailer(smtp.url, 'forms@mail.example');
    const deps = {
      vault,
      blobs,
      log,
      clock,
      plans,
      baseUrl,
      attachLimit,
      mailer,
      hasServer: () => true,
      explain: String,
    };
    const late = withLateClaims(store, arrives);
    const engine = new DeliveryEngine(new MailTransport({ ...deps, store: late.store }), log);
    const held = Promise.withResolvers<undefined>();
    smtp.onMoment(({ stage }) => (stage === 'END' ? held.promise : undefined));
    const form = await instance.makeForm(instance.owner, { notify: ['ada@home.example'] });
    await instance.post(form.id, { message: 'Hello' });
    await engine.fill();
    await smtp.reached('END');
    ahead += HOUR;
    const again = engine.fill();
    await late.claimedAgain;
    held.resolve(undefined);
    await again;
    await engine.drain();
    expect(smtp.mails.map(({ to }) => to)).toEqual([['ada@home.example']]);
    expect((await store.mails.list({ state: null, limit: 10 })).map(({ state }) => state)).toEqual(['sent']);
    expect(engine.attempts).toEqual({ sent: 1, retried: 0, failed: 0 });
    await engine.stop();
    mailer.close();
    await instance.stop();
    await smtp.stop();
  },
);
