import { pairs } from '../../lib/pairs.ts';
import { catalog } from '../ui/catalog.ts';

const MAIL_PAGES_WORDS = pairs({
  reachable: ['Mail server reachable', 'Mailserver erreichbar'],
  latest: ['Last email delivered', 'Letzte E-Mail zugestellt'],
  parts: ['Emails by state', 'E-Mails nach Status'],
  pages: ['Pages of emails', 'Seiten der E-Mails'],
  kinds: {
    notification: ['Notification', 'Benachrichtigung'],
    auto_reply: ['Auto-reply', 'Automatische Antwort'],
    confirmation: ['Confirmation', 'Bestätigungsmail'],
    confirmations_limited: ['Confirmations not sent', 'Nicht gesendete Bestätigungsmails'],
    digest: ['Digest', 'Zusammenfassung'],
    held_back: ['Notice of spam held back', 'Hinweis auf zurückgehaltenen Spam'],
    cap_warning: ['Plan limit warning', 'Warnung zum Tarif'],
    webhook_failing: ['Failing webhook', 'Webhook schlägt fehl'],
    page_failing: ['Form missing from its page', 'Formular fehlt auf seiner Seite'],
    page_well: ['Form back on its page', 'Formular wieder auf seiner Seite'],
    form_silent: ['No submissions for long', 'Lange keine Einsendungen'],
    replies_limited: ['Limit of auto-replies', 'Tagesgrenze für Antworten'],
    reply: ['Reply', 'Antwort'],
  },
  last: ['last', 'zuletzt'],
  remove: ['Remove from form', 'Aus Formular entfernen'],
  showEmails: ['Show the emails', 'E-Mails zeigen'],
  tryNow: ['Try now', 'Jetzt versuchen'],
  changeAddress: ['Change address', 'Adresse ändern'],
  recipient: ['Change a recipient', 'Empfänger ändern'],
  newAddress: ['New address', 'Neue Adresse'],
  to: ['to', 'an'],
  visitor: ['the visitor', 'den Besucher'],
  due: ['scheduled for', 'geplant für'],
  next: ['next attempt', 'nächster Versuch'],
  said: ['Server response:', 'Antwort des Servers:'],
  allAgain: ['Send all failed emails again', 'Alle fehlgeschlagenen erneut senden'],
  dismissAll: ['Dismiss all failed emails', 'Alle fehlgeschlagenen verwerfen'],
  testTo: ['Address of the test email', 'Adresse der Test-E-Mail'],
  testSend: ['Send test email', 'Test-E-Mail senden'],
  testFailed: ['Test failed:', 'Test fehlgeschlagen:'],
  states: {
    causes: ['Problems', 'Probleme'],
    queued: ['Queued', 'In Warteschlange'],
    retrying: ['Retrying', 'Wird wiederholt'],
    dead: ['Failed', 'Fehlgeschlagen'],
    sent: ['Sent', 'Gesendet'],
  },
  gaveUp: ['failed', 'aufgegeben am'],
});

