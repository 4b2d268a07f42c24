import type { Texts } from '../index.ts';

export const TEAM: Pick<Texts, 'roles' | 'team'> = {
  roles: { owner: 'Leitung', editor: 'Bearbeitung', viewer: 'Ansicht' },
  team: {
    switchTo: 'Aktuelles Team',
    intro: (team) => `Mitglieder von „${team}“ und ihre Rollen.`,
    about: {
      owner: 'Voller Zugriff, auch auf API-Schlüssel und Mitglieder',
      editor: 'Formulare und Einsendungen verwalten',
      viewer: 'Formulare und Einsendungen ansehen und exportieren',
    },
    members: 'Mitglieder',
    role: 'Rolle',
    since: 'Mitglied seit',
    you: 'Sie',
    roleOf: (email, role) => `${role}, Rolle von ${email}`,
    remove: 'Entfernen',
    removeTitle: (email) => `${email} aus dem Team entfernen`,
    removeText:
      'Das Mitglied verliert sofort den Zugriff auf dieses Team. Das Konto und die bisherige Arbeit bleiben erhalten.',
    demoteTitle: (email, role) => `Rolle von ${email} ändern: ${role}`,
    demoteText: 'Mit dieser Rolle kann das Mitglied keine Mitglieder, API-Schlüssel und Webhooks mehr verwalten.',
    changeRole: 'Rolle ändern',
    endingInvitations: 'Einladungen, die ungültig werden',
    keysMade: 'API-Schlüssel widerrufen',
    keysMadeText:
      'Das Mitglied hat diese Schlüssel erstellt. Ein Schlüssel, der nicht widerrufen wird, gilt weiter für alle, die ihn haben.',
    webhooksMade: 'Webhooks anhalten',
    webhooksMadeText:
      'Das Mitglied hat diese Webhooks selbst oder mit einem Schlüssel erstellt oder ihre Adresse geändert. Ein Webhook, der nicht angehalten wird, sendet weiter Einsendungen dorthin.',
    notifying: 'Benachrichtigungen beenden',
    notifyingText: 'Die Adresse des Kontos erhält die Benachrichtigungen dieser Formulare.',
    othersAccess:
      'Das Mitglied kennt vielleicht auch API-Schlüssel und Einladungen, die andere erstellt haben. Diese gelten weiter.',
    leave: 'Team verlassen',
    leaveShort: 'Sie verlieren sofort den Zugriff. Ihre Arbeit bleibt beim Team.',
    askOwner: 'Nur die Leitung ändert Rollen und lädt ein.',
    name: 'Name des Teams',
    createTeam: 'Team erstellen',
    createTeamText:
      'Ein eigenes Team mit Arbeitsbereichen, Formularen, Mitgliedern und API-Schlüsseln. Zwischen Teams wechseln Sie in der Kopfzeile.',
    createTeamLimited:
      'Der Tarif Ihres Teams hat eine Grenze, deshalb erstellt nur die Verwaltung des Servers weitere Teams.',
    leaveTitle: (team) => `Das Team „${team}“ verlassen`,
    leaveText:
      'Sie verlieren sofort den Zugriff auf dieses Team, und Ihre offenen Einladungen werden ungültig. Um zurückzukommen, brauchen Sie eine Einladung der Leitung.',
    lastOwner:
      'Es wurde nichts geändert. Ein Team braucht mindestens eine Leitung: Geben Sie diese Rolle zuerst einem anderen Mitglied.',
    invite: 'Jemanden einladen',
    inviteText:
      'Erstellt einen Link, der einmal und 7 Tage lang gilt. Alle, die ihn haben, können ihn benutzen, auch mit einer anderen E-Mail-Adresse.',
    email: 'E-Mail-Adresse',
    emailMailed: 'Optional. Der Link wird an diese Adresse gesendet und auch Ihnen angezeigt.',
    emailNotMailed:
      'Optional, nur für Ihre Übersicht. Dieser Server kann den Link nicht per E-Mail senden: Geben Sie ihn selbst weiter.',
    create: 'Einladung erstellen',
    made: 'Einladung erstellt',
    madeText: (team, role) => `Team „${team}“, Rolle: ${role}.`,
    copyNow: 'Kopieren Sie den Link jetzt. Er wird nicht gespeichert und kann nicht noch einmal angezeigt werden.',
    link: 'Einladungslink',
    mailed: (email) => `Einladung an ${email} gesendet.`,
    notMailed: (email) => `Die E-Mail an ${email} konnte nicht gesendet werden. Geben Sie den Link selbst weiter.`,
    tooMany:
      'In der letzten Stunde wurden zu viele Einladungen per E-Mail gesendet. Versuchen Sie es später erneut, oder lassen Sie die E-Mail-Adresse leer und geben Sie den Link selbst weiter.',
    invitations: 'Offene Einladungen',
    anyone: 'Alle, die den Link haben',
    until: 'gültig bis',
    revoke: 'Widerrufen',
    revokeOf: (invited) => `Einladung widerrufen: ${invited}`,
    done: {
      role: 'Rolle geändert.',
      removed: 'Mitglied entfernt.',
      left: 'Sie haben das Team verlassen.',
      revoked: 'Einladung widerrufen. Ihr Link gilt nicht mehr.',
      joined: 'Sie sind dem Team beigetreten.',
      renamed: 'Team umbenannt.',
      created: 'Team erstellt. Sie leiten es.',
    },
    mail: {
      subject: (team) => `Einladung ins Team „${team}“`,
      before: (team, role, by) => `${by} hat Sie in das Team „${team}“ auf Formstead eingeladen (Rolle: ${role}).`,
      button: 'Team beitreten',
      after:
        'Der Link gilt einmal und 7 Tage lang. Alle, die ihn haben, können ihn benutzen: Geben Sie ihn nicht weiter.',
    },
  },
};
