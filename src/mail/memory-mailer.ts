import type { Mailer, Message } from './mailer.ts';

/** The parts of a mail that tests look at. */
export type MailParts = Pick<Message, 'to' | 'replyTo' | 'subject' | 'text' | 'html'>;

/** A kept mail. `number` counts from 1. */
export type KeptMail = Readonly<MailParts & Pick<Message, 'senderName' | 'date'> & { number: number }>;

/** Mailer that keeps mails in memory instead of sending them: all, or the newest ones up to a limit. */
export class MemoryMailer implements Mailer {
  /** Mails, oldest first. */
  mails: KeptMail[] = [];
  #count = 0;

  constructor(private readonly limit = Number.POSITIVE_INFINITY) {}

  find(number: number): KeptMail | undefined {
    return this.mails.find((mail) => mail.number === number);
  }

  async send({ to, replyTo, subject, text, html, senderName = null, date }: Message) {
    this.#count += 1;
    this.mails.push({ to, replyTo, subject, text, html, senderName, date, number: this.#count });
    if (this.mails.length > this.limit) this.mails.shift();
    return { outcome: 'sent' } as const;
  }

  async check() {
    return { outcome: 'sent' } as const;
  }

  close(): void {}
}
