import { pairs } from '../../lib/pairs.ts';
import { catalog } from '../ui/catalog.ts';

const WORDS = pairs({
  thisMonth: ['This month', 'Dieser Monat'],
  resets: ['Resets on', 'Zählt neu ab'],
  cap: ['All members get an email at 80% and at 100%.', 'Alle Mitglieder bekommen bei 80 % und bei 100 % eine E-Mail.'],
  noCap: ['Unlimited.', 'Unbegrenzt.'],
  storage: ['Storage', 'Speicher'],
  stored: ['Submissions and their files.', 'Einsendungen und ihre Dateien.'],
  history: ['By month', 'Nach Monaten'],
  submissions: ['Accepted, including spam', 'Angenommen, mit Spam'],
});

export const USAGE_TEXTS = catalog({
  en: {
    ...WORDS.en,
    plan: (plan: string) => `Plan “${plan}”`,
    used: (count: number, text: string) => (count === 1 ? '1 submission' : `${text} submissions`),
    ofLimit: (used: string, limit: string) => `${used} of ${limit} submissions`,
    nearlyFull: 'More than 80% used. At the limit, forms stop accepting submissions.',
    full: 'Limit reached. Forms refuse all submissions until the count resets. Ask the server administrator for a larger plan.',
    counted:
      'All accepted submissions count, including spam, so this can be more than the genuine ones shown for forms. Honeypot hits, rejected posts and retries don’t. Deleting submissions doesn’t reduce usage.',
    ofStorage: (stored: string, limit: string) => `${stored} of ${limit}`,
    storageCap: 'Forms refuse submissions that don’t fit. Deleting submissions frees space.',
    storageNearlyFull: 'Storage is almost full. Delete submissions you no longer need.',
    nothing: 'No submissions yet. Connect a form to your site to receive some.',
  },
  de: {
    ...WORDS.de,
    plan: (plan) => `Tarif „${plan}“`,
    used: (count, text) => (count === 1 ? '1 Einsendung' : `${text} Einsendungen`),
    ofLimit: (used, limit) => `${used} von ${limit} Einsendungen`,
    nearlyFull: 'Mehr als 80 % verbraucht. Ist das Kontingent erreicht, nehmen Formulare nichts mehr an.',
    full: 'Kontingent erreicht. Formulare lehnen alle Einsendungen ab, bis die Zählung neu beginnt. Einen größeren Tarif richtet die Verwaltung des Servers ein.',
    counted:
      'Alle angenommenen Einsendungen zählen, auch Spam, also mehr als die echten, die bei den Formularen stehen. Honeypot-Treffer, abgelehnte Anfragen und Wiederholungen zählen nicht. Das Löschen verringert den Verbrauch nicht.',
    ofStorage: (stored, limit) => `${stored} von ${limit}`,
    storageCap: 'Formulare lehnen Einsendungen ab, für die kein Platz ist. Gelöschte Einsendungen schaffen Platz.',
    storageNearlyFull: 'Der Speicher ist fast voll. Löschen Sie Einsendungen, die Sie nicht mehr brauchen.',
    nothing: 'Noch keine Einsendungen. Binden Sie ein Formular in Ihre Website ein, um welche zu erhalten.',
  },
});
