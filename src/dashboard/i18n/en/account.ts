export const ACCOUNT = {
  account: {
    title: 'Account',
    email: 'Email address',
    noEmail: 'Invalid email address. Enter one such as ada@example.com.',
    preferences: 'Profile',
    preferencesText: 'Your name appears in the header and in the list of members.',
    name: 'Name',
    nameHint: 'Optional. Without one, members see your email address.',
    emailText: 'You sign in with this address. Password reset links go to it.',
    changeEmail: 'Change address',
    language: 'Language',
    asBrowser: 'Same as the browser',
    timeZone: 'Time zone',
    changePassword: 'Change password',
    presentPassword: 'Current password',
    wrongPassword: 'Wrong password. Enter your current password.',
    changeEnds: 'Changing the password signs you out of all other sessions.',
    sessions: 'Sessions',
    thisSession: 'Current session',
    unknownBrowser: 'Unknown browser',
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    since: 'since',
    lastUsed: 'last used',
    end: 'Sign out',
    endText: 'Enter your password to confirm.',
    endOf: (browser: string, address: string) => `Sign out: ${browser}, ${address}`,
    everywhere: 'Sign out everywhere',
    delete: {
      link: 'Delete account',
      short: 'Removes you from all teams. Forms and submissions stay with their teams.',
      title: 'Delete your account',
      text: 'You are signed out everywhere and removed from all teams immediately, and your open invitations stop working. Forms, submissions and API keys stay with their teams. The audit log keeps your email address until its entries expire.',
      button: 'Delete permanently',
      onlyOwner: (teams: readonly string[]) =>
        `Account not deleted: you are the only owner of ${teams.map((team) => `“${team}”`).join(', ')}. Make someone else an owner under “Team” first.`,
    },
    done: {
      saved: 'Preferences saved.',
      email_sent:
        'Check the inbox of the new address: if it has no account yet, we sent a link there that works for one hour.',
      email: 'Email address changed.',
      password: 'Password changed. All other sessions were signed out.',
      ended: 'Session ended.',
    },
  },
  /** Changing one’s own email address. */
  email: {
    title: 'Change email address',
    text: (email: string) =>
      `Your address is ${email}. It stays the same until you open the link that is mailed to the new one.`,
    new: 'New email address',
    send: 'Send link',
    same: 'This is your current address. Enter another one.',
    tooMany: 'Too many links requested in the last hour. Try again later.',
    noMail:
      'This server can’t send email, so a new address can’t be confirmed. Ask the server administrator to set SMTP_URL, MAIL_FROM and BASE_URL.',
    confirmTitle: (to: string) => `Change your email address to ${to}?`,
    confirmText: 'You sign in with the new address from then on. Your password and sessions stay the same.',
    confirm: 'Change address',
    invalid: 'It was already used, has expired, or is for another account. You can request a new one.',
    mail: {
      subject: 'Confirm your new email address',
      before: 'Confirm this address for your Formstead account with this link. It works once, within one hour:',
      after: 'If you did not ask for this, ignore this mail. Nothing changes.',
    },
    /** Sent to the previous address. */
    former: {
      subject: 'Your Formstead email address was changed',
      before: (to: string) => `The address of your Formstead account is now ${to}. Sign in with it here:`,
      after: 'If it wasn’t you, tell the server administrator now.',
    },
  },
};
