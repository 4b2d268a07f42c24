import { formatNumber } from '../../../lib/i18n.ts';
import type { Texts } from '../index.ts';

export const ERRORS: Pick<Texts, 'errors'> = {
  errors: {
    invalid_name: (maxLength) => `Geben Sie einen Namen mit 1 bis ${maxLength} Zeichen ein.`,
    invalid_email: () => 'Geben Sie eine gültige E-Mail-Adresse ein, zum Beispiel ada@example.com.',
    not_an_email: (item) => `„${item}“ ist keine E-Mail-Adresse. Geben Sie Adressen wie ada@example.com ein.`,
    not_an_origin: (item) =>
      `„${item}“ ist ungültig. Geben Sie nur Schema und Host ein, zum Beispiel https://example.com.`,
    not_a_file_type: (item) => `„${item}“ ist kein Dateityp. Geben Sie Typen wie application/pdf und image/* ein.`,
    invalid_blocked_word: (item) => `„${item}“ muss 3 bis 100 Zeichen lang sein.`,
    too_many_entries: (limit) => `Zu viele Einträge. Erlaubt sind höchstens ${limit}.`,
    text_too_long: (limit) => `Der Text ist zu lang. Erlaubt sind höchstens ${formatNumber('de', limit)} Zeichen.`,
    several_lines: () => 'Geben Sie nur eine Zeile ein.',
    invalid_redirect_url: () => 'Geben Sie eine vollständige Adresse ein, zum Beispiel https://example.com/danke.',
    missing_challenge_secret: () => 'Geben Sie den geheimen Schlüssel Ihres Kontos bei diesem Dienst ein.',
    invalid_verify_url: () =>
      'Geben Sie eine vollständige http- oder https-Adresse ein, zum Beispiel https://cap.example.com/KEY/siteverify.',
    unknown_time_zone: () => 'Unbekannte Zeitzone. Geben Sie einen Namen wie Europe/Berlin oder UTC ein.',
    invalid_retention: (maxDays) => `Geben Sie eine ganze Zahl von 1 bis ${formatNumber('de', maxDays)} ein.`,
    invalid_color: () => 'Geben Sie # und sechs Ziffern von 0 bis f ein, zum Beispiel #0b6655.',
    invalid_sender_name: (maxLength) =>
      `Geben Sie eine Zeile mit höchstens ${maxLength} Zeichen ein, ohne < > " @ , und ;.`,
    not_a_logo: () => 'Das ist kein Bild im Format PNG, JPEG oder WebP. Wählen Sie eine andere Datei.',
    logo_too_large: (maxKib) => `Das Bild ist zu groß. Wählen Sie eines mit höchstens ${maxKib} KiB.`,
    too_many_downloads: (limit) => `Mehr als ${limit} Downloads gleichzeitig. Warten Sie, bis einer fertig ist.`,
    search_expired: () => 'Die Ergebnisse dieser Suche sind abgelaufen. Suchen Sie noch einmal.',
    no_results_left: () => 'Diese Suche hat keine Ergebnisse mehr. Suchen Sie noch einmal.',
    invalid_webhook_url: () =>
      'Geben Sie eine vollständige https-Adresse ohne Benutzernamen und Passwort ein, zum Beispiel https://hooks.example.com/forms.',
    webhook_not_https: () =>
      'Geben Sie eine Adresse ein, die mit https:// beginnt. http ist nur zu Hosts möglich, die der Administrator des Servers erlaubt.',
    private_host: (host) =>
      `${host} hat eine nicht öffentliche Adresse. Der Administrator des Servers kann sie mit ALLOWED_PRIVATE_HOSTS erlauben.`,
    unlisted_host: (host) =>
      `${host} gehört nicht zu den Hosts, die der Administrator des Servers in OUTBOUND_HOSTS aufführt.`,
    headers_of_another_host: () =>
      'Die Adresse führt zu einem anderen Host. Geben Sie die Header mit ihren Werten neu ein.',
    too_many_webhooks: (limit) => `Ein Formular hat höchstens ${limit} Webhooks. Löschen Sie zuerst einen.`,
    test_running: () => 'Ein anderer Test wartet noch auf seinen Endpunkt. Versuchen Sie es danach noch einmal.',
    too_many_tests: (limit) =>
      `Sie können ${limit} Tests pro Minute senden. Versuchen Sie es in einer Minute noch einmal.`,
    too_many_teams: (limit) => `Ihnen gehören ${limit} Teams, mehr sind nicht möglich. Löschen Sie zuerst eines.`,
    too_many_headers: (limit) => `Zu viele Header. Erlaubt sind höchstens ${limit}.`,
    invalid_header: () => 'Schreiben Sie jeden Header in eine Zeile wie X-Token: abc, in ASCII.',
    reserved_header: (name) => `Den Header ${name} setzt der Server. Verwenden Sie einen anderen Namen.`,
    repeated_header: (name) => `Der Header ${name} kommt doppelt vor. Entfernen Sie einen.`,
    not_a_recipient: (address) => `${address} ist kein Empfänger. Fügen Sie die Adresse zu den Empfängern hinzu.`,
    too_many_conditions: (limit) => `Zu viele Bedingungen. Erlaubt sind höchstens ${limit}.`,
    invalid_condition: () =>
      'Geben Sie ein Feld und einen Wert mit höchstens 200 Zeichen ein. „ist eines von“ braucht 1 bis 50 Werte, einen pro Zeile.',
    refused_setting: (_, { de }) => de,
    no_signing_secret: () => 'Diese Art von Webhook hat keinen Signaturschlüssel.',
    empty_message: () => 'Geben Sie einen Text ein.',
    too_many_messages: (limit) =>
      `Nicht gespeichert: Diese Einsendung hat ${limit} Notizen und Antworten, mehr sind nicht möglich. Löschen Sie Notizen oder schreiben Sie mit Ihrem E-Mail-Programm.`,
    too_many_replies: (limit) =>
      `Nicht gesendet: Zu dieser Einsendung gingen in einer Stunde ${limit} Antworten, mehr sind nicht möglich. Versuchen Sie es später erneut.`,
    workspace_in_use: () => 'In diesem Arbeitsbereich gibt es Formulare. Verschieben oder löschen Sie sie zuerst.',
    last_workspace: () => 'Das ist der einzige Arbeitsbereich des Teams. Legen Sie zuerst einen weiteren an.',
  },
};
