import type { Role } from '../../domain/teams/roles.ts';
import { pairs } from '../../lib/pairs.ts';
import { catalog } from '../ui/catalog.ts';
import { may } from '../users/sign-in/texts.ts';

const WORDS = pairs({
  switchTo: ['Current team', 'Aktuelles Team'],
  about: {
    owner: ['Also manages members and API keys', 'Verwaltet auch Mitglieder und API-Schlüssel'],
    editor: ['Manages forms and submissions', 'Verwaltet Formulare und Einsendungen'],
    viewer: ['Can see and export submissions', 'Sieht und exportiert Einsendungen'],
  },
  sees: ['sees only', 'sieht nur'],
  nothing: ['nothing, its workspaces were deleted', 'nichts, die Arbeitsbereiche wurden gelöscht'],
  workspaces: ['Workspaces', 'Arbeitsbereiche'],
  every: ['All workspaces', 'Alle Arbeitsbereiche'],
  onlyWorkspaces: ['Only certain workspaces', 'Nur bestimmte Arbeitsbereiche'],
  saveWorkspaces: ['Show only these', 'Nur diese zeigen'],
  allWorkspaces: ['Show all workspaces', 'Alle Arbeitsbereiche zeigen'],
  members: ['Members', 'Mitglieder'],
  role: ['Role', 'Rolle'],
  since: ['Member since', 'Mitglied seit'],
  you: ['You', 'Sie'],
  remove: ['Remove', 'Entfernen'],
  changeRole: ['Change role', 'Rolle ändern'],
  endingInvitations: ['Invitations that stop working', 'Einladungen, die ungültig werden'],
  keysMade: ['API keys to revoke', 'API-Schlüssel widerrufen'],
  webhooksMade: ['Webhooks to pause', 'Webhooks anhalten'],
  notifying: ['Forms that stop mailing their address', 'Benachrichtigungen beenden'],
  leave: ['Leave team', 'Team verlassen'],
  askOwner: ['Only owners change roles and invite people.', 'Nur Inhaber ändern Rollen und laden ein.'],
  name: ['Team name', 'Name des Teams'],
  createTeam: ['Create team', 'Team erstellen'],
  invite: ['Invite someone', 'Jemanden einladen'],
  email: ['Email', 'E-Mail-Adresse'],
  create: ['Create invitation', 'Einladung erstellen'],
  made: ['Invitation created', 'Einladung erstellt'],
  link: ['Invitation link', 'Einladungslink'],
  invitations: ['Open invitations', 'Offene Einladungen'],
  anyone: ['Anyone with the link', 'Alle, die den Link haben'],
  until: ['expires', 'gültig bis'],
  revoke: ['Revoke', 'Widerrufen'],
  done: {
    role: ['Role changed.', 'Rolle geändert.'],
    removed: ['Member removed.', 'Mitglied entfernt.'],
    left: ['You left the team.', 'Sie haben das Team verlassen.'],
    revoked: ['Invitation revoked. Its link no longer works.', 'Einladung widerrufen. Ihr Link gilt nicht mehr.'],
    joined: ['You joined the team.', 'Sie sind dem Team beigetreten.'],
    renamed: ['Team renamed.', 'Team umbenannt.'],
    created: ['Team created. You are its owner.', 'Team erstellt. Sie leiten es.'],
  },
});

