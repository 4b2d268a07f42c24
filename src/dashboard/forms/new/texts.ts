import { catalog } from '../../ui/catalog.ts';

export const NEW_FORM_TEXTS = catalog({
  en: {
    name: 'Form name',
    nameHint: 'Visible only to your team: here and in the emails you get.',
    workspace: 'Workspace',
    template: 'Template',
    send: 'Send',
    templateHint: 'A template only sets the initial fields. You can change everything later.',
    workspaceError: 'This workspace no longer exists. Choose another one.',
    isInBrowser: 'People fill it in on a web page',
    isInBrowserHint:
      'Suspected spam has to pass a check in the browser. Turn this off if your own program sends to the form.',
    html: 'Or paste your HTML',
    htmlLabel: 'Your form as HTML',
    htmlHint: 'From <form> to </form>. The fields are read from it; nothing else is kept.',
    htmlError: 'No fields found. Paste the <form> with its inputs, up to 256 KiB.',
  },
  de: {
    name: 'Name des Formulars',
    nameHint: 'Nur für Ihr Team sichtbar: hier und in den E-Mails, die Sie erhalten.',
    workspace: 'Arbeitsbereich',
    template: 'Vorlage',
    send: 'Senden',
    templateHint: 'Die Vorlage legt nur die ersten Felder fest. Sie können später alles ändern.',
    workspaceError: 'Diesen Arbeitsbereich gibt es nicht mehr. Wählen Sie einen anderen.',
    isInBrowser: 'Wird auf einer Webseite ausgefüllt',
    isInBrowserHint:
      'Bei Spam-Verdacht folgt eine Prüfung im Browser. Schalten Sie das ab, wenn ein eigenes Programm sendet.',
    html: 'Oder fügen Sie Ihr HTML ein',
    htmlLabel: 'Ihr Formular als HTML',
    htmlHint: 'Von <form> bis </form>. Daraus werden nur die Felder übernommen.',
    htmlError: 'Keine Felder gefunden. Fügen Sie das <form> mit seinen Eingabefeldern ein, höchstens 256 KiB.',
  },
});
