import type { Role } from '../../../domain/teams/roles.ts';
import { catalog } from '../../ui/catalog.ts';

/** Permissions of a role, as the end of a sentence. */
/** What a role may do, after “you” or “können Sie”. */
export const may: Readonly<Record<'en' | 'de', Readonly<Record<Role, string>>>> = {
  en: {
    owner: 'can do everything and manage members',
    editor: 'can read and edit submissions and forms',
    viewer: 'can read submissions',
  },
  de: {
    owner: 'alles tun und Mitglieder verwalten',
    editor: 'Einsendungen und Formulare lesen und bearbeiten',
    viewer: 'Einsendungen lesen',
  },
};

const minutes = (seconds: number): string => (seconds <= 60 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`);

function germanMinutes(seconds: number): string {
  return seconds <= 60 ? 'einer Minute' : `${Math.ceil(seconds / 60)} Minuten`;
}

/** Password fields. */
export const PASSWORD_TEXTS = catalog({
  en: {
    label: 'Password',
    new: 'New password',
    show: 'Show',
    hint: (shortest: number) => `At least ${shortest} characters. Three or four unrelated words work well.`,
    errors: {
      too_short: 'Password too short. Use at least 12 characters.',
      too_long: 'Password too long. Use at most 200 characters.',
      guessable: 'Password too easy to guess. Use three or four unrelated words.',
    },
  },
  de: {
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
});

export const SIGN_IN_TEXTS = catalog({
  en: {
    title: 'Sign in',
    submit: 'Sign in',
    forgotten: 'Forgot your password?',
    wrong: 'Wrong email or password. Check both and try again.',
    wait: (seconds: number) => `Too many attempts. Try again in ${minutes(seconds)}, or reset your password.`,
    first:
      'No account yet. Open the link that the server printed when it started, or run “formstead user create” to get a new link.',
    done: {
      out: 'You have been signed out.',
      expired: 'Your session expired. Sign in again.',
      everywhere: 'Signed out everywhere.',
      deleted: 'Account deleted.',
    },
  },
  de: {
    title: 'Anmelden',
    submit: 'Anmelden',
    forgotten: 'Passwort vergessen?',
    wrong: 'E-Mail-Adresse oder Passwort ist falsch. Prüfen Sie beides und versuchen Sie es noch einmal.',
    wait: (seconds) =>
      `Zu viele Versuche. Versuchen Sie es in ${germanMinutes(seconds)} wieder oder setzen Sie Ihr Passwort zurück.`,
    first:
      'Noch kein Konto vorhanden. Öffnen Sie den Link, den der Server beim Start ausgegeben hat, oder führen Sie „formstead user create“ aus, um einen neuen zu bekommen.',
    done: {
      out: 'Sie wurden abgemeldet.',
      expired: 'Ihre Sitzung ist abgelaufen. Melden Sie sich erneut an.',
      everywhere: 'Überall abgemeldet.',
      deleted: 'Konto gelöscht.',
    },
  },
});

export const WELCOME_TEXTS = catalog({
  en: {
    title: 'Create your account',
    text: 'You sign in with your email address and password. Password reset links go to this address.',
    submit: 'Create account',
    taken: 'An account with this email address already exists. Sign in, or use another address.',
    into: (team: string, role: Role) => `You’re joining the team “${team}”, where you ${may.en[role]}.`,
    first: 'The first account of this server manages it, and can invite others.',
    sees: (workspaces: readonly string[]) =>
      workspaces.length === 0
        ? 'Its workspaces were deleted, so you will see no forms yet.'
        : `You’ll see only: ${workspaces.join(', ')}.`,
    hasAccount: 'Already have an account? Sign in first',
    joinTitle: (team: string) => `Join the team “${team}”`,
    joinText: (email: string, role: Role) =>
      `There you ${may.en[role]}. You’re signed in as ${email}. You can switch between your teams at any time.`,
    newText: (email: string, role: Role) => `This creates an account for ${email}. In the team you ${may.en[role]}.`,
    join: 'Join team',
    isMember: (team: string) => `You’re already a member of the team “${team}”. The link is still unused.`,
    usedUpInvited: 'If you were invited, ask for a new invitation.',
    usedUp: 'This link no longer works',
    usedUpText: 'It was already used, or has expired. To print a new link, run this on the server:',
  },
  de: {
    title: 'Konto anlegen',
    text: 'Sie melden sich mit E-Mail-Adresse und Passwort an. Links zum Zurücksetzen des Passworts gehen an diese Adresse.',
    submit: 'Konto anlegen',
    taken:
      'Es gibt schon ein Konto mit dieser E-Mail-Adresse. Melden Sie sich an oder verwenden Sie eine andere Adresse.',
    into: (team, role) => `Sie treten dem Team „${team}“ bei und können dort ${may.de[role]}.`,
    first: 'Das erste Konto dieses Servers verwaltet ihn und kann andere einladen.',
    sees: (workspaces) =>
      workspaces.length === 0
        ? 'Die Arbeitsbereiche dazu wurden gelöscht: Sie sehen vorerst keine Formulare.'
        : `Sie sehen nur: ${workspaces.join(', ')}.`,
    hasAccount: 'Schon ein Konto? Zuerst anmelden',
    joinTitle: (team) => `Dem Team „${team}“ beitreten`,
    joinText: (email, role) =>
      `Sie können dort ${may.de[role]}. Sie sind als ${email} angemeldet. Sie können jederzeit zwischen Ihren Teams wechseln.`,
    newText: (email, role) => `Damit wird ein Konto für ${email} angelegt. Im Team können Sie ${may.de[role]}.`,
    join: 'Dem Team beitreten',
    isMember: (team) => `Sie sind schon Mitglied im Team „${team}“. Der Link ist noch unbenutzt.`,
    usedUpInvited: 'Wenn Sie eingeladen wurden, bitten Sie um eine neue Einladung.',
    usedUp: 'Dieser Link gilt nicht mehr',
    usedUpText: 'Er wurde schon benutzt oder ist abgelaufen. Auf dem Server gibt dieser Befehl einen neuen Link aus:',
  },
});

export const RESET_TEXTS = catalog({
  en: {
    title: 'Reset your password',
    text: 'Enter the email address you sign in with to get a link by mail.',
    submit: 'Send link',
    sentTitle: 'Check your inbox',
    done: { sent: 'If an account with this address exists, a link was sent to it. The link works for one hour.' },
    noMail: 'This server can’t email reset links. Ask its administrator for one.',
    forAdministrators: 'For the administrator',
    back: 'Back to sign-in',
    toHaveMail: 'This command prints a link. To mail links, set up a mail server and BASE_URL.',
    setTitle: 'New password',
    setText: 'This signs you in here and out of all other sessions, and removes passkeys and linked accounts.',
    setSubmit: 'Set password',
    usedUpText: 'It was already used, or has expired. You can request a new one.',
    mail: {
      subject: 'Reset your Formstead password',
      before:
        'Someone, probably you, asked to reset your Formstead password. The link to set a new one works once, within one hour.',
      button: 'Set new password',
      after: 'If it wasn’t you, ignore this email. Your password stays the same.',
    },
  },
  de: {
    title: 'Passwort zurücksetzen',
    text: 'Geben Sie die E-Mail-Adresse ein, mit der Sie sich anmelden. Sie bekommen einen Link per E-Mail.',
    submit: 'Link senden',
    sentTitle: 'Sehen Sie in Ihr Postfach',
    done: {
      sent: 'Wenn es ein Konto mit dieser Adresse gibt, wurde ein Link dorthin gesendet. Der Link gilt eine Stunde.',
    },
    noMail: 'Dieser Server kann keine Links per E-Mail senden. Bitten Sie seinen Administrator um einen.',
    forAdministrators: 'Für Administratoren',
    back: 'Zurück zur Anmeldung',
    toHaveMail:
      'Dieser Befehl gibt einen Link aus. Damit Links per E-Mail kommen, richten Sie Mailserver und BASE_URL ein.',
    setTitle: 'Neues Passwort',
    setText: 'Sie werden hier angemeldet und überall sonst abgemeldet. Passkeys und verknüpfte Konten werden entfernt.',
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
});
