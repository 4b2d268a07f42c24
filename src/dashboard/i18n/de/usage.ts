import type { Texts } from '../index.ts';

export const USAGE: Pick<Texts, 'usage'> = {
  usage: {
    thisMonth: 'Dieser Monat',
    plan: (plan) => `Tarif „${plan}“`,
    used: (count, text) => (count === 1 ? '1 Einsendung' : `${text} Einsendungen`),
    ofLimit: (used, limit) => `${used} von ${limit} Einsendungen`,
    nearlyFull: 'Mehr als 80 % verbraucht. Ist die Grenze erreicht, nehmen Formulare nichts mehr an.',
    full: 'Grenze erreicht. Formulare lehnen alle Einsendungen ab, bis die Zählung neu beginnt. Einen größeren Tarif richtet die Verwaltung des Servers ein.',
    counted:
      'Alle angenommenen Einsendungen zählen, auch Spam, also mehr als die echten, die bei den Formularen stehen. Honeypot-Treffer, abgelehnte Anfragen und Wiederholungen zählen nicht. Das Löschen verringert den Verbrauch nicht.',
    resets: 'Neu gezählt ab',
    cap: 'Alle Mitglieder bekommen bei 80 % und bei 100 % eine E-Mail.',
    noCap: 'Der Tarif hat keine Grenze.',
    storage: 'Speicher',
    ofStorage: (stored, limit) => `${stored} von ${limit}`,
    stored: 'Einsendungen und ihre Dateien.',
    storageCap: 'Formulare lehnen Einsendungen ab, für die kein Platz ist. Gelöschte Einsendungen schaffen Platz.',
    storageNearlyFull: 'Der Speicher ist fast voll. Löschen Sie Einsendungen, die Sie nicht mehr brauchen.',
    history: 'Nach Monaten',
    nothing: 'Noch keine Einsendungen. Binden Sie ein Formular in Ihre Website ein, um welche zu erhalten.',
    month: 'Monat',
    submissions: 'Angenommen, mit Spam',
    share: 'Vergleich',
  },
};
