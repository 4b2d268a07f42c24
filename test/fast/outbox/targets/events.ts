import type { Payload } from '../../../../src/domain/submissions/submission.ts';
import type { TargetEvent } from '../../../../src/outbox/targets/target.ts';

type Parts = Partial<Omit<TargetEvent, 'form' | 'submission'>> & {
  form?: Partial<TargetEvent['form']>;
  submission?: Partial<TargetEvent['submission']> | null;
};

export const URL_IN_DASHBOARD = 'http://forms.test/dashboard/submissions/sub_1';

/** Returns a new submission to the form "Contact", changed by `parts`. */
export function eventOf({ form, submission, ...parts }: Parts = {}): TargetEvent {
  return {
    type: 'submission.created',
    form: {
      id: 'frm_1',
      shortId: 'ab12cd34',
      name: 'Contact',
      fields: [{ name: 'email', label: 'Email', type: 'email', required: false }],
      ...form,
    },
    submission: submission === null ? null : { ...SUBMISSION, ...submission },
    url: URL_IN_DASHBOARD,
    ...parts,
  };
}

export const withData = (data: Payload): TargetEvent => eventOf({ submission: { data } });

const SUBMISSION = {
  id: 'sub_1',
  createdAt: Date.UTC(2026, 10, 22, 8, 30) * 1_000,
  isSpam: false,
  isMaybeSpam: false,
  data: [
    ['email', 'ada@example.com'],
    ['message', 'Hello\nworld'],
  ],
  files: [{ id: 'file_1', name: 'photo.jpg', size: 12_800 }],
} as const;
