import { pairs } from '../../../lib/pairs.ts';

const FIXES = pairs({
  docs: ['How to fix this', 'So beheben Sie das'],
  usage: ['See usage', 'Verbrauch ansehen'],
  failedMails: ['See failed emails', 'Fehlgeschlagene E-Mails ansehen'],
  waitingMails: ['See waiting emails', 'Wartende E-Mails ansehen'],
  testMail: ['Send a test email', 'Test-E-Mail senden'],
  setUpMail: ['Set up mail', 'E-Mail einrichten'],
  setUpBackups: ['How to set up backups', 'Sicherungen einrichten'],
  aboutKey: ['About the key', 'Über den Schlüssel'],
});

const EN = {
  submissions: {
    title: 'Submissions',
    ok: 'Forms of this team accept submissions.',
    plan: (day: string) =>
      `Submissions are refused: this month’s submissions are used up. Forms accept them again on ${day}.`,
    storage: 'Submissions are refused: the storage of the plan is used up.',
    disk: 'Submissions are refused: the disk of the server is almost full.',
    refused: 'Submissions are refused, because of the settings of the database.',
  },
  plan: {
    title: 'Plan',
    unlimited: (used: string) => `${used} submissions this month; no limit.`,
    used: (used: string, limit: string) => `${used} of ${limit} submissions used this month.`,
    storage: (stored: string, limit: string) => `${stored} of ${limit} stored.`,
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
    toDoctor: '“formstead doctor” names the setting of PostgreSQL to change.',
    faulty: 'A power failure could damage the database.',
    refusing: 'With its present settings PostgreSQL could lose submissions in a crash.',
  },
  disk: {
    title: 'Disk',
    ok: (free: string, min: string) => `${free} free; the minimum is ${min}.`,
    noMinimum: (free: string) => `${free} free. No minimum is set: MIN_FREE_BYTES is 0.`,
    low: (free: string, min: string) => `${free} are free, less than the ${min} of MIN_FREE_BYTES.`,
    freeSpace: 'Free some space on the disk of the data directory.',
  },
  mail: {
    title: 'Mail',
    off: 'No mail server is set up, so nobody is notified.',
    ok: (sender: string) => `Emails are sent from ${sender}.`,
    failing: (count: string, number: number) =>
      `We can’t reach the mail server. ${count} ${number === 1 ? 'email is' : 'emails are'} waiting.`,
    failed: (count: string, number: number, to: string | null) =>
      `${count} ${number === 1 ? 'email' : 'emails'}${to === null ? '' : ` to ${to}`} bounced.`,
  },
  backups: {
    title: 'Backups',
    elsewhere: 'Not made by this server. Back up PostgreSQL with pg_dump or continuous archiving.',
    off: 'No scheduled backups. Set BACKUP_DIR, or run “formstead backup” from cron.',
    inside: 'BACKUP_DIR is inside the data directory, so one failing disk destroys both. Move it to another disk.',
    none: 'No backup yet. A running server makes one within an hour; otherwise see its log for the reason.',
    recent: (time: string) => `The newest is from ${time}.`,
    late: (time: string) => `Overdue: see the server log for the reason. The newest is from ${time}.`,
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
    one: (name: string, form: string) => `The webhook “${name}” of “${form}” is failing.`,
    several: (count: string) => `${count} webhooks are failing.`,
  },
  pages: {
    title: 'Pages with forms',
    ok: 'No watched page has lost its form.',
    failing: (names: string) => `The form is missing from its page: ${names}.`,
  },
  address: {
    title: 'Address',
    ok: (url: string) => `Links in emails point to ${url}.`,
    off: 'BASE_URL is not set, so emails have no links to submissions.',
  },
  fixes: FIXES.en,
};

/** Words of the checks in one language. */
export type CheckTexts = typeof EN;

