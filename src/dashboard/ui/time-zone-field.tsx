/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { parseTimeZone } from '../../domain/users/time-zone.ts';
import { type Field, SelectInput } from './form-inputs.tsx';

/** A choice of all time zones and the current one, which may be an alias. */
export function TimeZoneInput(field: Field) {
  const zones = new Set(['UTC', field.value, ...Intl.supportedValuesOf('timeZone')]);
  return <SelectInput {...field} options={[...zones].map((zone) => [zone, zone.replaceAll('_', ' ')])} />;
}

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
