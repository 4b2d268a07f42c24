import { catalog } from '../../../ui/catalog.ts';

/** Sign-in by a provider or a proxy, and the accounts linked to it. `provider` is its name. */
export const OIDC_TEXTS = catalog({
  en: {
    signIn: (provider: string) => `Sign in with ${provider}`,
    signOut: (provider: string) => `Sign out of ${provider} too`,
    errors: {
      unavailable: (provider: string) =>
        `Can’t reach ${provider} right now. Try again in a minute, or sign in another way.`,
      declined: (provider: string) => `You did not sign in at ${provider}. Try again.`,
      invalid: (provider: string) =>
        `The sign-in at ${provider} could not be checked, or took too long. Start again from this page.`,
      unverified: (provider: string) =>
        `${provider} has not verified your email address. Verify it there, or ask the server administrator.`,
      domain: () => 'Addresses of your domain can’t sign in here. Use another account.',
      other_identity: (provider: string) =>
        `Your account here is linked to another account at ${provider}. Sign in with that one, or unlink it under “Account” first.`,
      exists: (provider: string) =>
        `There is an account for your address already. Sign in to it once, with its password or a link from the server administrator; after that, ${provider} signs you in.`,
      link_again: () => 'Not linked. Sign in again, and choose “Link account” within ten minutes.',
      not_invited: () => 'There is no account for your address. Ask an owner of the team to invite you.',
    },
    once: 'Sign in once',
    account: {
      title: 'Sign-in by a provider',
      about: (provider: string) => `Sign in with your account at ${provider}.`,
      since: 'linked since',
      none: 'Not linked',
      link: 'Link account',
      unlink: 'Unlink',
    },
    done: { unlinked: 'Account unlinked. All other sessions were signed out.' },
    noPassword: 'You confirm this by having signed in within the last ten minutes.',
    signInAgain: 'Sign in again',
  },
  de: {
    signIn: (provider) => `Mit ${provider} anmelden`,
    signOut: (provider) => `Auch bei ${provider} abmelden`,
    errors: {
      unavailable: (provider) =>
        `${provider} ist gerade nicht erreichbar. Versuchen Sie es in einer Minute noch einmal oder melden Sie sich anders an.`,
      declined: (provider) => `Sie haben sich bei ${provider} nicht angemeldet. Versuchen Sie es noch einmal.`,
      invalid: (provider) =>
        `Die Anmeldung bei ${provider} ließ sich nicht prüfen oder hat zu lange gedauert. Beginnen Sie noch einmal auf dieser Seite.`,
      unverified: (provider) =>
        `${provider} hat Ihre E-Mail-Adresse nicht bestätigt. Bestätigen Sie sie dort oder fragen Sie den Administrator des Servers.`,
      domain: () => 'Mit Adressen Ihrer Domain ist hier keine Anmeldung möglich. Verwenden Sie ein anderes Konto.',
      other_identity: (provider) =>
        `Ihr Konto hier ist mit einem anderen Konto bei ${provider} verknüpft. Melden Sie sich mit jenem an oder trennen Sie es zuerst unter „Konto“.`,
      exists: (provider) =>
        `Für Ihre Adresse gibt es schon ein Konto. Melden Sie sich einmal mit dessen Passwort oder einem Link vom Administrator des Servers an; danach geht es mit ${provider}.`,
      link_again: () =>
        'Nicht verknüpft. Melden Sie sich noch einmal an und wählen Sie innerhalb von zehn Minuten „Konto verknüpfen“.',
      not_invited: () => 'Für Ihre Adresse gibt es kein Konto. Bitten Sie einen Inhaber des Teams um eine Einladung.',
    },
    once: 'Einmal anmelden',
    account: {
      title: 'Anmeldung bei einem Anbieter',
      about: (provider) => `Melden Sie sich mit Ihrem Konto bei ${provider} an.`,
      since: 'verknüpft seit',
      none: 'Nicht verknüpft',
      link: 'Konto verknüpfen',
      unlink: 'Trennen',
    },
    done: { unlinked: 'Konto getrennt. Alle anderen Sitzungen wurden beendet.' },
    noPassword: 'Zur Bestätigung genügt, dass Sie sich in den letzten zehn Minuten angemeldet haben.',
    signInAgain: 'Noch einmal anmelden',
  },
});
