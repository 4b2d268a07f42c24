import type { Texts } from '../index.ts';

export const ACCOUNT: Pick<Texts, 'account' | 'email'> = {
  account: {
    title: 'Konto',
    email: 'E-Mail-Adresse',
    noEmail: 'Ungültige E-Mail-Adresse. Geben Sie eine wie ada@example.com ein.',
    preferences: 'Profil',
    preferencesText: 'Ihr Name erscheint in der Kopfzeile und in der Liste der Mitglieder.',
    name: 'Name',
    nameHint: 'Optional. Ohne Namen sehen Mitglieder Ihre E-Mail-Adresse.',
    emailText: 'Mit dieser Adresse melden Sie sich an. Links zum Zurücksetzen des Passworts gehen an sie.',
    changeEmail: 'Adresse ändern',
    language: 'Sprache',
    asBrowser: 'Wie im Browser eingestellt',
    timeZone: 'Zeitzone',
    changePassword: 'Passwort ändern',
    presentPassword: 'Aktuelles Passwort',
    wrongPassword: 'Falsches Passwort. Geben Sie Ihr aktuelles Passwort ein.',
    changeEnds: 'Wenn Sie das Passwort ändern, werden Sie in allen anderen Sitzungen abgemeldet.',
    sessions: 'Sitzungen',
    thisSession: 'Aktuelle Sitzung',
    unknownBrowser: 'Unbekannter Browser',
    browserOn: (browser, system) => `${browser} unter ${system}`,
    since: 'seit',
    lastUsed: 'zuletzt benutzt',
    end: 'Abmelden',
    endText: 'Geben Sie zur Bestätigung Ihr Passwort ein.',
    endOf: (browser, address) => `Abmelden: ${browser}, ${address}`,
    everywhere: 'Überall abmelden',
    delete: {
      link: 'Konto löschen',
      short: 'Entfernt Sie aus allen Teams. Formulare und Einsendungen bleiben bei ihren Teams.',
      title: 'Ihr Konto löschen',
      text: 'Sie werden sofort überall abgemeldet und aus allen Teams entfernt, und Ihre offenen Einladungen werden ungültig. Formulare, Einsendungen und API-Schlüssel bleiben bei ihren Teams. Das Protokoll behält Ihre E-Mail-Adresse, bis seine Einträge ablaufen.',
      button: 'Endgültig löschen',
      onlyOwner: (teams) =>
        `Konto nicht gelöscht: Nur Sie haben die Leitung von ${teams.map((team) => `„${team}“`).join(', ')}. Geben Sie diese Rolle zuerst unter „Team“ jemand anderem.`,
    },
    done: {
      saved: 'Einstellungen gespeichert.',
      email_sent:
        'Sehen Sie im Postfach der neuen Adresse nach: Hat sie noch kein Konto, liegt dort ein Link, der eine Stunde gilt.',
      email: 'E-Mail-Adresse geändert.',
      password: 'Passwort geändert. Alle anderen Sitzungen wurden beendet.',
      ended: 'Sitzung beendet.',
    },
  },
  email: {
    title: 'E-Mail-Adresse ändern',
    text: (email) =>
      `Ihre Adresse ist ${email}. Sie ändert sich erst, wenn Sie den Link öffnen, der an die neue gesendet wird.`,
    new: 'Neue E-Mail-Adresse',
    send: 'Link senden',
    same: 'Das ist Ihre jetzige Adresse. Geben Sie eine andere ein.',
    tooMany: 'In der letzten Stunde wurden zu viele Links angefordert. Versuchen Sie es später noch einmal.',
    noMail:
      'Dieser Server kann keine E-Mails senden, deshalb lässt sich eine neue Adresse nicht bestätigen. Bitten Sie die Verwaltung des Servers, SMTP_URL, MAIL_FROM und BASE_URL zu setzen.',
    confirmTitle: (to) => `E-Mail-Adresse in ${to} ändern?`,
    confirmText: 'Von da an melden Sie sich mit der neuen Adresse an. Passwort und Sitzungen bleiben gleich.',
    confirm: 'Adresse ändern',
    invalid:
      'Er wurde schon benutzt, ist abgelaufen oder gehört zu einem anderen Konto. Sie können einen neuen anfordern.',
    mail: {
      subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
      before:
        'Bestätigen Sie mit diesem Link diese Adresse für Ihr Konto bei Formstead. Er gilt einmal, innerhalb einer Stunde:',
      button: 'Adresse bestätigen',
      after: 'Haben Sie das nicht angefordert, ignorieren Sie diese E-Mail. Es ändert sich nichts.',
    },
    former: {
      subject: 'Ihre E-Mail-Adresse bei Formstead wurde geändert',
      before: (to) => `Die Adresse Ihres Kontos bei Formstead ist jetzt ${to}. Melden Sie sich hier damit an:`,
      button: 'Anmelden',
      after: 'Waren Sie das nicht, wenden Sie sich jetzt an die Verwaltung des Servers.',
    },
  },
};
