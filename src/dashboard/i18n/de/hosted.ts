import type { Texts } from '../index.ts';

export const HOSTED: Pick<Texts, 'hosted'> = {
  hosted: {
    title: 'Gehostete Seite',
    text: 'Eine Seite mit den Feldern dieses Formulars, zum Verlinken oder Einbetten. Sie braucht weder Website noch Skript.',
    embed: 'Fügen Sie dies ein, wo das Formular erscheinen soll:',
    frameTitle: 'Formular',
    origins: 'Nur Seiten der erlaubten Websites können sie einbetten.',
    settings: 'Einstellungen öffnen',
    problems: {
      off: 'Dieses Formular hat noch keine gehostete Seite. Schalten Sie sie in den Einstellungen ein.',
      fields:
        'Eine gehostete Seite zeigt die Felder des Formulars, und es sind keine angelegt. Legen Sie sie in den Einstellungen an.',
      challenge:
        'Eine gehostete Seite kann das Widget dieser Spam-Prüfung nicht zeigen. Wählen Sie in den Einstellungen ALTCHA oder keine.',
    },
  },
};
