import { CHALLENGE_KINDS, type ChallengeKind } from '../../../../src/domain/forms/challenge.ts';
import type { FormSettings } from '../../../../src/domain/forms/form.ts';
import type { Instance, Owner } from '../../../support/instance.ts';

/** Challenge kinds that use the siteverify protocol. */
export const KINDS = CHALLENGE_KINDS.filter((kind) => kind !== 'altcha');

/** Values that no visitor and no other test uses. */
export const SECRET = 'secret-7c1f+/&=ü';
export const TOKEN = 'token-39b2+/&=ü';

export type Asked = Readonly<{ path: string; headers: Headers; body: string }>;

type Answer = (asked: Asked) => Response | Promise<Response>;

/** A verify endpoint for one form; `asked` are the requests it has received. */
export type Desk = Readonly<{ url: string; asked: Asked[] }>;

export type Service = Readonly<{
  /** Adds an endpoint with this response. */
  desk: (answer: Answer) => Desk;
  stop: () => Promise<void>;
}>;

/** Starts a challenge service on its own port. */
export function startService(): Service {
  const desks: Array<Readonly<{ answer: Answer; asked: Asked[] }>> = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const path = new URL(request.url).pathname;
      const desk = desks[Number(path.slice(1))];
      if (!desk) return new Response('No such endpoint.', { status: 404 });
      const asked = { path, headers: request.headers, body: await request.text() };
      desk.asked.push(asked);
      return desk.answer(asked);
    },
  });
  return {
    desk: (answer) => {
      const asked: Asked[] = [];
      const index = desks.push({ answer, asked }) - 1;
      return { url: `http://127.0.0.1:${server.port}/${index}`, asked };
    },
    stop: () => server.stop(true),
  };
}

export const yes = () => Response.json({ success: true });
export const no = () => Response.json({ success: false, 'error-codes': ['invalid-input-response'] });

/** Returns a response function with this text as the body. */
export function saying(text: string, status = 200): () => Response {
  return () => new Response(text, { status, headers: { 'Content-Type': 'application/json' } });
}

type Guarded = Readonly<{ kind?: ChallengeKind; settings?: Partial<FormSettings>; plan?: string }>;

/** Creates an owner whose form has a challenge that is verified at this address. */
export async function guardedBy(
  instance: Instance,
  { url: verifyUrl }: Pick<Desk, 'url'>,
  { kind = 'custom', settings = {}, plan = 'unlimited' }: Guarded = {},
): Promise<Owner> {
  const owner = await instance.makeOwner(plan);
  return { ...owner, form: await instance.makeForm(owner, settings, { kind, secret: SECRET, verifyUrl }) };
}

/** Posts a name and a token. */
export function postToken(
  { post }: Instance,
  { form }: Owner,
  token: unknown = TOKEN,
  headers: Record<string, string> = {},
): Promise<Response> {
  return post(form.id, { name: 'Ada', 'captcha-response': token }, headers);
}

/** Returns the log line of the request with this response. */
export function logOf({ logs }: Instance, answer: Response): Record<string, unknown> {
  const line = logs.find((text) => text.includes(`"request":"${answer.headers.get('x-request-id')}"`));
  return JSON.parse(line ?? '{}') as Record<string, unknown>;
}
