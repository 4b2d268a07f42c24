import type { Form } from '../../domain/forms/form.ts';
import { replyAddress } from '../../domain/mail/mail.ts';
import type { Payload } from '../../domain/submissions/submission.ts';
import { systemClock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { autoReplyMail } from '../../mail/auto-reply.ts';
import { submissionUrl } from '../../mail/dashboard-link.ts';
import { type MailLanguage, mailLocale } from '../../mail/locale.ts';
import type { Message } from '../../mail/mailer.ts';
import { notificationMail } from '../../mail/notification.ts';

/** The mails of a form that can be previewed. */
export type SampleKind = 'notification' | 'auto-reply';

/** A mail before it has a recipient. */
export type SampleMail = Omit<Message, 'to' | 'messageId' | 'date' | 'references'>;

/**
 * Composes the mail that the form would send about a submission with this payload. Returns null for the auto-reply of
 * a form without one.
 */
export function sampleMail(
  kind: SampleKind,
  form: Form,
  payload: Payload,
  { language, baseUrl }: Readonly<{ language: MailLanguage; baseUrl: string | null }>,
): SampleMail | null {
  if (kind === 'auto-reply') return form.autoReplyText === null ? null : autoReplyMail(form, payload);
  const submissionId = newId('sub');
  const notification = notificationMail({
    locale: mailLocale(language),
    form,
    receivedAt: systemClock(),
    unsubscribeUrl: null,
    url: submissionUrl(baseUrl, submissionId),
    payload,
    files: [],
    areFilesAttachable: true,
    replyTo: replyAddress(payload),
  });
  return { ...notification, attachments: [] };
}
