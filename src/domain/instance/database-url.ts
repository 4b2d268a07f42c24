import { SetupError } from '../errors.ts';

/** Protection of the connection to PostgreSQL. `local` stays on the machine. */
export type DatabaseTls = 'verified' | 'unverified' | 'none' | 'local';

/** The driver verifies the certificate and the host in all of these modes, unless it is told to behave like libpq. */
const VERIFIED = ['verify-full', 'verify-ca', 'require', 'prefer'];

/** Returns the protection of a connection. Throws `SetupError` if the URL leaves it open for another machine. */
export function databaseTls(text: string): DatabaseTls {
  const { hostname, searchParams } = new URL(text);
  const last = (name: string) => searchParams.getAll(name).at(-1);
  const mode = last('sslmode') ?? '';
  if (mode === 'disable') return 'none';
  if (mode === 'no-verify') return 'unverified';
  if (VERIFIED.includes(mode) && !searchParams.has('uselibpqcompat')) return 'verified';
  const host = last('host') ?? decodeURIComponent(hostname);
  if (mode === '' && /^(\/.*|localhost|127(\.\d+){3}|\[::1\])$/.test(host)) return 'local';
  throw new SetupError(
    'DATABASE_URL leads to another machine and does not say how the connection is encrypted. Add ?sslmode=verify-full, with &sslrootcert=/path/ca.crt for a private CA, or ?sslmode=disable if nobody can listen in between.',
  );
}
