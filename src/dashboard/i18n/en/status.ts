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
    webhooksFail: (text: string, count: number) => `${text} ${count === 1 ? 'webhook fails' : 'webhooks fail'}.`,
    toUsage: 'See usage',
    toMail: 'See mail',
    toStatus: 'See status',
  },
  status: {
    intro: 'What accepts, keeps and delivers submissions, and how to fix what does not.',
    setUp: 'Set up',
    progress: (done: number, all: number) => `Set up: ${done} of ${all} steps done. Next:`,
    continue: 'Continue',
    hide: 'Hide this list',
    showAgain: 'Show the set-up list',
    stepDone: 'Done',
    steps: {
      form: {
        title: 'Connect a form',
        text: 'Put the snippet of a form on your site and send a first submission.',
        action: 'Connect the form',
      },
      mail: {
        title: 'Set up and test mail',
        noServer: 'Without a mail server nobody is told about submissions. Set SMTP_URL and MAIL_FROM, and restart.',
        text: 'Send a test email to make sure that notifications arrive.',
        action: 'Send a test email',
        docs: 'How to set up mail',
      },
      key: {
        title: 'Copy the encryption key',
        text: 'Copy encryption.key from the data directory (DATA_DIR) to a safe place. Without it nobody can read the submissions, not even from a backup.',
        action: 'I’ve saved a copy',
        docs: 'About the key',
      },
      backup: {
        title: 'Set up backups',
        text: 'Set BACKUP_DIR to a folder on another disk, and restart. The server then makes a backup every day.',
        docs: 'How to set up backups',
      },
    },
    checks: 'Checks',
    state: { ok: 'OK', off: 'Off', warning: 'Attention', bad: 'Problem' },
    submissions: {
      title: 'Submissions',
      ok: 'Forms of this team accept submissions.',
    },
    plan: {
      title: 'Plan',
      unlimited: (used: string) => `${used} submissions this month; no limit.`,
      used: (used: string, limit: string) => `${used} of ${limit} submissions used this month.`,
      storage: (stored: string, limit: string) => `${stored} of ${limit} stored.`,
      fix: 'See usage',
    },
    disk: {
      title: 'Disk',
      ok: (free: string) => `${free} are free.`,
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
      off: 'No scheduled backups. Set BACKUP_DIR, or run “formstead backup” from cron.',
      inside: 'BACKUP_DIR is inside the data directory, where a failing disk takes both.',
      none: 'No backup yet. If none appears within an hour, the log of the server has the reason.',
      recent: 'The newest is from',
      late: 'The log of the server has the reason why none followed that of',
    },
    key: {
      title: 'Encryption key',
      configured: 'From ENCRYPTION_KEY; keep a copy outside of this machine.',
      copied: 'Somebody of this instance has confirmed a copy.',
      missing: 'No copy confirmed yet. Without the key nobody can read the submissions.',
    },
    webhooks: {
      title: 'Webhooks',
      ok: 'No webhook fails.',
      failing: 'Failing:',
    },
    address: {
      title: 'Address',
      ok: (url: string) => `Links in emails lead to ${url}.`,
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
