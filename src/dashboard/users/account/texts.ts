import { catalog } from '../../ui/catalog.ts';

function hours(seconds: number): string {
  return seconds <= 5400 ? minutes(seconds) : `${Math.ceil(seconds / 3600)} hours`;
}

function minutes(seconds: number): string {
  return seconds <= 60 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`;
}

function germanHours(seconds: number): string {
  return seconds <= 5400 ? germanMinutes(seconds) : `${Math.ceil(seconds / 3600)} Stunden`;
}

function germanMinutes(seconds: number): string {
  return seconds <= 60 ? 'einer Minute' : `${Math.ceil(seconds / 60)} Minuten`;
}

export const ACCOUNT_TEXTS = catalog({
  en: {
    title: 'Account',
    email: 'Email address',
    noEmail: 'Invalid email address. Enter one such as ada@example.com.',
    preferences: 'Profile',
    preferencesText: 'Your name appears in the header and in the list of members.',
    name: 'Name',
    nameHint: 'Optional. Without one, members see your email address.',
    emailText: 'You sign in with this address. Password reset links go to it.',
    changeEmail: 'Change address',
    language: 'Language',
    asBrowser: 'Same as the browser',
    timeZone: 'Time zone',
    changePassword: 'Change password',
    presentPassword: 'Current password',
    wrongPassword: 'Wrong password. Enter your current password.',
    changeEnds: 'Changing the password signs you out of all other sessions.',
    sessions: 'Sessions',
    thisSession: 'Current session',
    unknownBrowser: 'Unknown browser',
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    since: 'since',
    lastUsed: 'last used',
    end: 'Sign out',
    endText: 'Enter your password to confirm.',
    endOf: (browser: string, address: string) => `Sign out: ${browser}, ${address}`,
    everywhere: 'Sign out everywhere',
    delete: {
      link: 'Delete account',
      short: 'Removes you from all teams. Forms and submissions stay with their teams.',
      title: 'Delete your account',
      text: 'You are signed out everywhere and removed from all teams immediately, and your open invitations stop working. Forms, submissions and API keys stay with their teams. The audit log keeps your email address until its entries expire.',
      button: 'Delete permanently',
      onlyOwner: (teams: readonly string[]) =>
        `Account not deleted: you are the only owner of ${teams.map((team) => `“${team}”`).join(', ')}. Make someone else an owner under “Team” first.`,
    },
    done: {
      saved: 'Preferences saved.',
      email_sent:
        'Check the inbox of the new address: if it has no account yet, we sent a link there that works for one hour.',
      email: 'Email address changed.',
      password: 'Password changed. All other sessions were signed out.',
      password_removed: 'Password removed. All other sessions were signed out.',
      ended: 'Session ended.',
    },
  },
  de: {
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
        `Konto nicht gelöscht: Nur Sie sind Inhaber von ${teams.map((team) => `„${team}“`).join(', ')}. Geben Sie diese Rolle zuerst unter „Team“ jemand anderem.`,
    },
    done: {
      saved: 'Einstellungen gespeichert.',
      email_sent:
        'Sehen Sie im Postfach der neuen Adresse nach: Hat sie noch kein Konto, liegt dort ein Link, der eine Stunde gilt.',
      email: 'E-Mail-Adresse geändert.',
      password: 'Passwort geändert. Alle anderen Sitzungen wurden beendet.',
      password_removed: 'Passwort entfernt. Alle anderen Sitzungen wurden beendet.',
      ended: 'Sitzung beendet.',
    },
  },
});

/** Changing one’s own email address. */
export const EMAIL_TEXTS = catalog({
  en: {
    title: 'Change email address',
    text: (email: string) =>
      `Your address is ${email}. It stays the same until you open the link that is mailed to the new one.`,
    new: 'New email address',
    send: 'Send link',
    same: 'This is your current address. Enter another one.',
    tooMany: 'Too many links requested in the last hour. Try again later.',
    noMail:
      'This server can’t send email, so a new address can’t be confirmed. Ask the server administrator to set SMTP_URL, MAIL_FROM and BASE_URL.',
    confirmTitle: (to: string) => `Change your email address to ${to}?`,
    confirmText: 'You sign in with the new address from then on. Your password and sessions stay the same.',
    confirm: 'Change address',
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
});

export const SECOND_FACTOR_TEXTS = catalog({
  en: {
    title: 'Second factor',
    about: 'When you sign in, you enter a code from an app on your phone or computer after your password.',
    isOn: 'On',
    isOff: 'Off',
    setUp: 'Set up',
    manage: 'Manage',
    demanded: (team: string | null) =>
      `${team === null ? 'This instance' : `The team “${team}”`} requires a second factor. Set one up to continue.`,
    scan: 'Add to your app',
    scanText: 'Scan this QR code with an authenticator app or a password manager.',
    picture: 'QR code with the secret',
    secret: 'Or enter the secret in the app:',
    openApp: 'Open in an app on this device',
    confirm: 'Confirm',
    code: 'Code from the app',
    codeHint: 'Six digits that change every 30 seconds.',
    anyCode: 'Code',
    anyCodeHint: 'The current code from the app, or one of your recovery codes.',
    enableSecondFactor: 'Turn on',
    ends: 'Changing this signs you out of all other sessions.',
    wrongCode: 'Wrong code. Enter the current one, and check the clock of your device.',
    left: (count: number) =>
      count === 1 ? '1 recovery code left.' : `${count === 0 ? 'No' : count} recovery codes left.`,
    fewLeft: 'Create new ones now.',
    change: 'Change second factor',
    changeText:
      'New recovery codes replace the ones you have. If you turn off the second factor, you sign in with your password alone.',
    changeDemanded: (team: string | null) =>
      `${team === null ? 'This instance' : `The team “${team}”`} requires a second factor. If you turn it off, you can’t open its pages.`,
    newCodes: 'Create new recovery codes',
    turnOff: 'Turn off',
    done: { off: 'Second factor turned off. All other sessions were signed out.' },
    codesTitle: 'Your recovery codes',
    turnedOn: 'Second factor turned on. All other sessions were signed out.',
    renewed: 'Recovery codes replaced. All other sessions were signed out.',
    codesText:
      'If you lose your device, sign in with one of these instead of a code from the app. Each works once. Save them somewhere else now: they are not shown again.',
    codesFile: (email: string) => `Recovery codes for Formstead, ${email}. Each works once.`,
    download: 'Download as text',
    print: 'Print',
    kept: 'I saved my recovery codes',
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
    title: 'Zweiter Faktor',
    about: 'Beim Anmelden geben Sie nach dem Passwort einen Code aus einer App auf Ihrem Telefon oder Rechner ein.',
    isOn: 'An',
    isOff: 'Aus',
    setUp: 'Einrichten',
    manage: 'Verwalten',
    demanded: (team) =>
      `${team === null ? 'Diese Instanz' : `Das Team „${team}“`} verlangt einen zweiten Faktor. Richten Sie einen ein, um fortzufahren.`,
    scan: 'Zur App hinzufügen',
    scanText: 'Scannen Sie diesen QR-Code mit einer Authenticator-App oder einem Passwortmanager.',
    picture: 'QR-Code mit dem Schlüssel',
    secret: 'Oder geben Sie den Schlüssel von Hand ein:',
    openApp: 'In einer App auf diesem Gerät öffnen',
    confirm: 'Bestätigen',
    code: 'Code aus der App',
    codeHint: 'Sechs Ziffern, die sich alle 30 Sekunden ändern.',
    anyCode: 'Code',
    anyCodeHint: 'Der aktuelle Code aus der App oder einer Ihrer Wiederherstellungscodes.',
    enableSecondFactor: 'Einschalten',
    ends: 'Bei einer Änderung werden Sie in allen anderen Sitzungen abgemeldet.',
    wrongCode: 'Falscher Code. Geben Sie den aktuellen ein und prüfen Sie die Uhr Ihres Geräts.',
    left: (count) =>
      count === 1
        ? 'Noch 1 Wiederherstellungscode übrig.'
        : `${count === 0 ? 'Keine' : `Noch ${count}`} Wiederherstellungscodes übrig.`,
    fewLeft: 'Erstellen Sie jetzt neue.',
    change: 'Zweiten Faktor ändern',
    changeText:
      'Neue Wiederherstellungscodes ersetzen die bisherigen. Wenn Sie den zweiten Faktor ausschalten, melden Sie sich nur mit Ihrem Passwort an.',
    changeDemanded: (team) =>
      `${team === null ? 'Diese Instanz' : `Das Team „${team}“`} verlangt einen zweiten Faktor. Wenn Sie ihn ausschalten, können Sie ${team === null ? 'ihre' : 'seine'} Seiten nicht öffnen.`,
    newCodes: 'Neue Wiederherstellungscodes erstellen',
    turnOff: 'Ausschalten',
    done: { off: 'Zweiter Faktor ausgeschaltet. Alle anderen Sitzungen wurden beendet.' },
    codesTitle: 'Ihre Wiederherstellungscodes',
    turnedOn: 'Zweiter Faktor eingeschaltet. Alle anderen Sitzungen wurden beendet.',
    renewed: 'Wiederherstellungscodes ersetzt. Alle anderen Sitzungen wurden beendet.',
    codesText:
      'Wenn Sie Ihr Gerät verlieren, melden Sie sich mit einem dieser Codes statt mit einem Code aus der App an. Jeder gilt einmal. Speichern Sie sie jetzt an einem anderen Ort: Sie werden nicht noch einmal angezeigt.',
    codesFile: (email) => `Wiederherstellungscodes für Formstead, ${email}. Jeder gilt einmal.`,
    download: 'Als Text herunterladen',
    print: 'Drucken',
    kept: 'Ich habe die Codes gespeichert',
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
