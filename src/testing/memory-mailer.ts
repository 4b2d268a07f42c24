import type { Mailer, Message } from '../mail/mailer.ts';

/** The parts of a mail that tests compare. */
export type KeptMail = Readonly<Pick<Message, 'to' | 'replyTo' | 'subject' | 'text' | 'html'>>;

/** Mailer that keeps mails in memory instead of sending them. */
export class MemoryMailer implements Mailer {
  /** Mails, oldest first. */
  mails: KeptMail[] = [];

  async send({ to, replyTo, subject, text, html }: Message) {
    this.mails.push({ to, replyTo, subject, text, html });
    return { outcome: 'sent' } as const;
  }

  async check() {
    return { outcome: 'sent' } as const;
  }

  close(): void {}
}
