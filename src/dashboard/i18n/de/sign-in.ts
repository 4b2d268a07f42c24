import type { Texts } from '../index.ts';

export const SIGN_IN: Pick<Texts, 'recentPassword' | 'password' | 'signIn' | 'secondFactor' | 'welcome' | 'reset'> = {
  recentPassword: {
    title: 'Passwort bestätigen',
    text: 'Sie haben Ihr Passwort zuletzt vor mehr als zehn Minuten eingegeben. Geben Sie es noch einmal ein, um fortzufahren. Ihre Eingaben bleiben erhalten.',
    button: 'Weiter',
  },
  password: {
    label: 'Passwort',
    new: 'Neues Passwort',
    show: 'Anzeigen',
    hint: (shortest) =>
      `Mindestens ${shortest} Zeichen. Gut geeignet sind drei oder vier beliebige Wörter ohne Zusammenhang.`,
    errors: {
      too_short: 'Das Passwort ist zu kurz. Verwenden Sie mindestens 12 Zeichen.',
      too_long: 'Das Passwort ist zu lang. Verwenden Sie höchstens 200 Zeichen.',
      guessable: 'Das Passwort ist zu leicht zu erraten. Verwenden Sie drei oder vier Wörter ohne Zusammenhang.',
    },
  },
  signIn: {
    title: 'Anmelden',
    submit: 'Anmelden',
    forgotten: 'Passwort vergessen?',
    wrong: 'E-Mail-Adresse oder Passwort ist falsch. Prüfen Sie beides und versuchen Sie es noch einmal.',
    wait: (seconds) =>
      `Zu viele Versuche. Versuchen Sie es in ${minutes(seconds)} wieder oder setzen Sie Ihr Passwort zurück.`,
    first:
      'Noch kein Konto vorhanden. Öffnen Sie den Link, den der Server beim Start ausgegeben hat, oder führen Sie „formstead user create“ aus, um einen neuen zu bekommen.',
    done: {
      out: 'Abgemeldet.',
      everywhere: 'Überall abgemeldet.',
      deleted: 'Konto gelöscht.',
    },
  },
  secondFactor: {
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
    picture: 'QR-Code mit dem Geheimnis',
    secret: 'Oder geben Sie das Geheimnis in die App ein:',
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
      wait: (seconds) => `Zu viele falsche Codes. Versuchen Sie es in ${hours(seconds)} wieder.`,
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
  welcome: {
    title: 'Konto anlegen',
    text: 'Sie melden sich mit E-Mail-Adresse und Passwort an. Links zum Zurücksetzen des Passworts gehen an diese Adresse.',
    submit: 'Konto anlegen',
    taken:
      'Es gibt schon ein Konto mit dieser E-Mail-Adresse. Melden Sie sich an oder verwenden Sie eine andere Adresse.',
    into: (team, role) => `Sie treten dem Team „${team}“ bei (Rolle: ${role}).`,
    hasAccount: 'Schon ein Konto? Zuerst anmelden',
    joinTitle: (team, role) => `Dem Team „${team}“ beitreten, Rolle: ${role}`,
    joinText: (email) => `Sie sind als ${email} angemeldet. Sie können jederzeit zwischen Ihren Teams wechseln.`,
    join: 'Dem Team beitreten',
    isMember: (team, role) =>
      `Sie sind schon Mitglied im Team „${team}“ (Rolle: ${role}). Der Link ist noch unbenutzt.`,
    usedUpInvited: 'Wenn Sie eingeladen wurden, bitten Sie um eine neue Einladung.',
    usedUp: 'Dieser Link gilt nicht mehr',
    usedUpText: 'Er wurde schon benutzt oder ist abgelaufen. Auf dem Server gibt dieser Befehl einen neuen Link aus:',
  },
  reset: {
    title: 'Passwort zurücksetzen',
    text: 'Geben Sie die E-Mail-Adresse ein, mit der Sie sich anmelden. Sie bekommen einen Link per E-Mail.',
    submit: 'Link senden',
    done: {
      sent: 'Wenn es ein Konto mit dieser Adresse gibt, wurde ein Link dorthin gesendet. Der Link gilt eine Stunde.',
    },
    noMail:
      'Dieser Server kann keine Links per E-Mail senden. Der Administrator des Servers kann einen Link für Sie ausgeben:',
    toHaveMail: 'Um Links per E-Mail zu senden, setzen Sie SMTP_URL, MAIL_FROM und BASE_URL.',
    setTitle: 'Neues Passwort',
    setText: 'Sie werden hier angemeldet und in allen anderen Sitzungen abgemeldet.',
    setSubmit: 'Passwort setzen',
    usedUpText: 'Er wurde schon benutzt oder ist abgelaufen. Sie können einen neuen anfordern.',
    mail: {
      subject: 'Ihr Formstead-Passwort zurücksetzen',
      before:
        'Jemand, vermutlich Sie, möchte Ihr Formstead-Passwort zurücksetzen. Der Link für ein neues Passwort gilt einmal, innerhalb einer Stunde.',
      button: 'Neues Passwort festlegen',
      after: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Ihr Passwort bleibt unverändert.',
    },
  },
};

function hours(seconds: number): string {
  return seconds <= 5400 ? minutes(seconds) : `${Math.ceil(seconds / 3600)} Stunden`;
}

function minutes(seconds: number): string {
  return seconds <= 60 ? 'einer Minute' : `${Math.ceil(seconds / 60)} Minuten`;
}
