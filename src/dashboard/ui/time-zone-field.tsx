/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { parseTimeZone } from '../../domain/users/time-zone.ts';

/** A hidden input that the script fills with the browser's time zone. */
export function TimeZoneField() {
  return <input type="hidden" name="time_zone" data-time-zone="" />;
}

/** Returns the browser's time zone; null if the form has none or an unknown one. */
export function getTimeZone(form: URLSearchParams): string | null {
  try {
    return parseTimeZone(form.get('time_zone') ?? '');
  } catch {
    return null;
  }
}
