import { catalog } from '../../ui/catalog.ts';
import { pairs } from '../../ui/pairs.ts';

const WORDS = pairs({
  activity: ['Activity', 'Verlauf'],
  spans: ['Time span', 'Zeitraum'],
  never: ['None yet', 'Noch keine'],
  table: ['Show as a table', 'Als Tabelle zeigen'],
  period: ['Day (UTC)', 'Tag (UTC)'],
  week: ['Days (UTC)', 'Tage (UTC)'],
  ofAll: ['in total', 'insgesamt'],
  answers: ['Answers', 'Antworten'],
  answersLink: ['Summarize the answers', 'Antworten auswerten'],
  answersWait: ['Reading submissions…', 'Einsendungen werden gelesen…'],
  average: ['Average', 'Durchschnitt'],
  median: ['Median', 'Median'],
  lowest: ['Lowest', 'Niedrigste'],
  highest: ['Highest', 'Höchste'],
  answer: ['Answer', 'Antwort'],
  count: ['Count', 'Anzahl'],
  share: ['Share', 'Anteil'],
  noAnswers: ['No answers yet.', 'Noch keine Antworten.'],
});

export const OVERVIEW_TEXTS = catalog({
  en: {
    ...WORDS.en,
    days: (count: string) => `${count} days`,
    shareOf: (share: string) => `${share} of what was sent`,
    pageSeen: (ago: string, page: string) => `Last seen working ${ago} on ${page}`,
    pageFails: (page: string) => `The form is missing from ${page}`,
    pageNotSeen: (page: string) => `Not seen working on ${page} yet`,
    more: (count: string, days: string) => `${count} more than in the ${days} days before`,
    fewer: (count: string, days: string) => `${count} fewer than in the ${days} days before`,
    same: (days: string) => `As many as in the ${days} days before`,
    noneBefore: (days: string) => `None in the ${days} days before`,
    chart: (submissions: string, spam: string, days: string) =>
      `Chart: ${submissions} and ${spam} spam in the last ${days} days. The table below has the numbers.`,
    bar: (period: string, submissions: string, spam: string) => `${period}: ${submissions}, ${spam} spam`,
    duplicated: 'Form duplicated. Its webhooks were not copied.',
    emptyText: 'Paste the form’s snippet into your page, or send a test submission.',
    read: (submissions: string) => `The latest ${submissions} without spam`,
    readAll: (submissions: string) => `All ${submissions} without spam`,
    noneRead: 'No submissions yet, so there are no answers to summarize.',
    noFields:
      'Fields of the types choice, rating, number and checkbox are summarized here. This form has none in its settings.',
    answered: (count: number, text: string) => `${text} ${count === 1 ? 'answer' : 'answers'}`,
    others: (count: number, text: string) => `${text} ${count === 1 ? 'other answer' : 'other answers'}`,
  },
  de: {
    ...WORDS.de,
    days: (count: string) => `${count} Tage`,
    shareOf: (share) => `${share} aller Eingänge`,
    pageSeen: (ago, page) => `Zuletzt ${ago} auf ${page} in Ordnung`,
    pageFails: (page) => `Das Formular fehlt auf ${page}`,
    pageNotSeen: (page) => `Auf ${page} noch nicht gesehen`,
    more: (count: string, days: string) => `${count} mehr als in den ${days} Tagen davor`,
    fewer: (count: string, days: string) => `${count} weniger als in den ${days} Tagen davor`,
    same: (days: string) => `So viele wie in den ${days} Tagen davor`,
    noneBefore: (days: string) => `Keine in den ${days} Tagen davor`,
    chart: (submissions: string, spam: string, days: string) =>
      `Diagramm: ${submissions} und ${spam} Spam in den letzten ${days} Tagen. Die Tabelle darunter hat die Zahlen.`,
    bar: (period: string, submissions: string, spam: string) => `${period}: ${submissions}, ${spam} Spam`,
    duplicated: 'Formular dupliziert. Seine Webhooks wurden nicht kopiert.',
    emptyText: 'Fügen Sie den Code des Formulars in Ihre Seite ein oder senden Sie eine Test-Einsendung.',
    read: (submissions: string) => `Die neuesten ${submissions} ohne Spam`,
    readAll: (submissions: string) => `Alle ${submissions} ohne Spam`,
    noneRead: 'Noch keine Einsendungen, also auch keine Antworten.',
    noFields:
      'Hier werden Felder der Typen Auswahl, Bewertung, Zahl und Kontrollkästchen ausgewertet. In den Einstellungen dieses Formulars gibt es keine.',
    answered: (count: number, text: string) => `${text} ${count === 1 ? 'Antwort' : 'Antworten'}`,
    others: (count: number, text: string) => `${text} ${count === 1 ? 'weitere Antwort' : 'weitere Antworten'}`,
  },
});
