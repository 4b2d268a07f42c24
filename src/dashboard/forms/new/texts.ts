import { catalog } from '../../ui/catalog.ts';

export const NEW_FORM_TEXTS = catalog({
  en: {
    name: 'Form name',
    nameHint: 'Visible only to your team: here and in the emails you get.',
    workspace: 'Workspace',
    template: 'Template',
    templateHint: 'A template only sets the initial fields. You can change everything later.',
    workspaceError: 'This workspace no longer exists. Choose another one.',
  },
  de: {
    name: 'Name des Formulars',
    nameHint: 'Nur für Ihr Team sichtbar: hier und in den E-Mails, die Sie erhalten.',
    workspace: 'Arbeitsbereich',
    template: 'Vorlage',
    templateHint: 'Die Vorlage legt nur die ersten Felder fest. Sie können später alles ändern.',
    workspaceError: 'Diesen Arbeitsbereich gibt es nicht mehr. Wählen Sie einen anderen.',
  },
});
