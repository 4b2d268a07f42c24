import type { Texts } from '../index.ts';

export const SPAM: Pick<Texts, 'spam'> = {
  spam: {
    title: 'Spamfilter',
    intro: 'Formstead beurteilt jede Einsendung nach ihrem Inhalt. Es lernt auch aus den Markierungen Ihres Teams.',
    learning: 'Lernen',
    learningText:
      'Markiert ein Mitglied eine Einsendung als Spam oder als kein Spam, lernt der Filter dieses Teams daraus. Das Gelernte bleibt verschlüsselt auf diesem Server, besteht aus Zahlen ohne Wörter und gilt nur für dieses Team.',
    isOn: 'Lernen ist eingeschaltet',
    isOff: 'Lernen ist ausgeschaltet',
    turnOn: 'Lernen einschalten',
    turnOff: 'Lernen ausschalten',
    learned: 'Gelerntes',
    active: 'Das Gelernte gilt für neue Einsendungen.',
    inactive: (count: number) =>
      `Noch ohne Wirkung. Lernen muss eingeschaltet sein, und es braucht mindestens ${count} Spam-Nachrichten und ${count} echte Nachrichten.`,
    spamMarks: 'Als Spam markiert',
    genuineMarks: 'Als kein Spam markiert',
    balancing: 'Geöffnete echte Nachrichten als Ausgleich gelernt',
    raisedBy: 'Abgezogene Punkte, damit frühere echte Nachrichten echt bleiben',
    loweredBy: 'Hinzugefügte Punkte, weil echte Nachrichten Ihres Teams anders aussehen als Spam',
    since: 'Lernt seit',
    size: (size: string) => `Der Filter dieses Teams belegt ${size}.`,
    nothing: 'Noch nichts. Markieren Sie Einsendungen als Spam oder als kein Spam, damit der Filter lernt.',
    comparison: 'Mit und ohne Lernen',
    comparisonText: (days: number) =>
      `Beurteilt bis zu 2.000 Einsendungen der letzten ${days} Tage noch einmal, nur nach ihrem Inhalt. Nichts wird geändert.`,
    compare: 'Vergleichen',
    compared: 'Verglichene Einsendungen',
    flagged: 'Spam nur mit Lernen',
    flaggedGenuine: 'Davon heute nicht als Spam markiert',
    cleared: 'Echt nur mit Lernen',
    clearedSpam: 'Davon heute als Spam markiert',
    onlyFlagged: 'Spam nur mit Lernen',
    onlyCleared: 'echt nur mit Lernen',
    forget: 'Alles vergessen',
    forgetShort: 'Löscht, was der Filter gelernt hat. Einsendungen und ihre Markierungen bleiben unverändert.',
    forgetTitle: 'Alles vergessen, was der Spamfilter gelernt hat?',
    forgetText:
      'Der Filter dieses Teams beginnt ohne Ihre Markierungen von vorn. Einsendungen bleiben unverändert. Das lässt sich nicht rückgängig machen.',
    done: {
      on: 'Lernen eingeschaltet.',
      off: 'Lernen ausgeschaltet.',
      forgotten: 'Spamfilter zurückgesetzt.',
    },
  },
};
