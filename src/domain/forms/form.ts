import type { Micros } from '../../lib/clock.ts';
import { randomString } from '../../lib/ids.ts';
import type { FormField } from '../fields/field-type.ts';
import type { WebhookRoute } from '../webhooks/webhook.ts';
import type { ChallengeKind } from './challenge.ts';
import type { RecipientConditions } from './condition.ts';
import { PLAIN_DEFAULTS, type PlainSettings } from './form-settings.ts';

/** A form's settings: those of the table, and those with a shape of their own. */
export type FormSettings = PlainSettings &
  Readonly<{
    fields: readonly FormField[];
    notifyWhen: RecipientConditions;
    challenge: ChallengeKind | null;
    /** Null without a challenge and for `altcha`, like the secret, which is a sealed record. */
    challengeVerifyUrl: string | null;
    challengeSecret: Uint8Array | null;
  }>;

export const DEFAULT_SETTINGS: FormSettings = {
  ...PLAIN_DEFAULTS,
  fields: [],
  notifyWhen: {},
  challenge: null,
  challengeVerifyUrl: null,
  challengeSecret: null,
};

/** A form. The public endpoint accepts `shortId` in place of `id`. */
export type Form = FormSettings &
  Readonly<{
    id: string;
    shortId: string;
    workspaceId: string;
    name: string;
    isActive: boolean;
    /** Routes of the form's webhooks. */
    webhookRoutes: readonly WebhookRoute[];
    /** Archived forms accept nothing and are hidden from lists; null if not archived. */
    archivedAt: Micros | null;
    /** Forms in the trash are deleted 30 days later; null outside of it. */
    trashedAt: Micros | null;
    createdAt: Micros;
  }>;

/** A logo: an image of at most `MAX_LOGO_BYTES` of one of `LOGO_TYPES`. */
export type FormLogo = Readonly<{ type: string; image: Uint8Array }>;

export const MAX_LOGO_BYTES = 64 * 1024;

export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

/** Changes to a form. Missing properties keep their value. */
export type FormChanges = Partial<FormSettings & Pick<Form, 'name' | 'isActive' | 'workspaceId' | 'archivedAt'>>;

/**
 * Generates a form's id, which sorts by creation time. It is in each submission's row and index, and therefore shorter
 * than other ids: milliseconds (45 bits), counter (12 bits) and random bits (23) of a UUID version 7 in base 32.
 */
export function newFormId(): string {
  const uuid = BigInt(`0x${Bun.randomUUIDv7('hex').replaceAll('-', '')}`);
  const digits = ((uuid >> 80n) << 35n) | (((uuid >> 64n) & 0xfffn) << 23n) | (uuid & 0x7fffffn);
  return `frm_${digits.toString(32).padStart(16, '0')}`;
}

/** Generates a short id: eight characters without the ambiguous 0, 1, i, l and o (8.5e11 ids). */
export const newShortId = (): string => randomString(8, '23456789abcdefghjkmnpqrstuvwxyz');
