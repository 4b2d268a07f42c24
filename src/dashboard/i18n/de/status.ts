import type { Texts } from '../index.ts';

export const STATUS: Pick<Texts, 'banners' | 'status'> = {
  banners: {
    planUsedUp: (day) =>
      `Einsendungen werden abgewiesen: Das Kontingent dieses Monats ist aufgebraucht. Ab ${day} nehmen die Formulare wieder an.`,
    storageFull: 'Einsendungen werden abgewiesen: Der Speicher des Tarifs ist voll.',
    diskFull: 'Einsendungen werden abgewiesen: Die Festplatte des Servers ist fast voll.',
    mailsWait: (text, count) =>
      `Der Mailserver ist gestört. ${text} ${count === 1 ? 'E-Mail wartet' : 'E-Mails warten'} auf den nächsten Versuch.`,
    mailsFailed: (text, count) =>
      `${text} ${count === 1 ? 'E-Mail wurde' : 'E-Mails wurden'} nicht zugestellt. Senden Sie sie erneut oder verwerfen Sie sie.`,
    webhooksFail: (text, count) => `${text} ${count === 1 ? 'Webhook schlägt' : 'Webhooks schlagen'} fehl.`,
    toUsage: 'Verbrauch ansehen',
    toMail: 'E-Mails ansehen',
    toStatus: 'Zustand ansehen',
  },
  status: {
    intro: 'Was Einsendungen annimmt, aufbewahrt und zustellt, und was bei Störungen hilft.',
    setUp: 'Einrichten',
    progress: (done, all) => `Einrichten: ${done} von ${all} Schritten erledigt. Als Nächstes:`,
    continue: 'Weiter',
    hide: 'Liste ausblenden',
    showAgain: 'Liste zum Einrichten anzeigen',
    stepDone: 'Erledigt',
    steps: {
      form: {
        title: 'Formular anbinden',
        text: 'Fügen Sie den Code eines Formulars in Ihre Website ein und senden Sie eine erste Einsendung.',
        action: 'Formular anbinden',
      },
      mail: {
        title: 'E-Mail einrichten und testen',
        noServer:
          'Ohne Mailserver erfährt niemand von Einsendungen. Setzen Sie SMTP_URL und MAIL_FROM und starten Sie neu.',
        text: 'Senden Sie eine Test-E-Mail, damit Benachrichtigungen sicher ankommen.',
        action: 'Test-E-Mail senden',
        docs: 'E-Mail einrichten',
      },
      key: {
        title: 'Schlüssel sichern',
        text: 'Kopieren Sie encryption.key aus dem Datenverzeichnis (DATA_DIR) an einen sicheren Ort. Ohne ihn kann niemand die Einsendungen lesen, auch nicht aus einer Sicherung.',
        action: 'Ich habe eine Kopie',
        docs: 'Über den Schlüssel',
      },
      backup: {
        title: 'Sicherungen einrichten',
        text: 'Setzen Sie BACKUP_DIR auf einen Ordner auf einer anderen Festplatte und starten Sie neu. Der Server sichert dann jeden Tag.',
        docs: 'Sicherungen einrichten',
      },
    },
    checks: 'Prüfungen',
    state: { ok: 'In Ordnung', off: 'Aus', warning: 'Achtung', bad: 'Störung' },
    submissions: {
      title: 'Einsendungen',
      ok: 'Die Formulare dieses Teams nehmen Einsendungen an.',
      refused: 'Einsendungen werden abgewiesen, wegen der Einstellungen der Datenbank.',
    },
    plan: {
      title: 'Tarif',
      unlimited: (used) => `${used} Einsendungen in diesem Monat, ohne Grenze.`,
      used: (used, limit) => `${used} von ${limit} Einsendungen in diesem Monat verbraucht.`,
      storage: (stored, limit) => `${stored} von ${limit} belegt.`,
      fix: 'Verbrauch ansehen',
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
      faulty:
        'Ein Stromausfall könnte die Datenbank beschädigen. „formstead doctor“ nennt die Einstellung von PostgreSQL, die zu ändern ist.',
      refusing:
        'Mit den jetzigen Einstellungen könnte PostgreSQL Einsendungen bei einem Absturz verlieren. „formstead doctor“ nennt die Einstellung, die zu ändern ist.',
    },
    disk: {
      title: 'Festplatte',
      ok: (free) => `${free} sind frei.`,
      low: (free, min) => `Nur ${free} sind frei, weniger als ${min} (MIN_FREE_BYTES). Geben Sie Speicherplatz frei.`,
    },
    mail: {
      title: 'E-Mail',
      off: 'Es ist kein Mailserver eingerichtet, daher wird niemand benachrichtigt.',
      ok: (sender) => `E-Mails werden von ${sender} gesendet.`,
      failing: (count) => `Der Mailserver ist gestört. ${count} warten auf den nächsten Versuch.`,
      failed: (count) => `${count} nicht zugestellt.`,
      fixFailed: 'Fehlgeschlagene E-Mails ansehen',
      fixWaiting: 'Wartende E-Mails ansehen',
      fixTest: 'Test-E-Mail senden',
    },
    backups: {
      title: 'Sicherungen',
      elsewhere:
        'Nicht von diesem Server erstellt. Sichern Sie PostgreSQL mit pg_dump oder fortlaufender Archivierung.',
      off: 'Keine regelmäßigen Sicherungen. Setzen Sie BACKUP_DIR oder rufen Sie „formstead backup“ mit cron auf.',
      inside: 'BACKUP_DIR liegt im Datenverzeichnis. Eine defekte Festplatte nähme beides mit.',
      none: 'Noch keine Sicherung. Erscheint in einer Stunde keine, steht der Grund im Protokoll des Servers.',
      recent: 'Die neueste ist vom',
      late: 'Im Protokoll des Servers steht, warum keine weitere folgte auf die vom',
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
      failing: 'Es schlagen fehl:',
    },
    address: {
      title: 'Adresse',
      ok: (url) => `Links in E-Mails führen zu ${url}.`,
      off: 'BASE_URL ist nicht gesetzt, daher enthalten E-Mails keine Links zu Einsendungen.',
    },
    docs: 'So beheben Sie das',
    done: {
      key: 'Kopie des Schlüssels bestätigt.',
      hidden: 'Liste ausgeblendet.',
      shown: 'Liste wieder angezeigt.',
    },
  },
};
