import type { WebhookOption } from '../../domain/webhooks/webhook-settings.ts';

/** The label of an option of a webhook, with its hint and the names of its values, if any. */
type OptionTexts = Readonly<{ label: string; hint?: string; values?: Readonly<Record<string, string>> }>;

/** Texts of the options that only some kinds of webhooks take, by language. */
export const WEBHOOK_OPTION_TEXTS: Readonly<Record<'en' | 'de', Readonly<Record<WebhookOption, OptionTexts>>>> = {
  en: {
    template: { label: 'Template', hint: '{{field}} is replaced by the value of that field.' },
    templateFormat: {
      label: 'Format',
      values: { json: 'JSON', form: 'Form (URL-encoded)', text: 'Plain text' },
    },
    chat: { label: 'Chat', hint: 'Its number, such as -1001234567890, or the @name of a channel.' },
    sheet: {
      label: 'Spreadsheet',
      hint: 'Its address, copied from the browser. Share it with the service account as an editor.',
    },
    credentials: {
      label: 'Key of the service account',
      hint: 'The content of the JSON file from the Google Cloud console. It is stored encrypted.',
    },
  },
  de: {
    template: { label: 'Vorlage', hint: '{{feld}} wird durch den Wert dieses Feldes ersetzt.' },
    templateFormat: {
      label: 'Format',
      values: { json: 'JSON', form: 'Formular (URL-kodiert)', text: 'Einfacher Text' },
    },
    chat: { label: 'Chat', hint: 'Seine Nummer, zum Beispiel -1001234567890, oder der @Name eines Kanals.' },
    sheet: {
      label: 'Tabelle',
      hint: 'Ihre Adresse aus dem Browser. Geben Sie die Tabelle für das Dienstkonto zum Bearbeiten frei.',
    },
    credentials: {
      label: 'Schlüssel des Dienstkontos',
      hint: 'Der Inhalt der JSON-Datei aus der Google Cloud Console. Er wird verschlüsselt gespeichert.',
    },
  },
};
