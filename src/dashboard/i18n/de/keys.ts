import type { Texts } from '../index.ts';

export const KEYS: Pick<Texts, 'keys'> = {
  keys: {
    intro:
      'Programme lesen und verwalten Ihre Formulare mit einem API-Schlüssel. Schlüssel gehören auf Server, nie in eine Webseite.',
    docs: 'API-Referenz',
    noAccess: (plan) =>
      `Der Tarif „${plan}“ enthält keinen API-Zugang. Anfragen mit Schlüsseln dieses Teams schlagen fehl.`,
    made: 'API-Schlüssel erstellt',
    copyNow: 'Kopieren Sie den Schlüssel jetzt. Er wird nicht gespeichert und kann nicht noch einmal angezeigt werden.',
    secret: 'API-Schlüssel',
    copy: 'Kopieren',
    copied: 'Kopiert',
    none: 'Noch keine API-Schlüssel. Erstellen Sie unten einen, um Einsendungen mit einem Programm zu lesen.',
    create: 'API-Schlüssel erstellen',
    name: 'Name',
    nameHint: 'Das Programm, das den Schlüssel benutzt, etwa „Sicherungsskript“.',
    scope: 'Berechtigung',
    scopes: { read: 'Nur lesen', read_write: 'Lesen und schreiben' },
    life: 'Läuft ab',
    forever: 'Nie',
    days: (days) => `Nach ${days} Tagen`,
    createdAt: 'Erstellt',
    lastUsed: 'Zuletzt benutzt',
    never: 'Nie',
    neverUsed: 'Noch nie benutzt',
    until: 'Läuft ab',
    expired: 'Abgelaufen',
    revokedAt: 'Widerrufen',
    revoke: 'Widerrufen',
    revokeTitle: (name) => `Schlüssel „${name}“ widerrufen`,
    revokeText: 'Anfragen mit diesem Schlüssel schlagen sofort fehl. Das lässt sich nicht rückgängig machen.',
    revoked: 'API-Schlüssel widerrufen.',
  },
};
