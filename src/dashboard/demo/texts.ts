import { catalog } from '../ui/catalog.ts';

export const DEMO_TEXTS = catalog({
  en: {
    title: 'Sent emails',
    hint: 'A demo keeps its emails in memory instead of sending them, the newest 200.',
    none: 'No emails yet',
    noneHint: 'Post to a form, and its notification appears here.',
    to: (address: string) => `to ${address}`,
    all: 'All sent emails',
  },
  de: {
    title: 'Gesendete E-Mails',
    hint: 'Eine Demo verschickt ihre E-Mails nicht, sondern behält die neuesten 200 im Speicher.',
    none: 'Noch keine E-Mails',
    noneHint: 'Senden Sie ein Formular ab, dann erscheint hier die Benachrichtigung.',
    to: (address) => `an ${address}`,
    all: 'Alle gesendeten E-Mails',
  },
});