export const TEAM_TEXTS = catalog({
  en: {
    ...WORDS.en,
    intro: (team: string) => `Members of “${team}” and their roles.`,
    noWorkspace: 'Nothing was changed. Select at least one workspace, or show all.',
    roleOf: (email: string, role: string) => `${role}, role of ${email}`,
    removeTitle: (email: string) => `Remove ${email} from the team`,
    removeText: 'They lose access to this team immediately. Their account and their past work are kept.',
    demoteTitle: (email: string, role: string) => `Change the role of ${email} to ${role}`,
    demoteText: 'With this role they can no longer manage members, API keys and webhooks.',
    keysMadeText: 'They created these keys. A key that is not revoked keeps working for everyone who has it.',
    webhooksMadeText:
      'They or their keys created these webhooks or changed their address. A webhook that is not paused keeps sending submissions there.',
    notifyingText: 'The address of their account gets the notifications of these forms.',
    othersAccess: 'They may also know API keys and invitations that others made. Those keep working.',
    leaveShort: 'You lose access immediately. Your work stays with the team.',
    createTeamText:
      'A separate team with its own workspaces, forms, members and API keys. You can switch between teams in the header.',
    createTeamLimited: 'The plan of your team has a limit, so only the server administrator can create more teams.',
    leaveTitle: (team: string) => `Leave the team “${team}”`,
    leaveText:
      'You lose access to this team immediately, and your open invitations stop working. To come back, you need an invitation from an owner.',
    lastOwner: 'Nothing was changed. A team needs at least one owner, so make another member an owner first.',
    inviteText:
      'Creates a link that works once and expires after 7 days. Anyone who has the link can use it, even with a different email address.',
    emailMailed: 'Optional. The link is sent to this address and also shown to you.',
    emailNotMailed: 'Optional. Without mail server and BASE_URL, the server can’t email the link: share it yourself.',
    madeText: (team: string, role: string) => `Team “${team}”, role: ${role}.`,
    copyNow: 'Copy the link now. It is not stored and cannot be shown again.',
    mailed: (email: string) => `Invitation sent to ${email}.`,
    notMailed: (email: string) => `Could not send the email to ${email}. Share the link yourself.`,
    tooMany:
      'Too many invitations were emailed in the last hour. Try again later, or leave the email address empty and share the link yourself.',
    revokeOf: (invited: string) => `Revoke invitation: ${invited}`,
    mail: {
      subject: (team: string) => `Invitation to the team “${team}”`,
      before: (team: string, role: Role, by: string) =>
        `${by} invited you to join the team “${team}” on Formstead, where you ${may.en[role]}.`,
      button: 'Join team',
      after: 'The link works once and expires after 7 days. Anyone who has it can use it, so do not share it.',
    },
  },
  de: {
    ...WORDS.de,
    intro: (team) => `Mitglieder von „${team}“ und ihre Rollen.`,
    noWorkspace: 'Es wurde nichts geändert. Wählen Sie mindestens einen Arbeitsbereich oder zeigen Sie alle.',
    roleOf: (email, role) => `${role}, Rolle von ${email}`,
    removeTitle: (email) => `${email} aus dem Team entfernen`,
    removeText:
      'Das Mitglied verliert sofort den Zugriff auf dieses Team. Das Konto und die bisherige Arbeit bleiben erhalten.',
    demoteTitle: (email, role) => `Rolle von ${email} ändern: ${role}`,
    demoteText: 'Mit dieser Rolle kann das Mitglied keine Mitglieder, API-Schlüssel und Webhooks mehr verwalten.',
    keysMadeText:
      'Das Mitglied hat diese Schlüssel erstellt. Ein Schlüssel, der nicht widerrufen wird, gilt weiter für alle, die ihn haben.',
    webhooksMadeText:
      'Das Mitglied hat diese Webhooks selbst oder mit einem Schlüssel erstellt oder ihre Adresse geändert. Ein Webhook, der nicht angehalten wird, sendet weiter Einsendungen dorthin.',
    notifyingText: 'Die Adresse des Kontos erhält die Benachrichtigungen dieser Formulare.',
    othersAccess:
      'Das Mitglied kennt vielleicht auch API-Schlüssel und Einladungen, die andere erstellt haben. Diese gelten weiter.',
    leaveShort: 'Sie verlieren sofort den Zugriff. Ihre Arbeit bleibt beim Team.',
    createTeamText:
      'Ein eigenes Team mit Arbeitsbereichen, Formularen, Mitgliedern und API-Schlüsseln. Zwischen Teams wechseln Sie in der Kopfzeile.',
    createTeamLimited:
      'Der Tarif Ihres Teams hat ein Kontingent, deshalb erstellt nur die Verwaltung des Servers weitere Teams.',
    leaveTitle: (team) => `Das Team „${team}“ verlassen`,
    leaveText:
      'Sie verlieren sofort den Zugriff auf dieses Team, und Ihre offenen Einladungen werden ungültig. Um zurückzukommen, brauchen Sie eine Einladung eines Inhabers.',
    lastOwner:
      'Es wurde nichts geändert. Ein Team braucht mindestens einen Inhaber: Geben Sie diese Rolle zuerst einem anderen Mitglied.',
    inviteText:
      'Erstellt einen Link, der einmal und 7 Tage lang gilt. Alle, die ihn haben, können ihn benutzen, auch mit einer anderen E-Mail-Adresse.',
    emailMailed: 'Optional. Der Link wird an diese Adresse gesendet und auch Ihnen angezeigt.',
    emailNotMailed:
      'Optional. Ohne Mailserver und BASE_URL kann der Server den Link nicht senden: Geben Sie ihn selbst weiter.',
    madeText: (team, role) => `Team „${team}“, Rolle: ${role}.`,
    copyNow: 'Kopieren Sie den Link jetzt. Er wird nicht gespeichert und kann nicht noch einmal angezeigt werden.',
    mailed: (email) => `Einladung an ${email} gesendet.`,
    notMailed: (email) => `Die E-Mail an ${email} konnte nicht gesendet werden. Geben Sie den Link selbst weiter.`,
    tooMany:
      'In der letzten Stunde wurden zu viele Einladungen per E-Mail gesendet. Versuchen Sie es später erneut, oder lassen Sie die E-Mail-Adresse leer und geben Sie den Link selbst weiter.',
    revokeOf: (invited) => `Einladung widerrufen: ${invited}`,
    mail: {
      subject: (team) => `Einladung ins Team „${team}“`,
      before: (team, role, by) =>
        `${by} hat Sie in das Team „${team}“ auf Formstead eingeladen. Dort können Sie ${may.de[role]}.`,
      button: 'Team beitreten',
      after:
        'Der Link gilt einmal und 7 Tage lang. Alle, die ihn haben, können ihn benutzen: Geben Sie ihn nicht weiter.',
    },
  },
});
