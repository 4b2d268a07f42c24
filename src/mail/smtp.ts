import { Readable } from 'node:stream';
import { createTransport, type Transporter } from 'nodemailer';
import type { Delivery, Mailer, Message } from './mailer.ts';

/** How long a server may take to be there and greet us, to say anything at all, and for one mail in all. */
const PATIENCE = { connectMs: 15_000, silentMs: 30_000, deadlineMs: 60_000 };

const LOGIN_CODES = new Set(['EAUTH', 'ENOAUTH', 'EOAUTH2']);
const LOGIN_STATUSES = new Set([530, 534, 535, 538]);

/** What nodemailer says of a failure. */
type SmtpError = Error & Readonly<{ code?: string; command?: string; response?: string; responseCode?: number }>;

/**
 * Sends by SMTP. `url` is `smtp://` (STARTTLS where the server has it) or `smtps://`, with credentials if need be; `from` is
 * the address that all mails come from. Connections are kept and used again, one mail at a time on each; one that failed
 * or took too long is closed, so that nothing goes out on it after its mail was given up.
 */
export function smtpMailer(url: string, from: string, { connectMs, silentMs, deadlineMs } = PATIENCE): Mailer {
  const opened = new Set<Transporter>();
  const idle: Transporter[] = [];
  let isClosed = false;
  const open = () => {
    const transport = createTransport(
      {
        url,
        pool: true,
        maxConnections: 1,
        // Once, where the server closed a connection on which nothing was sent yet: it may just have been idle for long.
        maxRequeues: 1,
        connectionTimeout: connectMs,
        greetingTimeout: connectMs,
        dnsTimeout: connectMs,
        socketTimeout: silentMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from },
    );
    opened.add(transport);
    return transport;
  };
  const close = (transport: Transporter) => {
    opened.delete(transport);
    // Without force it would go on with the mail that it has.
    transport.close({ force: true });
  };
  const inTime = async (
    transport: Transporter,
    work: (transport: Transporter) => Promise<unknown>,
  ): Promise<Delivery> => {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error('the server took too long')), deadlineMs);
    try {
      await Promise.race([work(transport), late.promise]);
      if (opened.has(transport)) idle.push(transport);
      return { outcome: 'sent' };
    } catch (error) {
      close(transport);
      return explain(error as SmtpError);
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    send: async (message) => {
      if (isClosed) return { outcome: 'failed', reason: 'no more mails are sent here' };
      return inTime(idle.pop() ?? open(), (transport) => transport.sendMail(toNodemailer(message)));
    },

    check: () => inTime(open(), (transport) => transport.verify()),

    close: () => {
      isClosed = true;
      idle.length = 0;
      for (const transport of opened) close(transport);
    },
  };
}

function toNodemailer(message: Message) {
  const { to, replyTo, subject, text, html, messageId, date, references, autoSubmitted, attachments } = message;
  return {
    to: { name: '', address: to },
    ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
    subject,
    text,
    html,
    messageId,
    date: new Date(date / 1000),
    ...(references !== null && { references, inReplyTo: references }),
    headers: { 'Auto-Submitted': autoSubmitted, 'X-Auto-Response-Suppress': 'All' },
    attachments: attachments.map(({ name, contentType, bytes }) => ({
      filename: name,
      contentType,
      content: Readable.from(bytes),
    })),
  };
}

function explain(error: SmtpError): Delivery {
  const { code = '', command = '', response, responseCode = 0, message } = error;
  const reason = [response ?? message, code && `(${[code, command].filter(Boolean).join(', ')})`]
    .filter(Boolean)
    .join(' ');
  const isPutOff = responseCode >= 400 && responseCode < 500;
  if (!isPutOff && (LOGIN_CODES.has(code) || LOGIN_STATUSES.has(responseCode))) return { outcome: 'login', reason };
  const isOfThisMail = command !== 'CONN' && command !== 'MAIL FROM' && !/^(?:EHLO|HELO|STARTTLS)/.test(command);
  if (responseCode >= 500 && isOfThisMail) return { outcome: 'refused', reason };
  return { outcome: 'failed', reason };
}
