import { VALUE_WORDS } from '../../domain/fields/value-words.ts';

/** The English texts of mails to owners and members. */
export const EN = {
  openInDashboard: 'Open in the dashboard',
  unsubscribe: 'Stop these emails',
  maybeSpam: (reasons: string) => `Suspected spam: ${reasons}`,
  shortened: '… (shortened)',
  values: VALUE_WORDS.en,
  actions: {
    open: 'Open submission',
    openForm: 'Open inbox',
    reply: 'Reply',
    spam: 'Mark as spam',
    genuine: 'Not spam',
  },
  notification: {
    title: (form: string) => `New submission: ${form}`,
    untitled: 'New submission',
    received: (time: string) => `Received ${time}`,
    more: (count: string) => `… and ${count} more, left out for length.`,
    files: (count: number): string => (count === 1 ? 'File' : 'Files'),
    notAttached: 'The files are stored but could not be attached.',
    noReply: 'This submission has no email address to reply to.',
    reply: (address: string) => `Replies to this email go to ${address}.`,
  },
  reply: { wrote: (time: string, visitor: string) => `On ${time}, ${visitor} wrote:` },
  summary: {
    digestTitle: (count: number, number: string, form: string) =>
      count === 1 ? `1 new submission: ${form}` : `${number} new submissions: ${form}`,
    heldBackTitle: (count: number, number: string, form: string) =>
      count === 1 ? `1 submission held back as spam: ${form}` : `${number} submissions held back as spam: ${form}`,
    automatic: (limit: string) =>
      `More than ${limit} submissions arrived within an hour, so this email combines them. Single emails resume when fewer arrive.`,
    orMore: (number: string) => `${number} or more`,
    more: (number: string) => `… and ${number} more.`,
    moreThan: (number: string) => `… and at least ${number} more.`,
    period: (from: string, until: string) => `From ${from} to ${until}`,
    release: 'Choose “Not spam” below a genuine submission to send its emails.',
    releaseByCommand:
      'Not spam? Mark the submission as genuine to send its mails: formstead submission mark <id> --genuine',
    files: (count: number, number: string) => (count === 1 ? '1 file' : `${number} files`),
    from: (address: string) => `From: ${address}`,
    text: (text: string) => `Text: ${text}`,
    why: (reasons: string) => `Why: ${reasons}`,
    unreadable: (id: string, reason: string) => `${id} cannot be read: its record is ${reason}.`,
  },
  capWarning: {
    title: (team: string, percent: number) => `“${team}” has used ${percent}% of its submissions this month`,
    used: (plan: string, limit: string, used: string) =>
      `The plan “${plan}” includes ${limit} submissions a month. ${used} are used.`,
    willStop: (end: string) => `At the limit, the team’s forms stop accepting submissions until ${end}.`,
    hasStopped: (end: string) =>
      `The team’s forms don’t accept submissions until ${end}. Visitors see a message that says so.`,
    usage: 'View usage',
    changePlan: (teamId: string) => `To change the plan, run: formstead team update ${teamId} --plan <plan>`,
  },
  webhookFailing: {
    title: (count: number, number: string, form: string) =>
      count === 1 ? `A webhook of “${form}” is failing` : `${number} webhooks of “${form}” are failing`,
    since: (time: string) => `Failing since ${time}.`,
    reason: (reason: string) => `Last error: ${reason}`,
    waiting: (count: number, number: string) =>
      count === 1 ? '1 delivery is waiting.' : `${number} deliveries are waiting.`,
    retried: 'One delivery at a time is tried again. The others are sent as soon as the endpoint accepts it.',
    disabled: 'The webhook is disabled: nothing is sent until you resume it.',
    remedy: 'Check the endpoint. When it works again, resume the webhook to send what is waiting at once.',
    page: 'View webhooks',
    command: 'To resume a webhook, run: formstead webhook update <id> --active true',
  },
  formAlarm: {
    titles: {
      page_failing: (form: string) => `“${form}” is missing from its page`,
      page_well: (form: string) => `“${form}” is back on its page`,
      form_silent: (form: string) => `No submissions to “${form}” for longer than usual`,
      replies_limited: (form: string) => `“${form}” reached its limit of auto-replies`,
      confirmations_limited: (form: string) => `“${form}” did not send some confirmation emails`,
    },
    problems: {
      unreachable: (page: string) => `${page} could not be loaded, twice in a row.`,
      no_form: (page: string) => `${page} no longer has the form, twice in a row.`,
    },
    never: 'never',
    lastSeen: (time: string) => `Last seen working: ${time}.`,
    pageRemedy: 'Check that the page is online and that its form still posts to this address.',
    wellText: (page: string) => `${page} has the form again. You need to do nothing.`,
    lastArrival: (time: string) => `The last submission arrived on ${time}. Until then the form had some every week.`,
    silenceRemedy: 'Send the form once yourself. If nobody writes at the moment, ignore this email: there is one only.',
    unsentText:
      'Several submissions named the same email address. It gets at most one such email an hour, and three a day.',
    unsentRemedy:
      'Nobody can confirm those without an email: they are deleted after 7 days. Somebody may be trying addresses of others.',
    limitText: (limit: string) => `It sent ${limit} auto-replies in 24 hours, and sends none until some are older.`,
    limitRemedy: 'Submissions are still stored. Look for spam among them, or raise the limit in the settings.',
    open: 'View form',
  },
  test: {
    subject: 'Test mail from Formstead',
    text: 'This is a test message. Your mail settings work: notifications of new submissions are sent the same way.',
    noServer: 'No mail server is configured. Set SMTP_URL and MAIL_FROM, or set it up under Mail in the dashboard.',
    noAddress: (text: string) => `${text} is not an email address such as ada@example.com.`,
    notSent: (explanation: string) => `Could not send the mail: ${explanation}`,
    explanation: (advice: string, error: string) => `${advice}. Error: ${error}`,
    blockedPort: (ports: string) => `timeout. Many clouds block ports 25, 465 and 587; try port ${ports}`,
    advice: {
      temporary: 'temporary failure. Try again in a few minutes',
      sender: 'the server rejected the sender. Use a sender (MAIL_FROM) that you may send from',
      machine: 'the server rejected this machine. Check that it may send through this server',
      refused: 'connection refused. Check its host and port',
      unknownHost: 'the host is unknown. Check its spelling and the DNS server',
      notAllowed: 'the host is not public, or not on the list of the server. Its administrator can allow it',
      unreachable: 'the host is unreachable. Check the network',
      noTls: 'the port does not use TLS. Use STARTTLS (smtp://)',
      noStarttls:
        'the server offers no TLS, and credentials are not sent without it. Use TLS from the start (smtps://), or a port with STARTTLS',
      certificate:
        'the certificate is not trusted. Use its host name, or for your own server name its certificate in NODE_EXTRA_CA_CERTS',
      timeout: 'timeout. Use TLS from the start (smtps://) for ports 465 and 2465, STARTTLS (smtp://) for others',
      tls: 'TLS failed. Use TLS from the start (smtps://) for ports 465 and 2465, STARTTLS (smtp://) for others',
      closed:
        'the server closed the connection. Use TLS from the start (smtps://) for ports 465 and 2465, STARTTLS (smtp://) for others',
      credentials:
        'the server rejected the credentials. Check user and password; in SMTP_URL, special characters must be percent-encoded',
      mail: 'the server rejected the mail. Check the address, and that the sender may send to it',
      tooLarge: 'the mail is too large for the server, or the mailbox is full',
      unknown: 'unknown error. Check the settings of the mail server',
    },
  },
};

export type MailTexts = typeof EN;
