import type { Target } from './target.ts';
import { archive } from './targets/archive.ts';
import { backup } from './targets/backup.ts';
import { bodies } from './targets/bodies.ts';
import { csv } from './targets/csv.ts';
import { cursor } from './targets/cursor.ts';
import { decoder } from './targets/decoder.ts';
import { http } from './targets/http.ts';
import { idempotency } from './targets/idempotency.ts';
import { keyHeader } from './targets/key-header.ts';
import { mail } from './targets/mail.ts';
import { manifest } from './targets/manifest.ts';
import { masking } from './targets/masking.ts';
import { spam } from './targets/spam.ts';

/** All code that handles untrusted input: over sockets first, then in this process. */
export const TARGETS: readonly Target[] = [
  ...[http, bodies, idempotency],
  ...[decoder, masking, keyHeader, cursor, archive, manifest, mail, csv, spam, backup],
];
