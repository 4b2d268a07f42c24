export const LAYOUT = {
  /** The language in itself. */
  name: 'English',
  skip: 'Skip to content',
  navigation: 'Main',
  signOut: 'Sign out',
  manual: 'Manual',
  themes: { label: 'Theme', system: 'System', light: 'Light', dark: 'Dark' },
  teamSettings: 'Team settings',
  sections: {
    inbox: 'Inbox',
    forms: 'Forms',
    mail: 'Mail',
    usage: 'Usage',
    status: 'Status',
    keys: 'API keys',
    team: 'Team',
    account: 'Account',
  },
  /** After the number of failed mails. */
  failedMails: 'failed',
  failure: {
    title: 'Something went wrong',
    notFound: 'Not found',
    back: 'Go to your forms',
    /** Texts by error code. */
    codes: {
      origin_not_allowed: 'This request did not come from this site. Reload the page and try again.',
      body_too_large: 'The form is too large. Shorten it and submit it again.',
      body_too_slow: 'The form was not fully received. Submit it again.',
      invalid_input: 'The address or the input is invalid. Reload the page and try again.',
      not_found: 'This page does not exist, or you do not have access to it.',
      role_forbids: 'Your role in this team does not allow this. Ask an owner of the team to change it.',
      conflict: 'Someone made another change at the same time. Reload the page and try again.',
      rate_limited: 'Too many requests. Try again in a minute.',
      team_switched:
        'You switched to another team in another tab. Nothing was changed. Switch back to the team of that page and try again.',
      server_busy: 'The server is receiving too many requests at once. Try again in a few seconds.',
      file_damaged: 'The stored file is damaged and cannot be read. The server log has details.',
      storage_unavailable: 'Nothing can be saved right now. Try again later.',
    },
    /** Other errors. */
    other: 'This did not work. Go back, reload the page and try again.',
    unforeseen: (id: string) => `An unexpected error occurred. The server log has details under ${id}.`,
    noTeam: 'Your account is not in a team. Ask an owner of a team for an invitation.',
  },
  common: {
    save: 'Save',
    cancel: 'Cancel',
    delete: 'Delete',
    copy: 'Copy',
    copied: 'Copied',
    older: 'Older',
    newest: 'Newest',
    optional: 'optional',
    yes: 'Yes',
    no: 'No',
  },
};
