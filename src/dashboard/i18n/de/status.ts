import { CHECK_TEXTS } from '../../../services/instance/checks/texts.ts';
import type { Texts } from '../index.ts';

export const STATUS: Pick<Texts, 'banners' | 'status'> = {
  banners: {
    mailsWait: (text, count) =>
      `Der Mailserver ist gestört. ${text} ${count === 1 ? 'E-Mail wartet' : 'E-Mails warten'} auf den nächsten Versuch.`,
    mailsFailed: (text, count) =>
      `${text} ${count === 1 ? 'E-Mail wurde' : 'E-Mails wurden'} nicht zugestellt. Senden Sie sie erneut oder verwerfen Sie sie.`,
    webhooksFail: (text, count) => `${text} ${count === 1 ? 'Webhook schlägt' : 'Webhooks schlagen'} fehl.`,
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
      },
      key: {
        title: 'Schlüssel sichern',
        text: 'Kopieren Sie encryption.key aus dem Datenverzeichnis (DATA_DIR) an einen sicheren Ort. Ohne ihn kann niemand die Einsendungen lesen, auch nicht aus einer Sicherung.',
        action: 'Ich habe eine Kopie',
      },
      backup: {
        title: 'Sicherungen einrichten',
        text: 'Setzen Sie BACKUP_DIR auf einen Ordner auf einer anderen Festplatte und starten Sie neu. Der Server sichert dann jeden Tag.',
      },
    },
    checks: 'Prüfungen',
    state: { ok: 'In Ordnung', off: 'Aus', unknown: 'Unbekannt', warning: 'Achtung', bad: 'Störung' },
    ...CHECK_TEXTS.de,
    done: {
      key: 'Kopie des Schlüssels bestätigt.',
      hidden: 'Liste ausgeblendet.',
      shown: 'Liste wieder angezeigt.',
    },
  },
};
