import { CHECK_TEXTS } from '../../../services/instance/checks/texts.ts';

export const STATUS = {
  banners: {
    mailsWait: (text: string, count: number) =>
      `The mail server fails. ${text} ${count === 1 ? 'email waits and is' : 'emails wait and are'} tried again.`,
    mailsFailed: (text: string, count: number) =>
      `${text} ${count === 1 ? 'email was' : 'emails were'} not delivered. Send again or dismiss.`,
    webhooksFail: (text: string, count: number) => `${text} ${count === 1 ? 'webhook is' : 'webhooks are'} failing.`,
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
      },
      key: {
        title: 'Copy the encryption key',
        text: 'Copy encryption.key from the data directory (DATA_DIR) to a safe place. Without it, nobody can read the submissions, not even from a backup.',
        action: 'I’ve saved a copy',
      },
      backup: {
        title: 'Set up backups',
        text: 'Set BACKUP_DIR to a folder on another disk, then restart. The server makes a backup every day.',
      },
    },
    checks: 'Checks',
    state: { ok: 'OK', off: 'Off', unknown: 'Unknown', warning: 'Attention', bad: 'Problem' },
    ...CHECK_TEXTS.en,
    done: {
      key: 'Copy of the key confirmed.',
      hidden: 'List hidden.',
      shown: 'List shown again.',
    },
  },
};
