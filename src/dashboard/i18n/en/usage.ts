export const USAGE = {
  usage: {
    thisMonth: 'This month',
    unlimited: (used: string, plan: string) => `${used} submissions. The plan “${plan}” has no limit.`,
    ofLimit: (used: string, limit: string, plan: string) => `${used} of ${limit} submissions in the plan “${plan}”.`,
    nearlyFull: 'At least 80 % of this month’s submissions are used.',
    full: 'Limit reached. The forms of this team accept no more submissions this month.',
    counted:
      'All accepted submissions count, with spam, so this is more than the genuine submissions that forms show. Honeypot hits, rejected posts and retries don’t count. Deleting submissions doesn’t reduce usage.',
    resets: 'The count resets on',
    cap: 'At the limit, visitors see that the form accepts no more submissions this month, and nothing is stored. All members get an email at 80 % and at 100 %.',
    noCap: 'Forms never stop accepting submissions, because the plan has no limit.',
    storage: 'Storage',
    stored: (stored: string) => `Submissions and files take ${stored}.`,
    storedOfLimit: (stored: string, limit: string, plan: string) =>
      `Submissions and files take ${stored} of ${limit} in the plan “${plan}”.`,
    storageCap: 'Forms refuse submissions for which there is no room. Deleting submissions makes room.',
    history: 'Month by month',
    nothing: 'No submissions yet. Connect a form to your site to receive some.',
    month: 'Month',
    submissions: 'Accepted, with spam',
    share: 'Comparison',
  },
};
