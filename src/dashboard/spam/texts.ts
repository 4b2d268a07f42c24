import { pairs } from '../../lib/pairs.ts';
import { catalog } from '../ui/catalog.ts';

const WORDS = pairs({
  title: ['Spam filter', 'Spamfilter'],
  intro: ['The last 30 days, all forms.', 'Die letzten 30 Tage, alle Formulare.'],
  learning: ['Learning', 'Lernen'],
  isOn: ['Learning is on', 'Lernen ist eingeschaltet'],
  isOff: ['Learning is off', 'Lernen ist ausgeschaltet'],
  turnOn: ['Turn on learning', 'Lernen einschalten'],
  turnOff: ['Turn off learning', 'Lernen ausschalten'],
  active: ['What the filter learned applies to new submissions.', 'Das Gelernte gilt für neue Einsendungen.'],
  caught: ['Caught', 'Abgefangen'],
  missed: ['Missed', 'Übersehen'],
  missedNote: ['Marked as spam by your team', 'Von Ihrem Team als Spam markiert'],
  rescued: ['Rescued', 'Gerettet'],
  rescuedNote: ['Marked as not spam by your team', 'Von Ihrem Team als „Kein Spam“ markiert'],
  decisions: ['Recent decisions', 'Letzte Entscheidungen'],
  byHand: ['Marked by your team', 'Von Ihrem Team markiert'],
  nothing: ['Nothing was flagged yet.', 'Bisher wurde nichts als Spam erkannt.'],
  comparison: ['With and without learning', 'Mit und ohne Lernen'],
  compare: ['Compare', 'Vergleichen'],
  compared: ['Submissions compared', 'Verglichene Einsendungen'],
  flagged: ['Spam only with learning', 'Spam nur mit Lernen'],
  flaggedGenuine: ['Of these, not marked as spam today', 'Davon heute nicht als Spam markiert'],
  cleared: ['Genuine only with learning', 'Echt nur mit Lernen'],
  clearedSpam: ['Of these, marked as spam today', 'Davon heute als Spam markiert'],
  onlyFlagged: ['spam only with learning', 'Spam nur mit Lernen'],
  onlyCleared: ['genuine only with learning', 'echt nur mit Lernen'],
  forget: ['Forget everything', 'Alles vergessen'],
  forgetTitle: ['Forget everything that the spam filter learned?', 'Alles vergessen, was der Spamfilter gelernt hat?'],
});

export const SPAM_TEXTS = catalog({
  en: {
    ...WORDS.en,
    learningText:
      'The filter learns each time a member marks a submission as spam or not spam. What it learned stays encrypted on this server and applies to this team only.',
    inactive: (count: number) =>
      `Not in effect. It needs learning to be on, and at least ${count} spam and ${count} genuine messages.`,
    share: (percent: string) => `${percent}% of the spam`,
    decisionsText: 'Something genuine among them? Open it and press “Not spam”.',
    comparisonText: (days: number) =>
      `Judges up to 2,000 submissions of the last ${days} days again, by their content alone. Nothing is changed.`,
    forgetShort: 'Deletes what the filter learned. Submissions and their marks stay as they are.',
    forgetText:
      'The filter of this team starts again without your marks. Submissions stay as they are. This cannot be undone.',
    done: { on: 'Learning turned on.', off: 'Learning turned off.', forgotten: 'Spam filter reset.' },
  },
  de: {
    ...WORDS.de,
    learningText:
      'Der Filter lernt, wenn jemand eine Einsendung als Spam oder als „Kein Spam“ markiert. Das Gelernte bleibt verschlüsselt auf diesem Server und gilt nur für dieses Team.',
    inactive: (count: number) =>
      `Noch ohne Wirkung. Lernen muss eingeschaltet sein, und es braucht mindestens ${count} Spam-Nachrichten und ${count} echte Nachrichten.`,
    share: (percent: string) => `${percent} % des Spams`,
    decisionsText: 'Etwas Echtes dabei? Öffnen Sie es und wählen Sie „Kein Spam“.',
    comparisonText: (days: number) =>
      `Beurteilt bis zu 2.000 Einsendungen der letzten ${days} Tage noch einmal, nur nach ihrem Inhalt. Nichts wird geändert.`,
    forgetShort: 'Löscht, was der Filter gelernt hat. Einsendungen und ihre Markierungen bleiben unverändert.',
    forgetText:
      'Der Filter dieses Teams beginnt ohne Ihre Markierungen von vorn. Einsendungen bleiben unverändert. Das lässt sich nicht rückgängig machen.',
    done: { on: 'Lernen eingeschaltet.', off: 'Lernen ausgeschaltet.', forgotten: 'Spamfilter zurückgesetzt.' },
  },
});
