import type { Texts } from '../index.ts';

export const LAYOUT: Pick<
  Texts,
  | 'name'
  | 'skip'
  | 'navigation'
  | 'signOut'
  | 'manual'
  | 'themes'
  | 'teamSettings'
  | 'sections'
  | 'failedMails'
  | 'failure'
  | 'common'
> = {
  name: 'Deutsch',
  skip: 'Zum Inhalt springen',
  navigation: 'Hauptmenü',
  signOut: 'Abmelden',
  manual: 'Handbuch',
  themes: { label: 'Design', system: 'System', light: 'Hell', dark: 'Dunkel' },
  teamSettings: 'Team verwalten',
  sections: {
    inbox: 'Eingang',
    forms: 'Formulare',
    mail: 'E-Mail',
    usage: 'Verbrauch',
    status: 'Zustand',
    keys: 'API-Keys',
    team: 'Team',
    account: 'Konto',
  },
  failedMails: 'fehlgeschlagen',
  failure: {
    title: 'Etwas ist schiefgegangen',
    notFound: 'Nicht gefunden',
    back: 'Zu Ihren Formularen',
    codes: {
      origin_not_allowed:
        'Diese Anfrage kam nicht von dieser Website. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
      body_too_large: 'Das Formular ist zu groß. Kürzen Sie es und senden Sie es noch einmal.',
      body_too_slow: 'Das Formular ist nicht vollständig angekommen. Senden Sie es noch einmal.',
      invalid_input:
        'Die Adresse oder die Eingabe ist ungültig. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
      not_found: 'Diese Seite gibt es nicht, oder Sie haben keinen Zugriff darauf.',
      role_forbids: 'Ihre Rolle in diesem Team erlaubt das nicht. Bitten Sie die Leitung des Teams um eine andere.',
      conflict:
        'Jemand hat gleichzeitig etwas anderes geändert. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
      team_switched:
        'Sie haben in einem anderen Tab das Team gewechselt. Es wurde nichts geändert. Wechseln Sie zurück zum Team jener Seite und versuchen Sie es erneut.',
      rate_limited: 'Zu viele Anfragen. Versuchen Sie es in einer Minute noch einmal.',
      server_busy: 'Der Server empfängt gerade zu viele Anfragen. Versuchen Sie es in ein paar Sekunden noch einmal.',
      file_damaged: 'Die gespeicherte Datei ist beschädigt und nicht lesbar. Näheres steht im Log des Servers.',
      storage_unavailable: 'Zurzeit lässt sich nichts speichern. Versuchen Sie es später noch einmal.',
    },
    other: 'Das hat nicht funktioniert. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.',
    unforeseen: (id) => `Ein unerwarteter Fehler ist aufgetreten. Näheres steht im Log des Servers unter ${id}.`,
    noTeam: 'Ihr Konto gehört zu keinem Team. Bitten Sie die Leitung eines Teams um eine Einladung.',
  },
  common: {
    save: 'Speichern',
    cancel: 'Abbrechen',
    delete: 'Löschen',
    deleteNow: 'Jetzt löschen',
    restore: 'Wiederherstellen',
    undo: 'Rückgängig',
    sendAgain: 'Erneut senden',
    copy: 'Kopieren',
    copied: 'Kopiert',
    older: 'Ältere',
    newest: 'Neueste',
    yes: 'Ja',
    no: 'Nein',
  },
};
