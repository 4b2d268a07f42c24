import type { Micros } from '../lib/clock.ts';

/** A person who signs in. `email` is in small letters; `language` and `timeZone` (IANA) are null where the browser's are taken. */
export type User = Readonly<{
  id: string;
  email: string;
  language: string | null;
  timeZone: string | null;
  createdAt: Micros;
}>;

/** A sign-in. `address` is shortened, `browser` a few words. */
export type Session = Readonly<{
  id: string;
  userId: string;
  address: string;
  browser: string;
  createdAt: Micros;
  lastUsedAt: Micros;
  expiresAt: Micros;
}>;

/** A link that works once: to make an account in the team `teamId`, or to set the password of `userId` anew. */
export type OneTimeLink = Readonly<{
  teamId: string | null;
  userId: string | null;
  createdAt: Micros;
  expiresAt: Micros;
}>;
