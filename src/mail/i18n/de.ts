import { VALUE_WORDS } from '../../domain/fields/value-words.ts';
import type { MailTexts } from './en.ts';

/** The German texts of mails to owners and members. */
export const DE: MailTexts = {
  openInDashboard: 'Im Dashboard öffnen',
  unsubscribe: 'Diese E-Mails abbestellen',
  maybeSpam: (reasons) => `Spam-Verdacht: ${reasons}`,
  shortened: '… (gekürzt)',
  values: VALUE_WORDS.de,
  actions: {
    open: 'Einsendung öffnen',
    openForm: 'Posteingang öffnen',
    reply: 'Antworten',
    spam: 'Als Spam markieren',
    genuine: 'Kein Spam',
  },
  notification: {
    title: (form) => `Neue Einsendung: ${form}`,
    untitled: 'Neue Einsendung',
    received: (time) => `Eingegangen am ${time}`,
    more: (count) => `… und ${count} weitere, der Länge wegen weggelassen.`,
    files: (count) => (count === 1 ? 'Datei' : 'Dateien'),
    notAttached: 'Die Dateien sind gespeichert, konnten aber nicht angehängt werden.',
    noReply: 'Diese Einsendung enthält keine E-Mail-Adresse für eine Antwort.',
    reply: (address) => `Antworten auf diese E-Mail gehen an ${address}.`,
  },
  reply: { wrote: (time, visitor) => `Am ${time} schrieb ${visitor}:` },
  summary: {
    digestTitle: (count, number, form) =>
      count === 1 ? `1 neue Einsendung: ${form}` : `${number} neue Einsendungen: ${form}`,
    heldBackTitle: (count, number, form) =>
      count === 1
        ? `1 Einsendung als Spam zurückgehalten: ${form}`
        : `${number} Einsendungen als Spam zurückgehalten: ${form}`,
    automatic: (limit) =>
      `In einer Stunde sind mehr als ${limit} Einsendungen eingegangen. Diese E-Mail fasst sie zusammen. Sobald es weniger sind, erhalten Sie wieder einzelne E-Mails.`,
    orMore: (number) => `${number} oder mehr`,
    more: (number) => `… und ${number} weitere.`,
    moreThan: (number) => `… und mindestens ${number} weitere.`,
    period: (from, until) => `Von ${from} bis ${until}`,
    release: 'Wählen Sie „Kein Spam“ unter einer echten Einsendung, um ihre E-Mails zu senden.',
    releaseByCommand:
      'Kein Spam? Dieser Befehl gibt die Einsendung frei und sendet ihre E-Mails: formstead submission mark <id> --genuine',
    files: (count, number) => (count === 1 ? '1 Datei' : `${number} Dateien`),
    from: (address) => `Von: ${address}`,
    text: (text) => `Inhalt: ${text}`,
    why: (reasons) => `Gründe: ${reasons}`,
    unreadable: (id, reason) => `${id} ist nicht lesbar, der Datensatz ist beschädigt: ${reason}.`,
  },
  capWarning: {
    title: (team, percent) => `„${team}“ hat ${percent} % der Einsendungen dieses Monats verbraucht`,
    used: (plan, limit, used) => `Der Tarif „${plan}“ enthält ${limit} Einsendungen im Monat. Verbraucht sind ${used}.`,
    willStop: (end) =>
      `Ist das Kontingent erreicht, nehmen die Formulare des Teams bis ${end} keine Einsendungen mehr an.`,
    hasStopped: (end) =>
      `Die Formulare des Teams nehmen bis ${end} keine Einsendungen mehr an. Besucher sehen einen Hinweis darauf.`,
    usage: 'Verbrauch ansehen',
    changePlan: (teamId) => `Dieser Befehl ändert den Tarif: formstead team update ${teamId} --plan <plan>`,
  },
  webhookFailing: {
    title: (count, number, form) =>
      count === 1 ? `Ein Webhook von „${form}“ schlägt fehl` : `${number} Webhooks von „${form}“ schlagen fehl`,
    since: (time) => `Fehler seit ${time}.`,
    reason: (reason) => `Letzter Fehler: ${reason}`,
    waiting: (count, number) => (count === 1 ? '1 Zustellung wartet.' : `${number} Zustellungen warten.`),
    retried:
      'Es wird jeweils eine Zustellung erneut versucht. Die anderen werden gesendet, sobald der Endpunkt sie annimmt.',
    disabled: 'Der Webhook ist deaktiviert: Bis Sie ihn fortsetzen, wird nichts gesendet.',
    remedy:
      'Prüfen Sie den Endpunkt. Wenn er wieder funktioniert, setzen Sie den Webhook fort, um alles Wartende sofort zu senden.',
    page: 'Webhooks ansehen',
    command: 'Dieser Befehl setzt einen Webhook fort: formstead webhook update <id> --active true',
  },
  formAlarm: {
    titles: {
      page_failing: (form) => `„${form}“ fehlt auf seiner Seite`,
      page_well: (form) => `„${form}“ ist wieder auf seiner Seite`,
      form_silent: (form) => `„${form}“ hat ungewöhnlich lange nichts empfangen`,
      replies_limited: (form) => `„${form}“ hat seine Tagesgrenze für Antworten erreicht`,
      confirmations_limited: (form) => `„${form}“ hat einige Bestätigungsmails nicht gesendet`,
    },
    problems: {
      unreachable: (page) => `${page} ließ sich zweimal in Folge nicht laden.`,
      no_form: (page) => `Auf ${page} fehlte das Formular zweimal in Folge.`,
    },
    never: 'noch nie',
    lastSeen: (time) => `Zuletzt in Ordnung: ${time}.`,
    pageRemedy: 'Prüfen Sie, ob die Seite erreichbar ist und ihr Formular noch an diese Adresse sendet.',
    wellText: (page) => `${page} enthält das Formular wieder. Sie brauchen nichts zu tun.`,
    lastArrival: (time) => `Die letzte Einsendung kam am ${time}. Bis dahin gab es jede Woche welche.`,
    silenceRemedy:
      'Senden Sie das Formular einmal selbst ab. Schreibt gerade einfach niemand, ignorieren Sie diese E-Mail: Es bleibt bei dieser einen.',
    unsentText:
      'Mehrere Einsendungen nannten dieselbe E-Mail-Adresse. Sie bekommt höchstens eine solche E-Mail pro Stunde und drei am Tag.',
    unsentRemedy:
      'Einsendungen ohne diese E-Mail lassen sich nicht bestätigen und werden nach 7 Tagen gelöscht. Vielleicht probiert jemand fremde Adressen aus.',
    limitText: (limit) => `Es hat in 24 Stunden ${limit} automatische Antworten gesendet und pausiert damit vorerst.`,
    limitRemedy:
      'Einsendungen werden weiter gespeichert. Sehen Sie nach, ob Spam darunter ist, oder erhöhen Sie das Limit in den Einstellungen.',
    open: 'Formular ansehen',
  },
  test: {
    subject: 'Test-E-Mail von Formstead',
    text: 'Dies ist eine Test-E-Mail. Ihre Einstellungen funktionieren: Benachrichtigungen über neue Einsendungen werden auf demselben Weg gesendet.',
    noServer:
      'Es ist kein Mailserver eingerichtet. Setzen Sie SMTP_URL und MAIL_FROM, oder richten Sie ihn im Dashboard unter „E-Mail“ ein.',
    noAddress: (text) => `${text} ist keine E-Mail-Adresse wie ada@example.com.`,
    notSent: (explanation) => `Die E-Mail konnte nicht gesendet werden: ${explanation}`,
    explanation: (advice, error) => `${advice}. Fehler: ${error}`,
    blockedPort: (ports) =>
      `Zeitüberschreitung. Viele Clouds sperren die Ports 25, 465 und 587; versuchen Sie Port ${ports}`,
    advice: {
      temporary: 'vorübergehender Fehler. Versuchen Sie es in einigen Minuten erneut',
      sender: 'der Server lehnt den Absender ab. Verwenden Sie einen Absender (MAIL_FROM), von dem Sie senden dürfen',
      machine: 'der Server lehnt diesen Rechner ab. Prüfen Sie, ob er über diesen Server senden darf',
      refused: 'Verbindung abgelehnt. Prüfen Sie Host und Port',
      unknownHost: 'der Host ist unbekannt. Prüfen Sie die Schreibweise und den DNS-Server',
      notAllowed:
        'der Host ist nicht öffentlich oder steht nicht auf der Liste des Servers. Dessen Verwaltung kann ihn freigeben',
      unreachable: 'der Host ist nicht erreichbar. Prüfen Sie das Netzwerk',
      noTls: 'der Port verwendet kein TLS. Verwenden Sie STARTTLS (smtp://)',
      noStarttls:
        'der Server bietet kein TLS an, und ohne TLS werden keine Zugangsdaten gesendet. Verwenden Sie TLS von Anfang an (smtps://) oder einen Port mit STARTTLS',
      certificate:
        'dem Zertifikat wird nicht vertraut. Verwenden Sie den Hostnamen des Zertifikats, oder nennen Sie das Zertifikat eines eigenen Servers in NODE_EXTRA_CA_CERTS',
      timeout:
        'Zeitüberschreitung. Verwenden Sie TLS von Anfang an (smtps://) für die Ports 465 und 2465, sonst STARTTLS (smtp://)',
      tls: 'TLS ist fehlgeschlagen. Verwenden Sie TLS von Anfang an (smtps://) für die Ports 465 und 2465, sonst STARTTLS (smtp://)',
      closed:
        'der Server hat die Verbindung geschlossen. Verwenden Sie TLS von Anfang an (smtps://) für die Ports 465 und 2465, sonst STARTTLS (smtp://)',
      credentials:
        'der Server lehnt die Zugangsdaten ab. Prüfen Sie Benutzer und Passwort; in SMTP_URL müssen Sonderzeichen prozentkodiert sein',
      mail: 'der Server lehnt die E-Mail ab. Prüfen Sie die Adresse, und ob der Absender an sie senden darf',
      tooLarge: 'die E-Mail ist zu groß für den Server, oder das Postfach ist voll',
      unknown: 'unbekannter Fehler. Prüfen Sie die Einstellungen des Mailservers',
    },
  },
};
