export const SPAM = {
  spam: {
    title: 'Spam filter',
    intro:
      'Formstead judges every submission by its content. It also learns from the submissions that your team marks.',
    learning: 'Learning',
    learningText:
      'Each time a member marks a submission as spam or not spam, the filter of this team learns from it. What it learned stays on this server, encrypted, as numbers without words, and applies to this team only.',
    isOn: 'Learning is on',
    isOff: 'Learning is off',
    turnOn: 'Turn on learning',
    turnOff: 'Turn off learning',
    learned: 'What it learned',
    active: 'What the filter learned applies to new submissions.',
    inactive: (count: number) =>
      `Not in effect. It needs learning to be on, and at least ${count} spam and ${count} genuine messages.`,
    spamMarks: 'Marks as spam',
    genuineMarks: 'Marks as not spam',
    balancing: 'Opened genuine messages learned as a balance',
    raisedBy: 'Points taken off, so that earlier genuine messages stay genuine',
    loweredBy: 'Points added, as the genuine messages of your team are unlike spam',
    since: 'Learning since',
    size: (size: string) => `The filter of this team takes ${size}.`,
    nothing: 'Nothing yet. Mark submissions as spam or not spam to teach the filter.',
    comparison: 'With and without learning',
    comparisonText: (days: number) =>
      `Judges up to 2,000 submissions of the last ${days} days again, by their content alone. Nothing is changed.`,
    compare: 'Compare',
    compared: 'Submissions compared',
    flagged: 'Spam only with learning',
    flaggedGenuine: 'Of these, not marked as spam today',
    cleared: 'Genuine only with learning',
    clearedSpam: 'Of these, marked as spam today',
    onlyFlagged: 'spam only with learning',
    onlyCleared: 'genuine only with learning',
    forget: 'Forget everything',
    forgetShort: 'Deletes what the filter learned. Submissions and their marks stay as they are.',
    forgetTitle: 'Forget everything that the spam filter learned?',
    forgetText:
      'The filter of this team starts again without your marks. Submissions stay as they are. This cannot be undone.',
    done: {
      on: 'Learning turned on.',
      off: 'Learning turned off.',
      forgotten: 'Spam filter reset.',
    },
  },
};
