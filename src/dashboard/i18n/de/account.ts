import type { Texts } from '../index.ts';

export const ACCOUNT: Pick<Texts, 'account'> = {
  account: {
    title: 'Konto',
    email: 'E-Mail-Adresse',
    noEmail: 'Ungültige E-Mail-Adresse. Geben Sie eine wie ada@example.com ein.',
    preferences: 'Sprache und Zeit',
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
      title: 'Ihr Konto löschen',
      text: 'Sie werden sofort überall abgemeldet und aus allen Teams entfernt, und Ihre offenen Einladungen werden ungültig. Formulare, Einsendungen und API-Schlüssel bleiben bei ihren Teams. Das Protokoll behält Ihre E-Mail-Adresse, bis seine Einträge ablaufen.',
      button: 'Endgültig löschen',
      onlyOwner: (teams) =>
        `Konto nicht gelöscht: Nur Sie haben die Leitung von ${teams.map((team) => `„${team}“`).join(', ')}. Geben Sie diese Rolle zuerst unter „Team“ jemand anderem.`,
    },
    done: {
      saved: 'Einstellungen gespeichert.',
      password: 'Passwort geändert. Alle anderen Sitzungen wurden beendet.',
      ended: 'Sitzung beendet.',
    },
  },
};
