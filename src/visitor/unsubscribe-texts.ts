import { createCatalog } from '../lib/i18n.ts';

const EN = {
  ask: 'Stop these emails?',
  askText: 'You get emails about new submissions of a form. If you unsubscribe, you no longer get any about this form.',
  button: 'Unsubscribe',
  done: 'You’re unsubscribed',
  doneText: 'You no longer get emails about this form. A member of its team can add you again in its settings.',
  gone: 'This link is incomplete',
  goneText: 'Open the whole link from the email, or the one in a newer email.',
};

const DE: typeof EN = {
  ask: 'Diese E-Mails abbestellen?',
  askText:
    'Sie erhalten E-Mails über neue Einsendungen eines Formulars. Wenn Sie sie abbestellen, erhalten Sie zu diesem Formular keine mehr.',
  button: 'Abbestellen',
  done: 'Abbestellt',
  doneText:
    'Sie erhalten keine E-Mails mehr zu diesem Formular. Mitglieder seines Teams können Sie in den Einstellungen wieder eintragen.',
  gone: 'Dieser Link ist unvollständig',
  goneText: 'Öffnen Sie den ganzen Link aus der E-Mail oder den aus einer neueren.',
};

/** The texts of the page for recipients, in the languages of owners and members. */
export const CATALOG = createCatalog<'en' | 'de', typeof EN>('en', { en: EN, de: DE });
