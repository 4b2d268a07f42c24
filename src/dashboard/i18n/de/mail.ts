import type { Texts } from '../index.ts';

export const MAIL: Pick<Texts, 'mailPages'> = {
  mailPages: {
    intro: (sender: string) => `Ihre Formulare senden E-Mails von ${sender}.`,
    noServer:
      'Es ist kein Mailserver eingerichtet, daher werden keine E-Mails gesendet. Setzen Sie SMTP_URL und MAIL_FROM und starten Sie Formstead neu. Ein Beispiel steht im Handbuch unter „Mail“.',
    parts: 'E-Mails nach Status',
    pages: 'Seiten der E-Mails',
    states: { queued: 'In der Warteschlange', retrying: 'Neuer Versuch', dead: 'Fehlgeschlagen', sent: 'Gesendet' },
    about: {
      queued: 'Diese E-Mails werden in Sekunden gesendet, sofern der Mailserver erreichbar ist.',
      retrying: 'Die Zustellung ist fehlgeschlagen. Vier Tage lang folgen weitere Versuche in wachsenden Abständen.',
      dead: 'Der Mailserver hat diese E-Mails abgelehnt, oder die Zustellung ist vier Tage lang fehlgeschlagen. Es folgt kein automatischer Versuch mehr. Nach 30 Tagen werden sie gelöscht.',
      sent: 'Der Mailserver hat diese E-Mails angenommen. Sie werden 7 Tage lang aufgeführt.',
    },
    none: {
      queued: 'Die Warteschlange ist leer. E-Mails zu neuen Einsendungen erscheinen hier.',
      retrying: 'Kein neuer Versuch nötig. Nach einer fehlgeschlagenen Zustellung erscheinen E-Mails hier.',
      dead: 'Keine fehlgeschlagenen E-Mails. Unzustellbare E-Mails erscheinen hier.',
      sent: 'In den letzten 7 Tagen wurden keine E-Mails gesendet. Tragen Sie in den Einstellungen eines Formulars Empfänger ein, um Einsendungen zu erhalten.',
    },
    kinds: {
      notification: 'Benachrichtigung',
      auto_reply: 'Automatische Antwort',
      digest: 'Zusammenfassung',
      held_back: 'Als Spam zurückgehalten',
      cap_warning: 'Warnung zum Tarif',
      webhook_failing: 'Webhook schlägt fehl',
      reply: 'Antwort',
    },
    to: 'an',
    visitor: 'den Besucher',
    made: 'Erstellt am',
    due: 'geplant für',
    failed: (times: number) => (times === 1 ? 'einmal fehlgeschlagen' : `${times}-mal fehlgeschlagen`),
    next: 'nächster Versuch',
    settled: { sent: 'gesendet am', dead: 'aufgegeben am' },
    said: 'Antwort des Servers:',
    submission: 'Einsendung ansehen',
    againTo: (kind: string, recipient: string) => `Erneut senden: ${kind} an ${recipient}`,
    allAgain: 'Alle fehlgeschlagenen erneut senden',
    dismissAll: 'Alle fehlgeschlagenen verwerfen',
    test: 'Test-E-Mail',
    testText:
      'Sendet sofort eine E-Mail mit denselben Einstellungen wie alle anderen. Schlägt das fehl, steht der Grund hier.',
    testTo: 'An',
    testSend: 'Test-E-Mail senden',
    testFailed: 'Test fehlgeschlagen:',
    testAddress: 'Geben Sie eine gültige E-Mail-Adresse ein, zum Beispiel ada@example.com.',
    tooManyTests: 'Sie haben zu viele Test-E-Mails gesendet. Versuchen Sie es in einer Stunde erneut.',
    done: {
      again: 'E-Mail in die Warteschlange gestellt.',
      all: 'Alle fehlgeschlagenen E-Mails in die Warteschlange gestellt.',
      dismissed: 'Fehlgeschlagene E-Mails verworfen.',
      tested: 'Test-E-Mail gesendet. Kommt sie nicht an, sehen Sie im Spam-Ordner nach.',
    },
  },
};
