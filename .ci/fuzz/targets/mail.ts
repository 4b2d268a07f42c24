import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { DEFAULT_SETTINGS, type Form } from '../../../src/domain/forms/form.ts';
import { replyAddress } from '../../../src/domain/mail/mail.ts';
import type { Payload } from '../../../src/domain/submissions/submission.ts';
import { autoReplyMail } from '../../../src/mail/auto-reply.ts';
import { attachmentName } from '../../../src/mail/compose.ts';
import { mailLocale } from '../../../src/mail/locale.ts';
import type { Message } from '../../../src/mail/mailer.ts';
import { notificationMail } from '../../../src/mail/notification.ts';
import { smtpMailer } from '../../../src/mail/smtp.ts';
import { expectClean } from '../../../test/fast/mail/clean.ts';
import { OWNER, parsed, SENDER } from '../../../test/fast/mail/mailing.ts';
import { startSmtp } from '../../../test/support/smtp.ts';
import { FILE_NAMES, NAMES, VALUES } from '../hostile.ts';
import { mutatedText } from '../mutations.ts';
import type { Choices, Prng } from '../prng.ts';
import type { Target } from '../target.ts';

const WORDS: Choices<string> = [
  ...([
    '\r\nBcc: eve@evil.example',
    '\nX-Evil: yes',
    '\r\n\r\n<b>',
    '\r\n.\r\n',
    '=?UTF-8?Q?=0D=0ABcc:_x?=',
    '?=',
  ] as const),
  ...(['\u2028', '\u0085', '\u202e', '\0', '"', '<', '>', '(', ',', ';', '\\', '%0D%0A', '\ud800', 'я💌'] as const),
  ...(['{{name}}', '{{email}}', '\r\n--_NmP', 'charset=', '\u200b', 'x'.repeat(1_000), '💌'.repeat(100)] as const),
];
const ADDRESSES: Choices<string> = [
  'ada@visitor.example',
  '"a b"@x.example',
  'a@b@c.example',
  'ada@bücher.example',
  'a,b@x.example',
];
const TYPES: Choices<string> = ['text/plain', 'image/png', 'application/octet-stream', 'text/html'];

export const mail: Target = {
  name: 'mail',
  about: 'a mail has one recipient and no injected header, and another parser reads it unchanged',
  inputs: 20_000,
  concurrency: 8,
  open: async () => {
    const smtp = await startSmtp();
    const mailer = smtpMailer(smtp.url, `Forms <${SENDER}>`);
    return {
      check: async (prng) => {
        const composed = message(prng);
        deepStrictEqual(await mailer.send(composed), { outcome: 'sent' });
        const received = smtp.mails.findLast(({ messageId }) => messageId === composed.messageId);
        if (!received) throw new Error('no mail arrived');
        const arrived = await parsed(received);
        expectClean(arrived, composed.to);
        strictEqual(arrived.mail.subject, composed.subject);
        strictEqual(
          arrived.mail.replyTo?.map(({ address }) => smallDomain(address)).join() ?? '',
          smallDomain(composed.replyTo ?? undefined),
        );
        strictEqual(lines(arrived.mail.text), lines(composed.text));
        strictEqual(lines(arrived.mail.html), lines(composed.html));
        const attached = arrived.mail.attachments.map(({ filename, mimeType, content }) => [
          filename,
          mimeType,
          Buffer.from(content as ArrayBuffer).toString('latin1'),
        ]);
        deepStrictEqual(
          attached,
          await Promise.all(
            composed.attachments.map(async ({ name, contentType, bytes }) => [
              name,
              contentType,
              Buffer.concat(await Array.fromAsync(bytes)).toString('latin1'),
            ]),
          ),
        );
        return composed.autoSubmitted;
      },
      close: async () => {
        mailer.close();
        await smtp.stop();
        return [];
      },
    };
  },
};

/** Generates the payload of a visitor. */
function hostileText(prng: Prng): string {
  return mutatedText(
    prng.pick(['Ada', 'a value', prng.pick(VALUES), prng.pick(ADDRESSES)]),
    prng,
    prng.below(3),
    WORDS,
  );
}

function message(prng: Prng): Message {
  const names = prng.list(4, () => prng.pick(NAMES));
  const payload: Payload = [...new Set([...names, 'email', '_subject', 'name'])].map((name) => [
    name,
    name === 'email' && prng.oneIn(2)
      ? prng.pick(ADDRESSES)
      : prng.oneIn(8)
        ? [hostileText(prng), 1, { a: hostileText(prng) }]
        : hostileText(prng),
  ]);
  const form: Form = {
    ...DEFAULT_SETTINGS,
    webhookRoutes: [],
    archivedAt: null,
    trashedAt: null,
    ...{ id: 'frm_x', shortId: 'x', workspaceId: 'wsp_x', isActive: true, createdAt: 0 },
    name: hostileText(prng).slice(0, 200) || 'Contact',
    notify: [OWNER],
    autoReplySubject: prng.pick([null, 'Thanks {{name}}', '{{_subject}}']),
    autoReplyText: 'Dear {{name}},\n\nthanks for {{ a }} and {{email}}.',
  };
  const contents = prng.list(2, () => prng.bytes(prng.below(200)));
  const attachments = contents.map((bytes, index) => ({
    name: attachmentName({ name: mutatedText(prng.pick(FILE_NAMES), prng, prng.below(3), WORDS), id: `file_${index}` }),
    contentType: prng.pick(TYPES),
    size: bytes.length,
    bytes: { [Symbol.asyncIterator]: () => [bytes][Symbol.iterator]() } as unknown as AsyncIterable<Uint8Array>,
  }));
  const replyTo = replyAddress(payload);
  const envelope = {
    to: OWNER,
    messageId: `<${prng.word()}@mail.example>`,
    date: 1_795_248_000_000_000,
    references: null,
  };
  if (prng.oneIn(3)) return { ...envelope, ...autoReplyMail(form, payload) };
  const files = attachments.map(({ name, contentType }, index) => ({
    ...{ id: `file_${index}`, field: 'a', name, contentType, size: 1, sha256: '', blob: '', key: '' },
  }));
  return {
    ...envelope,
    attachments,
    ...notificationMail({
      locale: mailLocale(prng.pick(['en', 'de'])),
      form,
      receivedAt: 0,
      unsubscribeUrl: null,
      url: 'https://x.example/s',
      payload,
      files,
      areFilesAttachable: true,
      replyTo,
    }),
  };
}

/** Normalizes line breaks and removes trailing ones. */
/** Lowercases the host name of an address, since mailers may change its case. */
function smallDomain(address = ''): string {
  return address.replace(/@[^@]*$/, (domain) => domain.toLowerCase());
}

function lines(text = ''): string {
  return text.replace(/\r\n?/g, '\n').trimEnd();
}
