import { pairs } from '../../../lib/pairs.ts';
import { catalog } from '../../ui/catalog.ts';

const hours = (seconds: number): string => (seconds <= 5400 ? minutes(seconds) : `${Math.ceil(seconds / 3600)} hours`);

const minutes = (seconds: number): string => (seconds <= 60 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`);

function germanHours(seconds: number): string {
  return seconds <= 5400 ? germanMinutes(seconds) : `${Math.ceil(seconds / 3600)} Stunden`;
}

function germanMinutes(seconds: number): string {
  return seconds <= 60 ? 'einer Minute' : `${Math.ceil(seconds / 60)} Minuten`;
}

const ACCOUNT_WORDS = pairs({
  title: ['Account', 'Konto'],
  email: ['Email address', 'E-Mail-Adresse'],
  preferences: ['Profile', 'Profil'],
  name: ['Name', 'Name'],
  changeEmail: ['Change address', 'Adresse ändern'],
  language: ['Language', 'Sprache'],
  asBrowser: ['Same as the browser', 'Wie im Browser eingestellt'],
  timeZone: ['Time zone', 'Zeitzone'],
  changePassword: ['Change password', 'Passwort ändern'],
  presentPassword: ['Current password', 'Aktuelles Passwort'],
  sessions: ['Sessions', 'Sitzungen'],
  thisSession: ['Current session', 'Aktuelle Sitzung'],
  unknownBrowser: ['Unknown browser', 'Unbekannter Browser'],
  since: ['since', 'seit'],
  lastUsed: ['last used', 'zuletzt benutzt'],
  end: ['Sign out', 'Abmelden'],
  endText: ['Enter your password to confirm.', 'Geben Sie zur Bestätigung Ihr Passwort ein.'],
  everywhere: ['Sign out everywhere', 'Überall abmelden'],
  done: {
    saved: ['Preferences saved.', 'Einstellungen gespeichert.'],
    email_sent: [
      'Check the inbox of the new address: if it has no account yet, we sent a link there that works for one hour.',
      'Sehen Sie im Postfach der neuen Adresse nach: Hat sie noch kein Konto, liegt dort ein Link, der eine Stunde gilt.',
    ],
    email: ['Email address changed.', 'E-Mail-Adresse geändert.'],
    password: [
      'Password changed. All other sessions were signed out.',
      'Passwort geändert. Alle anderen Sitzungen wurden beendet.',
    ],
    password_removed: [
      'Password removed. All other sessions were signed out.',
      'Passwort entfernt. Alle anderen Sitzungen wurden beendet.',
    ],
    ended: ['Session ended.', 'Sitzung beendet.'],
  },
});

export const ACCOUNT_TEXTS = catalog({
  en: {
    ...ACCOUNT_WORDS.en,
    noEmail: 'Invalid email address. Enter one such as ada@example.com.',
    preferencesText: 'Your name appears in the header and in the list of members.',
    nameHint: 'Optional. Without one, members see your email address.',
    emailText: 'You sign in with this address. Password reset links go to it.',
    wrongPassword: 'Wrong password. Enter your current password.',
    changeEnds: 'Changing the password signs you out of all other sessions.',
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    endOf: (browser: string, address: string) => `Sign out: ${browser}, ${address}`,
    delete: {
      link: 'Delete account',
      short: 'Removes you from all teams. Forms and submissions stay with their teams.',
      title: 'Delete your account',
      text: 'You are signed out everywhere and removed from all teams immediately, and your open invitations stop working. Forms, submissions and API keys stay with their teams. The audit log keeps your email address until its entries expire.',
      button: 'Delete permanently',
      onlyOwner: (teams: readonly string[]) =>
        `Account not deleted: you are the only owner of ${teams.map((team) => `“${team}”`).join(', ')}. Make someone else an owner under “Team” first.`,
    },
  },
  de: {
    ...ACCOUNT_WORDS.de,
    noEmail: 'Ungültige E-Mail-Adresse. Geben Sie eine wie ada@example.com ein.',
    preferencesText: 'Ihr Name erscheint in der Kopfzeile und in der Liste der Mitglieder.',
    nameHint: 'Optional. Ohne Namen sehen Mitglieder Ihre E-Mail-Adresse.',
    emailText: 'Mit dieser Adresse melden Sie sich an. Links zum Zurücksetzen des Passworts gehen an sie.',
    wrongPassword: 'Falsches Passwort. Geben Sie Ihr aktuelles Passwort ein.',
    changeEnds: 'Wenn Sie das Passwort ändern, werden Sie in allen anderen Sitzungen abgemeldet.',
    browserOn: (browser, system) => `${browser} unter ${system}`,
    endOf: (browser, address) => `Abmelden: ${browser}, ${address}`,
    delete: {
      link: 'Konto löschen',
      short: 'Entfernt Sie aus allen Teams. Formulare und Einsendungen bleiben bei ihren Teams.',
      title: 'Ihr Konto löschen',
      text: 'Sie werden sofort überall abgemeldet und aus allen Teams entfernt, und Ihre offenen Einladungen werden ungültig. Formulare, Einsendungen und API-Schlüssel bleiben bei ihren Teams. Das Protokoll behält Ihre E-Mail-Adresse, bis seine Einträge ablaufen.',
      button: 'Endgültig löschen',
      onlyOwner: (teams) =>
        `Konto nicht gelöscht: Nur Sie sind Inhaber von ${teams.map((team) => `„${team}“`).join(', ')}. Geben Sie diese Rolle zuerst unter „Team“ jemand anderem.`,
    },
  },
});

const EMAIL_WORDS = pairs({
  title: ['Change email address', 'E-Mail-Adresse ändern'],
  new: ['New email address', 'Neue E-Mail-Adresse'],
  send: ['Send link', 'Link senden'],
  confirm: ['Change address', 'Adresse ändern'],
});

/** Changing one’s own email address. */
export const EMAIL_TEXTS = catalog({
  en: {
    ...EMAIL_WORDS.en,
    text: (email: string) =>
      `Your address is ${email}. It stays the same until you open the link that is mailed to the new one.`,
    same: 'This is your current address. Enter another one.',
    tooMany: 'Too many links requested in the last hour. Try again later.',
    noMail:
      'This server can’t send email, so a new address can’t be confirmed. Ask the server administrator to set up a mail server and BASE_URL.',
    confirmTitle: (to: string) => `Change your email address to ${to}?`,
    confirmText: 'You sign in with the new address from then on. Your password and sessions stay the same.',
    invalid: 'It was already used, has expired, or is for another account. You can request a new one.',
    mail: {
      subject: 'Confirm your new email address',
      before: 'Confirm this address for your Formstead account with this link. It works once, within one hour:',
      button: 'Confirm address',
      after: 'If you did not ask for this, ignore this email. Nothing changes.',
    },
    /** Sent to the previous address. */
    former: {
      subject: 'Your Formstead email address was changed',
      before: (to: string) => `The address of your Formstead account is now ${to}. Sign in with it here:`,
      button: 'Sign in',
      after: 'If it wasn’t you, tell the server administrator now.',
    },
  },
  de: {
    ...EMAIL_WORDS.de,
    text: (email) =>
      `Ihre Adresse ist ${email}. Sie ändert sich erst, wenn Sie den Link öffnen, der an die neue gesendet wird.`,
    same: 'Das ist Ihre jetzige Adresse. Geben Sie eine andere ein.',
    tooMany: 'In der letzten Stunde wurden zu viele Links angefordert. Versuchen Sie es später noch einmal.',
    noMail:
      'Dieser Server kann keine E-Mails senden, deshalb lässt sich eine neue Adresse nicht bestätigen. Bitten Sie die Verwaltung des Servers, einen Mailserver und BASE_URL einzurichten.',
    confirmTitle: (to) => `E-Mail-Adresse in ${to} ändern?`,
    confirmText: 'Von da an melden Sie sich mit der neuen Adresse an. Passwort und Sitzungen bleiben gleich.',
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
});

const SECOND_FACTOR_WORDS = pairs({
  title: ['Second factor', 'Zweiter Faktor'],
  isOn: ['On', 'An'],
  isOff: ['Off', 'Aus'],
  setUp: ['Set up', 'Einrichten'],
  manage: ['Manage', 'Verwalten'],
  scan: ['Add to your app', 'Zur App hinzufügen'],
  picture: ['QR code with the secret', 'QR-Code mit dem Schlüssel'],
  secret: ['Or enter the secret in the app:', 'Oder geben Sie den Schlüssel von Hand ein:'],
  openApp: ['Open in an app on this device', 'In einer App auf diesem Gerät öffnen'],
  confirm: ['Confirm', 'Bestätigen'],
  code: ['Code from the app', 'Code aus der App'],
  codeHint: ['Six digits that change every 30 seconds.', 'Sechs Ziffern, die sich alle 30 Sekunden ändern.'],
  anyCode: ['Code', 'Code'],
  enableSecondFactor: ['Turn on', 'Einschalten'],
  fewLeft: ['Create new ones now.', 'Erstellen Sie jetzt neue.'],
  change: ['Change second factor', 'Zweiten Faktor ändern'],
  newCodes: ['Create new recovery codes', 'Neue Wiederherstellungscodes erstellen'],
  turnOff: ['Turn off', 'Ausschalten'],
  codesTitle: ['Your recovery codes', 'Ihre Wiederherstellungscodes'],
  download: ['Download as text', 'Als Text herunterladen'],
  print: ['Print', 'Drucken'],
  kept: ['I saved my recovery codes', 'Ich habe die Codes gespeichert'],
});

export const SECOND_FACTOR_TEXTS = catalog({
  en: {
    ...SECOND_FACTOR_WORDS.en,
    about: 'When you sign in, you enter a code from an app on your phone or computer after your password.',
    demanded: (team: string | null) =>
      `${team === null ? 'This instance' : `The team “${team}”`} requires a second factor. Set one up to continue.`,
    scanText: 'Scan this QR code with an authenticator app or a password manager.',
    anyCodeHint: 'The current code from the app, or one of your recovery codes.',
    ends: 'Changing this signs you out of all other sessions.',
    wrongCode: 'Wrong code. Enter the current one, and check the clock of your device.',
    left: (count: number) =>
      count === 1 ? '1 recovery code left.' : `${count === 0 ? 'No' : count} recovery codes left.`,
    changeText:
      'New recovery codes replace the ones you have. If you turn off the second factor, you sign in with your password alone.',
    changeDemanded: (team: string | null) =>
      `${team === null ? 'This instance' : `The team “${team}”`} requires a second factor. If you turn it off, you can’t open its pages.`,
    done: { off: 'Second factor turned off. All other sessions were signed out.' },
    turnedOn: 'Second factor turned on. All other sessions were signed out.',
    renewed: 'Recovery codes replaced. All other sessions were signed out.',
    codesText:
      'If you lose your device, sign in with one of these instead of a code from the app. Each works once. Save them somewhere else now: they are not shown again.',
    codesFile: (email: string) => `Recovery codes for Formstead, ${email}. Each works once.`,
    ask: {
      text: 'Enter the code from your app to finish signing in.',
      submit: 'Sign in',
      lost: 'Can’t use the app?',
      recoveryCode: 'Recovery code',
      recoveryHint: 'One of the ten codes you saved, such as ABCDE-12345-… Each works once.',
      useRecovery: 'Sign in with a recovery code',
      noCodes: 'If you have no recovery codes left, ask the server administrator to turn off your second factor:',
      wrong: 'Wrong code, or already used. Enter the current code from the app, or a recovery code.',
      wait: (seconds: number) => `Too many wrong codes. Try again in ${hours(seconds)}.`,
      other: 'Start over',
      endedTitle: 'Too many wrong codes',
      endedText: 'Sign in again with your password.',
    },
    team: {
      title: (team: string) => `Second factor for the team “${team}”`,
      link: 'Require two-factor sign-in',
      text: 'Members without a second factor must set one up before they can see the team’s pages. Changes take effect immediately and do not affect API keys.',
      isRequired: 'Required',
      isNotRequired: 'Not required',
      require: 'Require for all members',
      release: 'Stop requiring',
      ofInstance: 'This server requires a second factor from all users, in all teams.',
      needsOwn: 'Set up your own second factor before you require one from others.',
      done: { required: 'Second factor required for all members.', released: 'Second factor no longer required.' },
    },
  },
  de: {
    ...SECOND_FACTOR_WORDS.de,
    about: 'Beim Anmelden geben Sie nach dem Passwort einen Code aus einer App auf Ihrem Telefon oder Rechner ein.',
    demanded: (team) =>
      `${team === null ? 'Diese Instanz' : `Das Team „${team}“`} verlangt einen zweiten Faktor. Richten Sie einen ein, um fortzufahren.`,
    scanText: 'Scannen Sie diesen QR-Code mit einer Authenticator-App oder einem Passwortmanager.',
    anyCodeHint: 'Der aktuelle Code aus der App oder einer Ihrer Wiederherstellungscodes.',
    ends: 'Bei einer Änderung werden Sie in allen anderen Sitzungen abgemeldet.',
    wrongCode: 'Falscher Code. Geben Sie den aktuellen ein und prüfen Sie die Uhr Ihres Geräts.',
    left: (count) =>
      count === 1
        ? 'Noch 1 Wiederherstellungscode übrig.'
        : `${count === 0 ? 'Keine' : `Noch ${count}`} Wiederherstellungscodes übrig.`,
    changeText:
      'Neue Wiederherstellungscodes ersetzen die bisherigen. Wenn Sie den zweiten Faktor ausschalten, melden Sie sich nur mit Ihrem Passwort an.',
    changeDemanded: (team) =>
      `${team === null ? 'Diese Instanz' : `Das Team „${team}“`} verlangt einen zweiten Faktor. Wenn Sie ihn ausschalten, können Sie ${team === null ? 'ihre' : 'seine'} Seiten nicht öffnen.`,
    done: { off: 'Zweiter Faktor ausgeschaltet. Alle anderen Sitzungen wurden beendet.' },
    turnedOn: 'Zweiter Faktor eingeschaltet. Alle anderen Sitzungen wurden beendet.',
    renewed: 'Wiederherstellungscodes ersetzt. Alle anderen Sitzungen wurden beendet.',
    codesText:
      'Wenn Sie Ihr Gerät verlieren, melden Sie sich mit einem dieser Codes statt mit einem Code aus der App an. Jeder gilt einmal. Speichern Sie sie jetzt an einem anderen Ort: Sie werden nicht noch einmal angezeigt.',
    codesFile: (email) => `Wiederherstellungscodes für Formstead, ${email}. Jeder gilt einmal.`,
    ask: {
      text: 'Geben Sie den Code aus Ihrer App ein, um die Anmeldung abzuschließen.',
      submit: 'Anmelden',
      lost: 'Kein Zugriff auf die App?',
      recoveryCode: 'Wiederherstellungscode',
      recoveryHint: 'Einer der zehn Codes, die Sie gespeichert haben, etwa ABCDE-12345-… Jeder gilt einmal.',
      useRecovery: 'Mit Wiederherstellungscode anmelden',
      noCodes:
        'Wenn Sie keinen Wiederherstellungscode mehr haben, kann der Administrator des Servers Ihren zweiten Faktor ausschalten:',
      wrong:
        'Der Code ist falsch oder wurde schon benutzt. Geben Sie den aktuellen Code aus der App oder einen Wiederherstellungscode ein.',
      wait: (seconds) => `Zu viele falsche Codes. Versuchen Sie es in ${germanHours(seconds)} wieder.`,
      other: 'Von vorn beginnen',
      endedTitle: 'Zu viele falsche Codes',
      endedText: 'Melden Sie sich noch einmal mit Ihrem Passwort an.',
    },
    team: {
      title: (team) => `Zweiter Faktor für das Team „${team}“`,
      link: 'Zweiten Faktor verlangen',
      text: 'Mitglieder ohne zweiten Faktor müssen einen einrichten, bevor sie die Seiten des Teams sehen. Änderungen gelten sofort und betreffen API-Schlüssel nicht.',
      isRequired: 'Verlangt',
      isNotRequired: 'Nicht verlangt',
      require: 'Von allen Mitgliedern verlangen',
      release: 'Nicht mehr verlangen',
      ofInstance: 'Dieser Server verlangt von allen einen zweiten Faktor, in jedem Team.',
      needsOwn: 'Richten Sie zuerst Ihren eigenen zweiten Faktor ein, bevor Sie ihn von anderen verlangen.',
      done: {
        required: 'Zweiter Faktor wird jetzt von allen Mitgliedern verlangt.',
        released: 'Zweiter Faktor wird nicht mehr verlangt.',
      },
    },
  },
});
