import { sortByForm } from '../../domain/fields/field-display.ts';
import { maskPayload } from '../../domain/masking/masking.ts';
import { truncatePayload } from '../../domain/submissions/truncate-payload.ts';
import type { BodyStyle } from '../../domain/webhooks/webhook.ts';
import { submissionUrl } from '../../mail/dashboard-link.ts';
import { openFiles, openOr, openPayload } from '../../vault/open-submission.ts';
import type { Vault } from '../../vault/vault.ts';
import type { FormEvent } from '../webhook/event.ts';
import { SHOWN_CHARACTERS, type TargetEvent } from './target.ts';

/** Returns an event as targets present it, with the beginning of the masked values. */
export function targetEvent(
  { vault, baseUrl }: Readonly<{ vault: Vault; baseUrl: string | null }>,
  { type, form, submission, deleted }: FormEvent,
  style: BodyStyle,
): TargetEvent {
  const { id, shortId, name, fields } = form;
  const shown = { type, form: { id, shortId, name, fields } };
  const gone = deleted && { ...deleted, isSpam: false, isMaybeSpam: false, data: null, files: [] };
  if (gone) return { ...shown, submission: gone, url: null };
  if (!submission) return { ...shown, submission: null, url: null };
  const payload = style === 'thin' ? null : openOr(() => openPayload(vault, submission), null);
  const { value, payload: total } = SHOWN_CHARACTERS;
  const data = payload && maskPayload(truncatePayload(sortByForm(fields, payload), value, total));
  const files = openOr(() => openFiles(vault, submission), []);
  const { createdAt, isSpam, isMaybeSpam } = submission;
  return {
    ...shown,
    submission: { id: submission.id, createdAt, isSpam, isMaybeSpam, data, files },
    url: submissionUrl(baseUrl, submission.id),
  };
}
