import type { Form } from '../../domain/form.ts';
import type { StoredSubmission } from '../../domain/submission.ts';
import type { InboxList } from '../ui/inbox-list.ts';

/** A submission with its form, and the list that it was opened from. */
export type Opened = Readonly<{ submission: StoredSubmission; form: Form; list: InboxList }>;
