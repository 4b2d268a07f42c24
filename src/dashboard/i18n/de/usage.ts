import type { Texts } from '../index.ts';

export const USAGE: Pick<Texts, 'usage'> = {
  usage: {
    thisMonth: 'Dieser Monat',
    unlimited: (used, plan) => `${used} Einsendungen. Der Tarif „${plan}“ hat keine Grenze.`,
    ofLimit: (used, limit, plan) => `${used} von ${limit} Einsendungen im Tarif „${plan}“.`,
    nearlyFull: 'Mindestens 80 % der Einsendungen dieses Monats sind verbraucht.',
    full: 'Grenze erreicht. Die Formulare dieses Teams nehmen in diesem Monat keine Einsendungen mehr an.',
    counted:
      'Alle angenommenen Einsendungen zählen, mit Spam, also mehr als die echten, die bei den Formularen stehen. Honeypot-Treffer, abgelehnte Anfragen und Wiederholungen zählen nicht. Das Löschen verringert den Verbrauch nicht.',
    resets: 'Die Zählung beginnt neu am',
    cap: 'Ist die Grenze erreicht, sehen Besucher, dass das Formular in diesem Monat keine Einsendungen mehr annimmt, und es wird nichts gespeichert. Alle Mitglieder bekommen bei 80 % und bei 100 % eine E-Mail.',
    noCap: 'Formulare nehmen unbegrenzt Einsendungen an, weil der Tarif keine Grenze hat.',
    storage: 'Speicher',
    stored: (stored) => `Einsendungen und Dateien belegen ${stored}.`,
    storedOfLimit: (stored, limit, plan) =>
      `Einsendungen und Dateien belegen ${stored} von ${limit} im Tarif „${plan}“.`,
    storageCap: 'Formulare lehnen Einsendungen ab, für die kein Platz ist. Gelöschte Einsendungen schaffen Platz.',
    history: 'Monat für Monat',
    nothing: 'Noch keine Einsendungen. Binden Sie ein Formular in Ihre Website ein, um welche zu erhalten.',
    month: 'Monat',
    submissions: 'Angenommen, mit Spam',
    share: 'Vergleich',
  },
};
