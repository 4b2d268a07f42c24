export const STATUS = {
  banners: {
    planUsedUp: (day: string) =>
      `Submissions are refused: this month’s submissions are used up. Forms accept them again on ${day}.`,
    storageFull: 'Submissions are refused: the storage of the plan is used up.',
    diskFull: 'Submissions are refused: the disk of the server is almost full.',
    mailsWait: (text: string, count: number) =>
      `The mail server fails. ${text} ${count === 1 ? 'email waits and is' : 'emails wait and are'} tried again.`,
    mailsFailed: (text: string, count: number) =>
      `${text} ${count === 1 ? 'email was' : 'emails were'} not delivered. Send again or dismiss.`,
    webhooksFail: (text: string, count: number) => `${text} ${count === 1 ? 'webhook is' : 'webhooks are'} failing.`,
    toUsage: 'See usage',
    toMail: 'See mail',
    toStatus: 'See status',
  },
  status: {
    intro: 'The health of this server and team, with a fix for each problem.',
    setUp: 'Set up',
    progress: (done: number, all: number) => `Set up: ${done} of ${all} steps done. Next:`,
    continue: 'Continue',
    hide: 'Hide this list',
    showAgain: 'Show the set-up list',
    stepDone: 'Done',
    steps: {
      form: {
        title: 'Connect a form',
        text: 'Paste a form’s snippet into your site and send a first submission.',
        action: 'Connect the form',
      },
      mail: {
        title: 'Set up and test mail',
        noServer: 'Without a mail server, no notifications are sent. Set SMTP_URL and MAIL_FROM, then restart.',
        text: 'Send a test email to make sure that notifications arrive.',
        action: 'Send a test email',
        docs: 'How to set up mail',
      },
      key: {
        title: 'Copy the encryption key',
        text: 'Copy encryption.key from the data directory (DATA_DIR) to a safe place. Without it, nobody can read the submissions, not even from a backup.',
        action: 'I’ve saved a copy',
        docs: 'About the key',
      },
      backup: {
        title: 'Set up backups',
        text: 'Set BACKUP_DIR to a folder on another disk, then restart. The server makes a backup every day.',
        docs: 'How to set up backups',
      },
    },
    checks: 'Checks',
    state: { ok: 'OK', off: 'Off', warning: 'Attention', bad: 'Problem' },
    submissions: {
      title: 'Submissions',
      ok: 'Forms of this team accept submissions.',
      refused: 'Submissions are refused, because of the settings of the database.',
    },
    plan: {
      title: 'Plan',
      unlimited: (used: string) => `${used} submissions this month; no limit.`,
      used: (used: string, limit: string) => `${used} of ${limit} submissions used this month.`,
      storage: (stored: string, limit: string) => `${stored} of ${limit} stored.`,
      fix: 'See usage',
    },
    files: {
      title: 'Files',
      grown: (size: string) => `${size} received in the last 24 hours.`,
      fast: 'If you did not expect that many, limit the file types of your forms or turn files off.',
    },
    database: {
      title: 'Database',
      ok: (machines: number) =>
        `A submission is acknowledged once PostgreSQL has stored it on ${machines === 1 ? '1 machine' : `${machines} machines`}.`,
      faulty:
        'A power failure could damage the database. “formstead doctor” names the setting of PostgreSQL to change.',
      refusing:
        'With its present settings PostgreSQL could lose submissions in a crash. “formstead doctor” names the setting to change.',
    },
    disk: {
      title: 'Disk',
      ok: (free: string) => `${free} free.`,
      low: (free: string, min: string) => `Only ${free} are free, less than ${min} (MIN_FREE_BYTES). Free some space.`,
    },
    mail: {
      title: 'Mail',
      off: 'No mail server is set up, so nobody is notified.',
      ok: (sender: string) => `Emails are sent from ${sender}.`,
      failing: (count: string) => `The mail server fails. ${count} waiting for the next attempt.`,
      failed: (count: string) => `${count} not delivered.`,
      fixFailed: 'See failed emails',
      fixWaiting: 'See waiting emails',
      fixTest: 'Send a test email',
    },
    backups: {
      title: 'Backups',
      elsewhere: 'Not made by this server. Back up PostgreSQL with pg_dump or continuous archiving.',
      off: 'No scheduled backups. Set BACKUP_DIR, or run “formstead backup” from cron.',
      inside: 'BACKUP_DIR is inside the data directory, so one failing disk destroys both.',
      none: 'No backup yet. If none appears within an hour, see the server log for the reason.',
      recent: 'The newest is from',
      late: 'Overdue: see the server log for the reason. The newest is from',
    },
    key: {
      title: 'Encryption key',
      configured: 'Set by ENCRYPTION_KEY. Keep a copy outside this machine.',
      copied: 'A copy has been confirmed.',
      missing: 'No copy confirmed yet. Without the key, nobody can read the submissions.',
    },
    webhooks: {
      title: 'Webhooks',
      ok: 'No webhook is failing.',
      failing: 'Failing:',
    },
    address: {
      title: 'Address',
      ok: (url: string) => `Links in emails point to ${url}.`,
      off: 'BASE_URL is not set, so emails have no links to submissions.',
    },
    docs: 'How to fix this',
    done: {
      key: 'Copy of the key confirmed.',
      hidden: 'List hidden.',
      shown: 'List shown again.',
    },
  },
};