/** The mails of a team. */
export const MAIL_PAGES_TEXTS = catalog({
  en: {
    ...MAIL_PAGES_WORDS.en,
    intro: (sender: string) => `from ${sender}`,
    noServer:
      'No mail server is set up, so no email is sent. An operator of this instance sets it up here, or its administrator with SMTP_URL and MAIL_FROM.',
    none: {
      causes: ['All emails arrive', 'Addresses that fail are listed here, with the reason.'],
      queued: ['Nothing queued', 'New submissions add their emails here.'],
      retrying: ['Nothing to retry', 'Emails appear here after a failed delivery.'],
      dead: ['No failed emails', 'Emails appear here if they cannot be delivered.'],
      sent: [
        'No emails sent in the last 7 days',
        'Add recipients in a form’s settings to get notified of its submissions.',
      ],
    },
    causes: {
      mailbox: 'This mailbox does not exist.',
      size: 'The email is too large for the mail server.',
      full: 'The mailbox is full.',
      later: 'The receiving server asks us to try again later.',
      policy: 'The receiving server refused the email as spam, or by its rules.',
      server: 'We can’t reach the mail server.',
      other: 'The receiving server refused the email.',
    },
    grouped: {
      dead: (_: number, text: string) => `${text} failed`,
      retrying: (_: number, text: string) => `${text} waiting`,
    },
    allAgainTo: (recipient: string) => `Send all failed emails to ${recipient} again`,
    notified: (address: string) => `${address} is notified by these forms:`,
    notNotified: (address: string) => `No form notifies ${address} any more.`,
    removeFrom: (forms: number) => (forms === 1 ? 'Remove from this form' : `Remove from ${forms} forms`),
    failed: (times: number) => (times === 1 ? 'failed once' : `failed ${times} times`),
    againTo: (kind: string, recipient: string) => `Send again: ${kind} to ${recipient}`,
    testAddress: 'enter a valid email address, such as ada@example.com.',
    tooManyTests: 'too many test emails. Try again in an hour.',
    done: {
      again: 'Email queued.',
      all: 'All failed emails queued.',
      dismissed: 'Failed emails dismissed.',
      changed: 'Address changed. Failed emails to the old one were dismissed.',
      removed: 'Address removed. Failed emails to it were dismissed.',
      tested: 'Test email sent. If it does not arrive, check the spam folder.',
      serverSaved: 'Mail server saved. Send a test email now.',
      serverRemoved: 'Mail server removed.',
    },
  },
  de: {
    ...MAIL_PAGES_WORDS.de,
    intro: (sender: string) => `von ${sender}`,
    noServer:
      'Es ist kein Mailserver eingerichtet, daher werden keine E-Mails gesendet. Wer diese Instanz betreibt, richtet ihn hier ein oder setzt SMTP_URL und MAIL_FROM.',
    none: {
      causes: ['Alle E-Mails kommen an', 'Adressen, bei denen das nicht so ist, stehen hier mit dem Grund.'],
      queued: ['Die Warteschlange ist leer', 'E-Mails zu neuen Einsendungen erscheinen hier.'],
      retrying: ['Kein neuer Versuch nötig', 'Nach einer fehlgeschlagenen Zustellung erscheinen E-Mails hier.'],
      dead: ['Keine fehlgeschlagenen E-Mails', 'Unzustellbare E-Mails erscheinen hier.'],
      sent: [
        'In den letzten 7 Tagen wurden keine E-Mails gesendet',
        'Tragen Sie in den Einstellungen eines Formulars Empfänger ein, um Einsendungen zu erhalten.',
      ],
    },
    causes: {
      mailbox: 'Dieses Postfach gibt es nicht.',
      size: 'Die E-Mail ist dem Mailserver zu groß.',
      full: 'Das Postfach ist voll.',
      later: 'Der Server des Empfängers bittet um einen späteren Versuch.',
      policy: 'Der Server des Empfängers hat die E-Mail als Spam oder nach seinen Regeln abgelehnt.',
      server: 'Der Mailserver ist nicht erreichbar.',
      other: 'Der Server des Empfängers hat die E-Mail abgelehnt.',
    },
    grouped: {
      dead: (_: number, text: string) => `${text} fehlgeschlagen`,
      retrying: (count: number, text: string) => (count === 1 ? '1 wartet' : `${text} warten`),
    },
    allAgainTo: (recipient: string) => `Alle fehlgeschlagenen E-Mails an ${recipient} erneut senden`,
    notified: (address: string) => `Diese Formulare benachrichtigen ${address}:`,
    notNotified: (address: string) => `Kein Formular benachrichtigt ${address} mehr.`,
    removeFrom: (forms: number) => (forms === 1 ? 'Aus dem Formular entfernen' : `Aus ${forms} Formularen entfernen`),
    failed: (times: number) => (times === 1 ? 'einmal fehlgeschlagen' : `${times}-mal fehlgeschlagen`),
    againTo: (kind: string, recipient: string) => `Erneut senden: ${kind} an ${recipient}`,
    testAddress: 'Geben Sie eine gültige E-Mail-Adresse ein, zum Beispiel ada@example.com.',
    tooManyTests: 'Sie haben zu viele Test-E-Mails gesendet. Versuchen Sie es in einer Stunde erneut.',
    done: {
      again: 'E-Mail in die Warteschlange gestellt.',
      all: 'Alle fehlgeschlagenen E-Mails in die Warteschlange gestellt.',
      dismissed: 'Fehlgeschlagene E-Mails verworfen.',
      changed: 'Adresse geändert. Fehlgeschlagene E-Mails an die alte wurden verworfen.',
      removed: 'Adresse entfernt. Fehlgeschlagene E-Mails an sie wurden verworfen.',
      tested: 'Test-E-Mail gesendet. Kommt sie nicht an, sehen Sie im Spam-Ordner nach.',
      serverSaved: 'Mailserver gespeichert. Senden Sie jetzt eine Test-E-Mail.',
      serverRemoved: 'Mailserver entfernt.',
    },
  },
});

