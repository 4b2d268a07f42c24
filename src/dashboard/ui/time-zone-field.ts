import { parseTimeZone } from '../../domain/time-zone.ts';
import { html } from '../../lib/html.ts';

/** Tells the time zone of the browser, where script fills it in. */
export const timeZoneField = html`<input type="hidden" name="time_zone" data-time-zone>`;

/** What it told; null for nothing, and for what is no time zone here. */
export function timeZoneOf(sent: URLSearchParams): string | null {
  try {
    return parseTimeZone(sent.get('time_zone') ?? '');
  } catch {
    return null;
  }
}
