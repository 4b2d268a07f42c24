import { pairs } from '../../lib/pairs.ts';
import { catalog } from '../ui/catalog.ts';

const WORDS = pairs({
  docs: ['API reference', 'API-Referenz'],
  made: ['API key created', 'API-Schlüssel erstellt'],
  secret: ['API key', 'API-Schlüssel'],
  none: ['No API keys yet', 'Noch keine API-Schlüssel'],
  create: ['Create API key', 'API-Schlüssel erstellen'],
  name: ['Name', 'Name'],
  scope: ['Permissions', 'Berechtigung'],
  access: ['Forms', 'Formulare'],
  allForms: ['All forms of the team', 'Alle Formulare des Teams'],
  someForms: ['Only certain forms', 'Nur bestimmte Formulare'],
  noForms: ['Its forms were deleted.', 'Die Formulare dieses Schlüssels wurden gelöscht.'],
  life: ['Expires', 'Läuft ab'],
  createdAt: ['Created', 'Erstellt'],
  lastUsed: ['Last used', 'Zuletzt benutzt'],
  never: ['Never', 'Nie'],
  neverUsed: ['Never used', 'Noch nie benutzt'],
  until: ['Expires', 'Läuft ab'],
  expired: ['Expired', 'Abgelaufen'],
  revokedAt: ['Revoked', 'Widerrufen'],
  revoke: ['Revoke', 'Widerrufen'],
  revoked: ['API key revoked.', 'API-Schlüssel widerrufen.'],
  scopes: { read: ['Read only', 'Nur lesen'], read_write: ['Read and write', 'Lesen und schreiben'] },
});

export const KEYS_TEXTS = catalog({
  en: {
    ...WORDS.en,
    intro: 'Programs read and manage your forms with an API key. Keep keys on servers, never in a web page.',
    noAccess: (plan: string) => `The plan “${plan}” does not include API access. Requests with this team’s keys fail.`,
    copyNow: 'Copy the key now. It is not stored and cannot be shown again.',
    noneText: 'Create one below to read submissions from a program.',
    nameHint: 'The program that uses the key, such as “Backup script”.',
    chooseForm: 'Choose at least one form, or create the key for all forms.',
    onlyForms: (names: string) => `Only: ${names}`,
    days: (days: string) => `After ${days} days`,
    revokeTitle: (name: string) => `Revoke the key “${name}”`,
    revokeText: 'Requests with this key fail immediately. This cannot be undone.',
  },
  de: {
    ...WORDS.de,
    intro:
      'Programme lesen und verwalten Ihre Formulare mit einem API-Schlüssel. Schlüssel gehören auf Server, nie in eine Webseite.',
    noAccess: (plan) =>
      `Der Tarif „${plan}“ enthält keinen API-Zugang. Anfragen mit Schlüsseln dieses Teams schlagen fehl.`,
    copyNow: 'Kopieren Sie den Schlüssel jetzt. Er wird nicht gespeichert und kann nicht noch einmal angezeigt werden.',
    noneText: 'Erstellen Sie unten einen, um Einsendungen mit einem Programm zu lesen.',
    nameHint: 'Das Programm, das den Schlüssel benutzt, etwa „Sicherungsskript“.',
    chooseForm: 'Wählen Sie mindestens ein Formular aus, oder erstellen Sie den Schlüssel für alle.',
    onlyForms: (names) => `Nur: ${names}`,
    days: (days) => `Nach ${days} Tagen`,
    revokeTitle: (name) => `Schlüssel „${name}“ widerrufen`,
    revokeText: 'Anfragen mit diesem Schlüssel schlagen sofort fehl. Das lässt sich nicht rückgängig machen.',
  },
});
