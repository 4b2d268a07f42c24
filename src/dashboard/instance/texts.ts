import { CHECK_TEXTS } from '../../services/instance/checks/texts.ts';
import { catalog } from '../ui/catalog.ts';

export const STATUS_TEXTS = catalog({
  en: {
    summary: (bad: number, warnings: number) =>
      [bad && `${bad} to fix`, warnings && `${warnings} to check`].filter(Boolean).join(', ') || 'Everything works.',
    setUp: 'Set up',
    progress: (done: number, all: number) => `Set up: ${done} of ${all} steps done. Next:`,
    continue: 'Continue',
    hide: 'Hide this list',
    showAgain: 'Show the set-up checklist',
    stepDone: 'Done',
    steps: {
      form: {
        title: 'Connect a form',
        text: 'Paste a form’s snippet into your site and send a first submission.',
        action: 'Connect the form',
      },
      mail: {
        title: 'Set up and test mail',
        noServer:
          'Without a mail server, no notifications are sent. An operator sets it up under “Mail”, or the administrator with SMTP_URL and MAIL_FROM.',
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
    done: { key: 'Copy of the key confirmed.', hidden: 'List hidden.', shown: 'List shown again.' },
  },
  de: {
    summary: (bad, warnings) =>
      [bad && `${bad} zu beheben`, warnings && `${warnings} zu prüfen`].filter(Boolean).join(', ') || 'Alles läuft.',
    setUp: 'Einrichten',
    progress: (done, all) => `Einrichten: ${done} von ${all} Schritten erledigt. Als Nächstes:`,
    continue: 'Weiter',
    hide: 'Liste ausblenden',
    showAgain: 'Einrichtung anzeigen',
    stepDone: 'Erledigt',
    steps: {
      form: {
        title: 'Formular einbinden',
        text: 'Fügen Sie den Code eines Formulars in Ihre Website ein und senden Sie eine erste Einsendung.',
        action: 'Formular einbinden',
      },
      mail: {
        title: 'E-Mail einrichten und testen',
        noServer:
          'Ohne Mailserver erfährt niemand von Einsendungen. Wer die Instanz betreibt, richtet ihn unter „E-Mail“ ein oder setzt SMTP_URL und MAIL_FROM.',
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
    done: { key: 'Kopie des Schlüssels bestätigt.', hidden: 'Liste ausgeblendet.', shown: 'Liste wieder angezeigt.' },
  },
});