const MAIL_SERVER_WORDS = pairs({
  title: ['Mail server', 'Mailserver'],
  providers: ['Providers', 'Anbieter'],
  userHint: ['Empty if the server asks for no login.', 'Leer, wenn der Server keine Anmeldung verlangt.'],
  keepPassword: ['Leave it empty to keep the saved one.', 'Leer lassen, um das gespeicherte zu behalten.'],
  ownPassword: ['Your own password', 'Ihr eigenes Passwort'],
  conversation: ['Conversation with the server', 'Gespräch mit dem Server'],
});

/** The mail server of the instance. */
export const MAIL_SERVER_TEXTS = catalog({
  en: {
    ...MAIL_SERVER_WORDS.en,
    intro: 'All email goes through this server. Changes apply at once. Choose a provider, or enter your own server.',
    fixed: 'Set by the environment variable SMTP_URL. Change it there and restart.',
    labels: {
      ...{ host: 'Host', port: 'Port', security: 'Encryption', user: 'User' },
      ...{ password: 'Password or API key', sender: 'Sender' },
    },
    hostHint: 'For example smtp.example.com. Leave it empty to send no email.',
    portHint: 'Many clouds block 25, 465 and 587. Try 2525, 2587 or 2465 there.',
    securities: {
      ...{ tls: 'TLS from the start (465, 2465)', starttls: 'STARTTLS (587, 2525, 2587)' },
      none: 'None, for a server on this machine only',
    },
    senderHint: 'For example Forms <forms@example.com>. The provider must know the domain.',
    notAllowed: 'This host isn’t public. The server administrator can add it to ALLOWED_PRIVATE_HOSTS.',
    faults: {
      host: 'Enter a host such as smtp.example.com, without a port.',
      port: 'Enter a port from 1 to 65535.',
      security: 'Choose TLS or STARTTLS. Without encryption, the server must be on this machine.',
      password: 'Enter the password. It has to be entered again for another host or user.',
      sender: 'Enter one sender, such as forms@example.com.',
    },
  },
  de: {
    ...MAIL_SERVER_WORDS.de,
    intro:
      'Alle E-Mails gehen über diesen Server. Änderungen gelten sofort. Wählen Sie einen Anbieter oder tragen Sie einen eigenen Server ein.',
    fixed: 'Durch die Umgebungsvariable SMTP_URL gesetzt. Ändern Sie sie dort und starten Sie neu.',
    labels: {
      ...{ host: 'Host', port: 'Port', security: 'Verschlüsselung', user: 'Benutzer' },
      ...{ password: 'Passwort oder API-Schlüssel', sender: 'Absender' },
    },
    hostHint: 'Zum Beispiel smtp.example.com. Leer lassen, um keine E-Mails zu senden.',
    portHint: 'Viele Clouds sperren 25, 465 und 587. Versuchen Sie dort 2525, 2587 oder 2465.',
    securities: {
      ...{ tls: 'TLS von Anfang an (465, 2465)', starttls: 'STARTTLS (587, 2525, 2587)' },
      none: 'Keine, nur für einen Server auf diesem Rechner',
    },
    senderHint: 'Zum Beispiel Formulare <forms@example.com>. Der Anbieter muss die Domain kennen.',
    notAllowed:
      'Dieser Host ist nicht öffentlich. Die Verwaltung des Servers kann ihn in ALLOWED_PRIVATE_HOSTS aufnehmen.',
    faults: {
      host: 'Geben Sie einen Host wie smtp.example.com ein, ohne Port.',
      port: 'Geben Sie einen Port von 1 bis 65535 ein.',
      security: 'Wählen Sie TLS oder STARTTLS. Ohne Verschlüsselung muss der Server auf diesem Rechner laufen.',
      password: 'Geben Sie das Passwort ein. Für einen anderen Host oder Benutzer ist es neu einzugeben.',
      sender: 'Geben Sie einen Absender wie forms@example.com ein.',
    },
  },
});
