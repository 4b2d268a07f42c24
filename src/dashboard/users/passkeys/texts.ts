import { catalog } from '../../ui/catalog.ts';

export const PASSKEY_TEXTS = catalog({
  en: {
    title: 'Passkeys',
    about: 'Sign in with your fingerprint, face, PIN or security key instead of a password.',
    count: (count: number) => (count === 0 ? 'None yet' : count === 1 ? '1 passkey' : `${count} passkeys`),
    manage: 'Manage passkeys',
    unavailable: (baseUrl: string | null) =>
      `Passkeys can’t be used here: ${baseUrl === null ? 'BASE_URL is not set' : `BASE_URL is ${baseUrl}`}. Browsers require https and a host name, or localhost. Ask the server administrator to set BASE_URL to such an address.`,
    list: 'Your passkeys',
    none: 'You have no passkeys yet.',
    added: 'added',
    lastUsed: 'last used',
    name: 'Name',
    nameHint: 'The device or password manager that keeps it.',
    rename: 'Rename',
    nameOf: (name: string) => `Name of “${name}”`,
    remove: 'Remove',
    removeOf: (name: string) => `Remove the passkey “${name}”`,
    removeText:
      'It no longer signs you in, and you are signed out of all other sessions. Your device may go on offering it until you delete it there.',
    lastOne:
      'Passkey not removed: without a password, you need at least one. Set a password or add another passkey first.',
    add: 'Add passkey',
    addText: 'Your browser asks where to keep it. You confirm with your password or with a passkey you have.',
    known: 'This device already has a passkey for your account.',
    tooMany: 'Passkey not added: an account may have 20. Remove one first.',
    notAdded: 'Passkey not added: the answer of the browser was wrong or came too late. Try again.',
    signIn: 'Sign in with a passkey',
    use: 'Use a passkey instead',
    useOnly: 'Confirm with a passkey',
    confirmed: 'Confirmed with a passkey',
    canceled: 'No passkey was used. Try again.',
    needsScript: 'Passkeys need JavaScript.',
    unsupported: 'This browser doesn’t support passkeys.',
    unknown: 'This passkey isn’t registered here. It may have been removed. Sign in another way.',
    refused: 'The passkey could not be verified, or the answer came too late. Try again.',
    cloned:
      'Passkey refused: its use counter shows that the device was copied. Sign in another way, and remove this passkey under “Account”.',
    password: {
      remove: 'Remove password',
      title: 'Remove your password',
      text: 'You then sign in with passkeys only, and are signed out of all other sessions. If you lose your passkeys, enter your email address and one of your recovery codes in place of the password, or ask the server administrator for a link.',
      needsMore:
        'Password not removed: you need two passkeys, or one passkey and the recovery codes of the second factor.',
      set: 'Set a password',
      setText: 'You sign in with passkeys only. Setting a password signs you out of all other sessions.',
      none: 'An account without a password gets no link: sign in with your email address, and one of your recovery codes in place of the password.',
    },
    done: {
      added: 'Passkey added.',
      renamed: 'Passkey renamed.',
      removed: 'Passkey removed. All other sessions were signed out.',
    },
  },
  de: {
    title: 'Passkeys',
    about: 'Melden Sie sich mit Fingerabdruck, Gesicht, PIN oder Sicherheitsschlüssel statt mit einem Passwort an.',
    count: (count) => (count === 0 ? 'Noch keiner' : count === 1 ? '1 Passkey' : `${count} Passkeys`),
    manage: 'Passkeys verwalten',
    unavailable: (baseUrl) =>
      `Passkeys lassen sich hier nicht verwenden: ${baseUrl === null ? 'BASE_URL ist nicht gesetzt' : `BASE_URL ist ${baseUrl}`}. Browser verlangen https und einen Hostnamen oder localhost. Bitten Sie die Verwaltung des Servers, BASE_URL auf eine solche Adresse zu setzen.`,
    list: 'Ihre Passkeys',
    none: 'Sie haben noch keine Passkeys.',
    added: 'hinzugefügt',
    lastUsed: 'zuletzt benutzt',
    name: 'Name',
    nameHint: 'Das Gerät oder der Passwortmanager, der ihn aufbewahrt.',
    rename: 'Umbenennen',
    nameOf: (name) => `Name von „${name}“`,
    remove: 'Entfernen',
    removeOf: (name) => `Den Passkey „${name}“ entfernen`,
    removeText:
      'Sie können sich damit nicht mehr anmelden, und alle anderen Sitzungen werden beendet. Ihr Gerät bietet ihn vielleicht weiter an, bis Sie ihn dort löschen.',
    lastOne:
      'Passkey nicht entfernt: Ohne Passwort brauchen Sie mindestens einen. Legen Sie zuerst ein Passwort fest oder fügen Sie einen weiteren Passkey hinzu.',
    add: 'Passkey hinzufügen',
    addText:
      'Ihr Browser fragt, wo er aufbewahrt wird. Sie bestätigen mit Ihrem Passwort oder einem vorhandenen Passkey.',
    known: 'Dieses Gerät hat schon einen Passkey für Ihr Konto.',
    tooMany: 'Passkey nicht hinzugefügt: Ein Konto kann 20 haben. Entfernen Sie zuerst einen.',
    notAdded:
      'Passkey nicht hinzugefügt: Die Antwort des Browsers war falsch oder kam zu spät. Versuchen Sie es noch einmal.',
    signIn: 'Mit Passkey anmelden',
    use: 'Stattdessen einen Passkey verwenden',
    useOnly: 'Mit Passkey bestätigen',
    confirmed: 'Mit Passkey bestätigt',
    canceled: 'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal.',
    needsScript: 'Passkeys brauchen JavaScript.',
    unsupported: 'Dieser Browser unterstützt keine Passkeys.',
    unknown:
      'Dieser Passkey ist hier nicht bekannt. Vielleicht wurde er entfernt. Melden Sie sich auf andere Weise an.',
    refused: 'Der Passkey ließ sich nicht prüfen, oder die Antwort kam zu spät. Versuchen Sie es noch einmal.',
    cloned:
      'Passkey abgelehnt: Sein Zähler zeigt, dass das Gerät kopiert wurde. Melden Sie sich auf andere Weise an und entfernen Sie diesen Passkey unter „Konto“.',
    password: {
      remove: 'Passwort entfernen',
      title: 'Ihr Passwort entfernen',
      text: 'Danach melden Sie sich nur noch mit Passkeys an, und alle anderen Sitzungen werden beendet. Wenn Sie Ihre Passkeys verlieren, geben Sie Ihre E-Mail-Adresse und anstelle des Passworts einen Ihrer Wiederherstellungscodes ein oder bitten Sie die Verwaltung des Servers um einen Link.',
      needsMore:
        'Passwort nicht entfernt: Sie brauchen zwei Passkeys, oder einen Passkey und die Wiederherstellungscodes des zweiten Faktors.',
      set: 'Passwort festlegen',
      setText:
        'Sie melden sich nur mit Passkeys an. Wenn Sie ein Passwort festlegen, werden alle anderen Sitzungen beendet.',
      none: 'Ein Konto ohne Passwort bekommt keinen Link: Melden Sie sich mit Ihrer E-Mail-Adresse und einem Ihrer Wiederherstellungscodes anstelle des Passworts an.',
    },
    done: {
      added: 'Passkey hinzugefügt.',
      renamed: 'Passkey umbenannt.',
      removed: 'Passkey entfernt. Alle anderen Sitzungen wurden beendet.',
    },
  },
});