const DE: CheckTexts = {
  submissions: {
    title: 'Einsendungen',
    ok: 'Die Formulare dieses Teams nehmen Einsendungen an.',
    plan: (day) =>
      `Einsendungen werden abgewiesen: Das Kontingent dieses Monats ist aufgebraucht. Ab ${day} nehmen die Formulare wieder an.`,
    storage: 'Einsendungen werden abgewiesen: Der Speicher des Tarifs ist voll.',
    disk: 'Einsendungen werden abgewiesen: Die Festplatte des Servers ist fast voll.',
    refused: 'Einsendungen werden abgewiesen, wegen der Einstellungen der Datenbank.',
  },
  plan: {
    title: 'Tarif',
    unlimited: (used) => `${used} Einsendungen in diesem Monat, unbegrenzt.`,
    used: (used, limit) => `${used} von ${limit} Einsendungen in diesem Monat verbraucht.`,
    storage: (stored, limit) => `${stored} von ${limit} belegt.`,
  },
  files: {
    title: 'Dateien',
    grown: (size) => `${size} in den letzten 24 Stunden empfangen.`,
    fast: 'Wenn Sie damit nicht gerechnet haben, begrenzen Sie die Dateitypen Ihrer Formulare oder schalten Sie Dateien ab.',
  },
  database: {
    title: 'Datenbank',
    ok: (machines) =>
      `Eine Einsendung wird bestätigt, sobald PostgreSQL sie auf ${machines === 1 ? 'einem Rechner' : `${machines} Rechnern`} gespeichert hat.`,
    toDoctor: '„formstead doctor“ nennt die Einstellung von PostgreSQL, die zu ändern ist.',
    faulty: 'Ein Stromausfall könnte die Datenbank beschädigen.',
    refusing: 'Mit den jetzigen Einstellungen könnte PostgreSQL Einsendungen bei einem Absturz verlieren.',
  },
  disk: {
    title: 'Festplatte',
    ok: (free, min) => `${free} sind frei; das Minimum ist ${min}.`,
    noMinimum: (free) => `${free} sind frei. Es ist kein Minimum gesetzt: MIN_FREE_BYTES ist 0.`,
    low: (free, min) => `${free} sind frei, weniger als die ${min} von MIN_FREE_BYTES.`,
    freeSpace: 'Geben Sie auf der Festplatte des Datenverzeichnisses Speicherplatz frei.',
  },
  mail: {
    title: 'E-Mail',
    off: 'Es ist kein Mailserver eingerichtet, daher wird niemand benachrichtigt.',
    ok: (sender) => `E-Mails werden von ${sender} gesendet.`,
    failing: (count, number) =>
      `Der Mailserver ist nicht erreichbar. ${count} ${number === 1 ? 'E-Mail wartet' : 'E-Mails warten'}.`,
    failed: (count, number, to) =>
      `${count} ${number === 1 ? 'E-Mail' : 'E-Mails'}${to === null ? '' : ` an ${to}`} ${number === 1 ? 'kam' : 'kamen'} nicht an.`,
  },
  backups: {
    title: 'Sicherungen',
    elsewhere: 'Nicht von diesem Server erstellt. Sichern Sie PostgreSQL mit pg_dump oder fortlaufender Archivierung.',
    off: 'Keine regelmäßigen Sicherungen. Setzen Sie BACKUP_DIR oder rufen Sie „formstead backup“ mit cron auf.',
    inside: 'BACKUP_DIR liegt im Datenverzeichnis. Eine defekte Festplatte nähme beides mit. Wählen Sie eine andere.',
    none: 'Noch keine Sicherung. Ein laufender Server erstellt sie in einer Stunde; sonst steht der Grund im Protokoll.',
    recent: (time) => `Die neueste ist vom ${time}.`,
    late: (time) => `Überfällig: Der Grund steht im Protokoll des Servers. Die neueste ist vom ${time}.`,
  },
  key: {
    title: 'Schlüssel',
    configured: 'Aus ENCRYPTION_KEY. Bewahren Sie eine Kopie außerhalb dieses Rechners auf.',
    copied: 'Auf dieser Instanz hat jemand eine Kopie bestätigt.',
    missing: 'Noch keine Kopie bestätigt. Ohne den Schlüssel kann niemand die Einsendungen lesen.',
  },
  webhooks: {
    title: 'Webhooks',
    ok: 'Kein Webhook schlägt fehl.',
    failing: 'Gestört:',
    one: (name, form) => `Der Webhook „${name}“ von „${form}“ ist gestört.`,
    several: (count) => `${count} Webhooks sind gestört.`,
  },
  pages: {
    title: 'Seiten mit Formularen',
    ok: 'Auf keiner überwachten Seite fehlt das Formular.',
    failing: (names) => `Das Formular fehlt auf seiner Seite: ${names}.`,
  },
  address: {
    title: 'Adresse',
    ok: (url) => `Links in E-Mails führen zu ${url}.`,
    off: 'BASE_URL ist nicht gesetzt, daher enthalten E-Mails keine Links zu Einsendungen.',
  },
  fixes: FIXES.de,
};

/** The words of all checks. Doctor and `/readyz` print the English ones. */
export const CHECK_TEXTS = { en: EN, de: DE };
