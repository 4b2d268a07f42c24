/** A step of setting up an instance: a copy of the master key was made, or a test mail was sent. */
export type Milestone = 'key_copied' | 'mail_tested';
