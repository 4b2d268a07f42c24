export const ERASE = {
  /** Erasing a person. */
  erase: {
    title: 'Erase a person',
    intro:
      'Finds all submissions of this team that contain an email address, so that you can answer a request for access or erasure. Nothing is deleted until you confirm.',
    address: 'Email address',
    addressHint: 'Searches all fields and file names, including longer texts and spam, but not the contents of files.',
    search: 'Search',
    lookedFor: 'Searched for',
    forgotten: 'The results are available for one hour. They are kept in memory only.',
    done: {
      elsewhere:
        'That search is not available here: another server process ran it, or it has expired. Search again. A confirmed deletion continues.',
    },
    searching: (looked: string, most: string, matches: string) =>
      `Searching: ${looked} of up to ${most} submissions checked, ${matches} found so far.`,
    deleting: (done: string, all: string) => `Deleting: ${done} of ${all} submissions.`,
    again: 'Check progress',
    broken:
      'Something went wrong. The server log has details. Submissions that were already deleted stay deleted; search again to find the rest.',
    found: (count: number, number: string, looked: string) =>
      `${count === 1 ? 'One submission contains' : `${number} submissions contain`} the address (${looked} searched).`,
    none: (looked: string) => `No submission contains the address (${looked} searched).`,
    moreFound: (count: string) => `and ${count} more, all in the export`,
    unreadable: (count: string) => `Damaged submissions: ${count}. They cannot be read and may contain the address.`,
    exportTitle: 'Export results',
    exportText: 'For the person, or for your records. Card and social security numbers are masked.',
    exportLines: 'Download JSON Lines',
    exportFiles: 'Download files (ZIP)',
    deleteTitle: (count: number, number: string) =>
      count === 1 ? 'Delete this submission' : `Delete these ${number} submissions`,
    deleteText: 'Files and emails are deleted too, queued or sent. The next page asks you to confirm.',
    deleteStep: 'Delete…',
    finalText:
      'This cannot be undone. Earlier backups still contain the data, and delivered emails cannot be recalled. Deleting submissions does not reduce usage.',
    confirm: 'Delete for good',
    receipt: 'Receipt',
    receiptText:
      'Keep it for your records. It contains the address only as a keyed hash, which only this server can compute.',
    download: 'Download receipt (JSON)',
    submissions: 'Submissions deleted',
    files: 'Files deleted',
    filesLeft: 'Files not removed yet',
    filesLeftText: 'the hourly cleanup removes them; they are unreadable without their submissions',
    mails: 'Emails deleted',
    underWay: 'Emails being sent',
    deliveries: 'Webhook deliveries deleted',
    deliveriesUnderWay: 'Webhook deliveries being sent',
    underWayText: 'they may still arrive',
    savedViews: 'Saved views deleted',
    receivers: 'Copies may be at',
    receiversText: 'webhooks and mail recipients of these forms; ask them to delete their copies',
    searchedAt: 'Searched',
    erasedAt: 'Deleted',
    hash: 'Hash of the address',
    complete: 'Complete: no copy of the deleted data is left in the database.',
    pendingRewrite:
      'Pending: SQLite may have left copies of the deleted data in the database file. They are overwritten at most once an hour. Expected:',
    lasting:
      'Deleted from the tables. PostgreSQL keeps encrypted copies in free space and in its write-ahead log until it overwrites them. Earlier backups still contain the data.',
    elsewhere: 'Not included',
    notified: (forms: readonly string[]) =>
      `These forms send notifications to the address: ${forms.map((form) => `“${form}”`).join(', ')}. Remove it in their settings.`,
    others: 'Accounts and invitations of your team are not affected. Submissions from now on are not found.',
    another: 'New search',
  },
};
