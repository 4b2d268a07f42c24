import { expect } from 'bun:test';
import type { Form } from '../../../src/domain/forms/form.ts';
import type { Payload } from '../../../src/domain/submissions/submission.ts';
import type { Micros } from '../../../src/lib/clock.ts';
import { payloadAad } from '../../../src/vault/vault.ts';
import type { Instance, Owner } from '../../support/instance.ts';

export const URLENCODED = 'application/x-www-form-urlencoded';
export const BOUNDARY = '----FormBoundary7MA4YWxkTrZu0gW';

type Fields = ReadonlyArray<readonly [name: string, value: string]>;

/** An encoded form: the body and its Content-Type. */
export type Sent = Readonly<{ type: string; body: string | Uint8Array<ArrayBuffer> }>;

/** Encoders that send the same form like a browser or a script. */
export const ENCODINGS: ReadonlyArray<readonly [name: string, encode: (fields: Fields) => Sent]> = [
  [
    'urlencoded',
    (fields) => {
      const form = new URLSearchParams();
      for (const [name, value] of fields) form.append(name, value);
      return { type: URLENCODED, body: form.toString() };
    },
  ],
  ['multipart', (fields) => multipart(fields.map(([name, value]) => textPart(name, value)))],
  [
    'JSON',
    (fields) => {
      const members = fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
      return { type: 'application/json', body: `{${members.join()}}` };
    },
  ],
];

/** Returns a part with its name escaped like browsers (WHATWG HTML, "multipart/form-data encoding algorithm"). */
export function textPart(name: string, value: string): string {
  const escaped = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return `Content-Disposition: form-data; name="${escaped}"\r\n\r\n${value}`;
}

export function multipart(parts: readonly string[], boundary = BOUNDARY): Sent {
  const body = `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;
  return { type: `multipart/form-data; boundary=${boundary}`, body };
}

export function send({ post }: Instance, { form }: Owner, { type, body }: Sent): Promise<Response> {
  return post(form.id, body, { 'Content-Type': type });
}

/** Returns the stored payloads of a form, newest first, with order, names and types. */
export async function kept({ context }: Instance, { teamId, form: own }: Owner, form: Form = own): Promise<Payload[]> {
  const rows = await context.store.submissions.list(teamId, form.id, { before: null, limit: 10_000 });
  return (rows?.items ?? []).map(({ id, payload }) => context.vault.openPayload(payload, payloadAad(id, form.id)));
}

/** Returns the creation times of the submissions, oldest first. */
export async function timesOf({ context }: Instance, { teamId, form }: Owner): Promise<Micros[]> {
  const rows = await context.store.submissions.list(teamId, form.id, { before: null, limit: 10_000 });
  return (rows?.items ?? []).map(({ createdAt }) => createdAt).reverse();
}

/** Returns the usage of the current month from the API. */
export async function used({ api }: Instance, { readKey }: Owner): Promise<number> {
  const response = await api('GET', '/v1/usage', { key: readKey });
  const { data } = (await response.json()) as { data: { submissions_used: number } };
  return data.submissions_used;
}

/** Expects that nothing was stored or counted. */
export async function expectNothingKept(instance: Instance, owner: Owner): Promise<void> {
  expect(await kept(instance, owner)).toEqual([]);
  expect(await used(instance, owner)).toBe(0);
}

export async function expectAccepted(response: Response): Promise<void> {
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ success: true, message: expect.stringMatching(/./) });
}

/** Expects a refusal in the documented format, readable from any page. */
export async function expectRefused(response: Response, status: number, code: string) {
  type Body = Readonly<{ success: boolean; message: string; code: string; errors?: unknown }>;
  const { errors, ...body } = (await response.json()) as Body;
  expect(body).toEqual({ success: false, message: expect.stringMatching(/./), code });
  expect(response.status).toBe(status);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  return { message: body.message, errors };
}

/** Returns the parts of a response that a client could tell apart. */
export async function whole(response: Response) {
  const headers = [...response.headers].filter(([name]) => name !== 'date').sort();
  return { status: response.status, headers, body: await response.text() };
}

export async function pause({ context }: Instance, { form, teamId }: Owner): Promise<void> {
  await context.store.forms.update(form.id, { isActive: false }, teamId);
}
