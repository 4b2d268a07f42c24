import { AppError, type FieldError } from '../domain/errors.ts';
import type { Form } from '../domain/forms/form.ts';
import { openingAt } from '../domain/forms/opening.ts';
import { formatBytes } from '../lib/bytes.ts';
import type { Clock } from '../lib/clock.ts';
import { formatMoment } from '../lib/i18n.ts';
import type { Store } from '../storage/store.ts';

type VacancyDeps = Readonly<{ store: Pick<Store, 'forms'>; clock: Clock }>;

/** Returns the refusal of a post without any value or file. `errors` are those of the form's rules. */
export function emptySubmission(errors: readonly FieldError[] = []): AppError {
  return new AppError('empty_submission', 'The form is empty. Fill in at least one field.', { errors });
}

/** Returns the refusal of a body over `maxBytes`, with the limit in a readable unit. */
export function tooLarge(maxBytes: number): AppError {
  const message = `The submission is larger than the limit of ${formatBytes(maxBytes)}.`;
  return new AppError('body_too_large', message, { limit: maxBytes });
}

/** Returns the refusal of any post to a paused form. */
export function formPaused(): AppError {
  return new AppError('form_paused', 'This form is paused and does not accept submissions.');
}

/** Throws the refusal of any post to a form that is archived, paused, not open yet or closed. */
export function requireOpen(form: Form, clock: Clock): void {
  if (!form.isActive || form.archivedAt !== null) throw formPaused();
  if (form.opensAt === null && form.closesAt === null) return;
  const opening = openingAt(form, clock());
  if (opening !== 'open') throw formNotOpen(form, opening);
}

/** Returns the refusal of a post before or after a form's opening. `limit` has the time and the form's time zone. */
export function formNotOpen({ opensAt, closesAt, timeZone }: Form, opening: 'not open' | 'closed'): AppError {
  const at = (opening === 'closed' ? closesAt : opensAt) ?? '';
  const moment = formatMoment('en', timeZone, new Date(at));
  const options = { limit: `${at} ${timeZone}` };
  if (opening === 'closed') return new AppError('form_closed', `This form closed on ${moment}.`, options);
  return new AppError('form_not_open', `This form is not open yet. It opens on ${moment}.`, options);
}

/** Returns the refusal of a post to a form that has as many submissions as it may have. */
export const formFull = (): AppError => new AppError('form_full', 'This form is full and takes no more submissions.');

/** Throws the refusal of a visitor who has not typed yet: that of `requireOpen`, or of a full form. */
export async function requireVacancy({ store, clock }: VacancyDeps, form: Form): Promise<void> {
  requireOpen(form, clock);
  if (await store.forms.isFull(form)) throw formFull();
}

/** Returns the refusal of a submission without an address that could be confirmed. */
export function emailRequired(): AppError {
  return new AppError('email_required', 'Enter a valid email address in the field “email”.');
}

/** Returns the refusal of a second submission with an address. */
export function alreadySubmitted(): AppError {
  return new AppError('already_submitted', 'A submission with this email address was already received.');
}
