import { expect } from 'bun:test';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Form } from '../../../src/domain/forms/form.ts';
import type { Instance, Owner } from '../../support/instance.ts';
import { expectAccepted, expectNothingKept } from './helpers.ts';

export const MiB = 1024 * 1024;

/** File metadata of the API. */
export type FileFacts = Readonly<{
  id: string;
  field: string;
  name: string;
  content_type: string;
  size: number;
  sha256: string;
}>;

export type Shown = Readonly<{
  id: string;
  data: Record<string, unknown>;
  file_metadata: Readonly<{ files: readonly FileFacts[] }> | null;
}>;

/** Returns the form body that `fetch` sends for texts and files. */
export function formData(entries: ReadonlyArray<readonly [name: string, value: string | File]>): FormData {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return form;
}

/** Returns random bytes in which no file type is detected. */
export function noise(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  if (size > 0) bytes[0] = 0;
  return bytes;
}

/** Returns the part of a file, with its name unescaped. */
export function filePart(field: string, name: string, content: string, type = 'application/x-test'): string {
  return `${fileHead(field, name, type)}${content}`;
}

export function fileHead(field: string, name: string, type = 'application/x-test'): string {
  return `Content-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
}

/** Returns a form's submissions from the API, newest first. */
export async function shown({ stored }: Instance, owner: Owner, form?: Form): Promise<Shown[]> {
  return (await stored(owner, form)) as unknown as Shown[];
}

/** Posts to a new form and returns the submission from the API. */
export async function keepForm(instance: Instance, body: FormData): Promise<Readonly<{ owner: Owner; kept: Shown }>> {
  const owner = await instance.makeOwner();
  await expectAccepted(await instance.post(owner.form.id, body));
  const [kept] = await shown(instance, owner);
  if (!kept) throw new Error('nothing was kept');
  return { owner, kept };
}

/** Calls the API without the checks of `api`, which would read an aborted body. */
export function download({ url }: Pick<Instance, 'url'>, key: string, submissionId: string, fileId: string) {
  const headers = { Authorization: `Bearer ${key}` };
  return fetch(`${url}/v1/submissions/${submissionId}/files/${fileId}`, { headers });
}

export function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
}

/** Returns the names of all blobs on disk. */
export function blobNames({ dataDir }: Pick<Instance, 'dataDir'>): string[] {
  return readdirSync(join(dataDir, 'files')).sort();
}

/** Counts the stored files that this process has open. */
export function countOpenFiles({ dataDir }: Pick<Instance, 'dataDir'>): number {
  const targets = readdirSync('/proc/self/fd').map((descriptor) => {
    try {
      return readlinkSync(join('/proc/self/fd', descriptor));
    } catch {
      // It was closed after it was listed.
      return '';
    }
  });
  return targets.filter((target) => target.startsWith(join(dataDir, 'files/'))).length;
}

/** Expects neither a row nor a blob after the request has ended. */
export async function expectNothingLeft(instance: Instance, owner: Owner): Promise<void> {
  await expectNothingKept(instance, owner);
  expect(blobNames(instance)).toEqual([]);
}
