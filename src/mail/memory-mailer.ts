import type { Mailer, Message } from './mailer.ts';

/** A kept mail. `number` counts from 1. */
export type KeptMail = Readonly<Message & { number: number }>;

/** Mailer that keeps mails in memory instead of sending them: all, or the newest ones up to a limit. */
export class MemoryMailer implements Mailer {
  /** Mails, oldest first. */
  mails: KeptMail[] = [];
  #count = 0;

  constructor(private readonly limit = Number.POSITIVE_INFINITY) {}

  find(number: number): KeptMail | undefined {
    return this.mails.find((mail) => mail.number === number);
  }

  async send(message: Message) {
    this.#count += 1;
    this.mails.push({ ...message, number: this.#count });
    if (this.mails.length > this.limit) this.mails.shift();
    return { outcome: 'sent' } as const;
  }

  async check() {
    return { outcome: 'sent' } as const;
  }

  close(): void {}
}
