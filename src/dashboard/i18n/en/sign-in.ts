export const SIGN_IN = {
  /** Asked before an action that needs a recent password check. */
  recentPassword: {
    title: 'Confirm your password',
    text: 'You last entered your password more than ten minutes ago. Enter it again to continue. Your input is kept.',
    button: 'Continue',
  },
  /** Password fields. */
  password: {
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
  signIn: {
    title: 'Sign in',
    submit: 'Sign in',
    forgotten: 'Forgot your password?',
    wrong: 'Wrong email or password. Check both and try again.',
    wait: (seconds: number) => `Too many attempts. Try again in ${minutes(seconds)}, or reset your password.`,
    first:
      'No account yet. Open the link that the server printed when it started, or run “formstead user create” to get a new link.',
    done: {
      out: 'Signed out.',
      everywhere: 'Signed out everywhere.',
      deleted: 'Account deleted.',
    },
  },
  secondFactor: {
    title: 'Second factor',
    about: 'When you sign in, you enter a code from an app on your phone or computer after your password.',
    isOn: 'On',
    isOff: 'Off',
    setUp: 'Set up',
    manage: 'Manage',
    demanded: (team: string | null) =>
      `${team === null ? 'This instance' : `The team “${team}”`} requires a second factor. Set one up to continue.`,
    scan: 'Add to your app',
    scanText: 'Scan this QR code with an authenticator app or a password manager.',
    picture: 'QR code with the secret',
    secret: 'Or enter the secret in the app:',
    openApp: 'Open in an app on this device',
    confirm: 'Confirm',
    code: 'Code from the app',
    codeHint: 'Six digits that change every 30 seconds.',
    anyCode: 'Code',
    anyCodeHint: 'The current code from the app, or one of your recovery codes.',
    enableSecondFactor: 'Turn on',
    ends: 'Changing this signs you out of all other sessions.',
    wrongCode: 'Wrong code. Enter the current one, and check the clock of your device.',
    left: (count: number) =>
      count === 1 ? '1 recovery code left.' : `${count === 0 ? 'No' : count} recovery codes left.`,
    fewLeft: 'Create new ones now.',
    change: 'Change second factor',
    changeText:
      'New recovery codes replace the ones you have. If you turn off the second factor, you sign in with your password alone.',
    changeDemanded: (team: string | null) =>
      `${team === null ? 'This instance' : `The team “${team}”`} requires a second factor. If you turn it off, you can’t open its pages.`,
    newCodes: 'Create new recovery codes',
    turnOff: 'Turn off',
    done: { off: 'Second factor turned off. All other sessions were signed out.' },
    codesTitle: 'Your recovery codes',
    turnedOn: 'Second factor turned on. All other sessions were signed out.',
    renewed: 'Recovery codes replaced. All other sessions were signed out.',
    codesText:
      'If you lose your device, sign in with one of these instead of a code from the app. Each works once. Save them somewhere else now: they are not shown again.',
    codesFile: (email: string) => `Recovery codes for Formstead, ${email}. Each works once.`,
    download: 'Download as text',
    print: 'Print',
    kept: 'I saved my recovery codes',
    ask: {
      text: 'Enter the code from your app to finish signing in.',
      submit: 'Sign in',
      lost: 'Can’t use the app?',
      recoveryCode: 'Recovery code',
      recoveryHint: 'One of the ten codes you saved, such as ABCDE-12345-… Each works once.',
      useRecovery: 'Sign in with a recovery code',
      noCodes: 'If you have no recovery codes left, ask the server administrator to turn off your second factor:',
      wrong: 'Wrong code, or already used. Enter the current code from the app, or a recovery code.',
      wait: (seconds: number) => `Too many wrong codes. Try again in ${hours(seconds)}.`,
      other: 'Start over',
      endedTitle: 'Too many wrong codes',
      endedText: 'Sign in again with your password.',
    },
    team: {
      title: (team: string) => `Second factor for the team “${team}”`,
      link: 'Require a second factor',
      text: 'Members without a second factor must set one up before they can see the team’s pages. Changes take effect immediately and do not affect API keys.',
      isRequired: 'Required',
      isNotRequired: 'Not required',
      require: 'Require for all members',
      release: 'Stop requiring',
      ofInstance: 'This server requires a second factor from all users, in all teams.',
      needsOwn: 'Set up your own second factor before you require one from others.',
      done: {
        required: 'Second factor required for all members.',
        released: 'Second factor no longer required.',
      },
    },
  },
  welcome: {
    title: 'Create your account',
    text: 'You sign in with your email address and password. Password reset links go to this address.',
    submit: 'Create account',
    taken: 'An account with this email address already exists. Sign in, or use another address.',
    into: (team: string, role: string) => `You’re joining the team “${team}” (role: ${role}).`,
    hasAccount: 'Already have an account? Sign in first',
    joinTitle: (team: string, role: string) => `Join the team “${team}” as ${role.toLowerCase()}`,
    joinText: (email: string) => `You’re signed in as ${email}. You can switch between your teams at any time.`,
    join: 'Join team',
    isMember: (team: string, role: string) =>
      `You’re already a member of the team “${team}” (role: ${role}). The link is still unused.`,
    usedUpInvited: 'If you were invited, ask for a new invitation.',
    usedUp: 'This link no longer works',
    usedUpText: 'It was already used, or has expired. To print a new link, run this on the server:',
  },
  reset: {
    title: 'Reset your password',
    text: 'Enter the email address you sign in with to get a link by mail.',
    submit: 'Send link',
    done: {
      sent: 'If an account with this address exists, a link was sent to it. The link works for one hour.',
    },
    noMail: 'This server can’t mail reset links. Ask the server administrator to print a link for you:',
    toHaveMail: 'To mail reset links, set SMTP_URL, MAIL_FROM and BASE_URL.',
    setTitle: 'New password',
    setText: 'This signs you in here, and out of all other sessions.',
    setSubmit: 'Set password',
    usedUpText: 'It was already used, or has expired. You can request a new one.',
    mail: {
      subject: 'Reset your Formstead password',
      before:
        'Someone, probably you, asked to reset your Formstead password. The link to set a new one works once, within one hour.',
      button: 'Set new password',
      after: 'If it wasn’t you, ignore this mail. Your password stays the same.',
    },
  },
};

function hours(seconds: number): string {
  return seconds <= 5400 ? minutes(seconds) : `${Math.ceil(seconds / 3600)} hours`;
}

function minutes(seconds: number): string {
  return seconds <= 60 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`;
}
