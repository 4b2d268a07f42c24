import { pairs } from '../../../lib/pairs.ts';
import { catalog } from '../../ui/catalog.ts';

const WORDS = pairs({
  title: ['Passkeys', 'Passkeys'],
  nameHint: [
    'The device or password manager that keeps it.',
    'Das Gerät oder der Passwortmanager, der ihn aufbewahrt.',
  ],
  rename: ['Rename', 'Umbenennen'],
  remove: ['Remove', 'Entfernen'],
  manage: ['Manage passkeys', 'Passkeys verwalten'],
  add: ['Add passkey', 'Passkey hinzufügen'],
  signIn: ['Sign in with a passkey', 'Mit Passkey anmelden'],
  use: ['Confirm with a passkey', 'Mit Passkey bestätigen'],
  confirmed: ['Confirmed with a passkey', 'Mit Passkey bestätigt'],
  needsScript: ['Passkeys need JavaScript.', 'Passkeys brauchen JavaScript.'],
  unsupported: ['This browser doesn’t support passkeys.', 'Dieser Browser unterstützt keine Passkeys.'],
  removePassword: ['Remove password', 'Passwort entfernen'],
  setPassword: ['Set a password', 'Passwort festlegen'],
});

export const PASSKEY_TEXTS = catalog({
  en: {
    ...WORDS.en,
    about: 'Sign in with your fingerprint, face, PIN or security key instead of a password.',
    count: (count: number) => (count === 0 ? 'None yet' : count === 1 ? '1 passkey' : `${count} passkeys`),
    unavailable: (baseUrl: string | null) =>
      `Passkeys can’t be used here: BASE_URL is ${baseUrl ?? 'not set'}. Browsers require https and a host name, or localhost. Ask the server administrator to set such an address.`,
    nameOf: (name: string) => `Name of the passkey “${name}”`,
    removeOf: (name: string) => `Remove the passkey “${name}”`,
    removeText: 'It no longer signs you in, and you are signed out of all other sessions. Delete it on the device too.',
    lastOne: 'Passkey not removed: it is your last one, and you have no password. Set a password first.',
    known: 'This device already has a passkey for an account here.',
    tooMany: 'Passkey not added: an account may have 20. Remove one first.',
    canceled: 'No passkey was used. Try again.',
    unknown: 'This passkey is not registered here, or was removed. Sign in another way.',
    refused: 'The passkey could not be verified, or the answer came too late. Try again.',
    cloned:
      'Passkey refused: its counter shows that the device was copied. Sign in another way and remove the passkey.',
    removePasswordText:
      'You then sign in with passkeys only, and are signed out of all other sessions. If you lose them, enter your email address and a recovery code in place of the password, or ask the server administrator for a link.',
    needsMore: 'Password not removed: you need two passkeys, or one passkey and recovery codes of the second factor.',
    noLink:
      'An account without a password gets no link: sign in with your email address, and a recovery code in place of the password.',
    done: {
      added: 'Passkey added.',
      renamed: 'Passkey renamed.',
      removed: 'Passkey removed. All other sessions were signed out.',
    },
  },
  de: {
    ...WORDS.de,
    about: 'Melden Sie sich mit Fingerabdruck, Gesicht, PIN oder Sicherheitsschlüssel statt mit einem Passwort an.',
    count: (count) => (count === 0 ? 'Noch keiner' : count === 1 ? '1 Passkey' : `${count} Passkeys`),
    unavailable: (baseUrl) =>
      `Passkeys lassen sich hier nicht verwenden: BASE_URL ist ${baseUrl ?? 'nicht gesetzt'}. Browser verlangen https und einen Hostnamen oder localhost. Bitten Sie die Verwaltung des Servers, eine solche Adresse zu setzen.`,
    nameOf: (name) => `Name des Passkeys „${name}“`,
    removeOf: (name) => `Den Passkey „${name}“ entfernen`,
    removeText:
      'Er meldet Sie nicht mehr an, und alle anderen Sitzungen werden beendet. Löschen Sie ihn auch im Gerät.',
    lastOne: 'Passkey nicht entfernt: Er ist Ihr letzter, und Sie haben kein Passwort. Legen Sie zuerst eines fest.',
    known: 'Dieses Gerät hat schon einen Passkey für ein Konto hier.',
    tooMany: 'Passkey nicht hinzugefügt: Ein Konto kann 20 haben. Entfernen Sie zuerst einen.',
    canceled: 'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal.',
    unknown: 'Dieser Passkey ist hier nicht bekannt oder wurde entfernt. Melden Sie sich auf andere Weise an.',
    refused: 'Der Passkey ließ sich nicht prüfen, oder die Antwort kam zu spät. Versuchen Sie es noch einmal.',
    cloned:
      'Passkey abgelehnt: Sein Zähler zeigt, dass das Gerät kopiert wurde. Melden Sie sich auf andere Weise an und entfernen Sie ihn.',
    removePasswordText:
      'Danach melden Sie sich nur noch mit Passkeys an, und alle anderen Sitzungen werden beendet. Wenn Sie sie verlieren, geben Sie Ihre E-Mail-Adresse und anstelle des Passworts einen Wiederherstellungscode ein oder bitten Sie die Verwaltung des Servers um einen Link.',
    needsMore:
      'Passwort nicht entfernt: Sie brauchen zwei Passkeys, oder einen und Wiederherstellungscodes des zweiten Faktors.',
    noLink:
      'Ein Konto ohne Passwort bekommt keinen Link: Melden Sie sich mit Ihrer E-Mail-Adresse und einem Wiederherstellungscode anstelle des Passworts an.',
    done: {
      added: 'Passkey hinzugefügt.',
      renamed: 'Passkey umbenannt.',
      removed: 'Passkey entfernt. Alle anderen Sitzungen wurden beendet.',
    },
  },
});
