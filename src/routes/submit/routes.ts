import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { DEFAULT_SETTINGS, type Form, type FormSettings } from '../../domain/form.ts';
import type { BodyMemory } from '../../http/body-memory.ts';
import { ClientAddress } from '../../http/client-address.ts';
import { corsHeaders, requireOrigin } from '../../http/cross-origin.ts';
import { toRefusal } from '../../http/failure.ts';
import { IDLE_SECONDS } from '../../http/idle-timeout.ts';
import { PublicFormParams } from '../../http/params.ts';
import { RefusedClients } from '../../http/refused-clients.ts';
import { shortHeader } from '../../http/short-header.ts';
import { acceptPost, type Intake } from '../../intake/accept.ts';
import { decodeBody } from '../../intake/decode/body.ts';
import { formPaused, tooLarge } from '../../intake/refusals.ts';
import { fileLimits, Upload } from '../../intake/upload.ts';
import { ClientBytes } from '../../lib/client-bytes.ts';
import { ClientWindow } from '../../lib/client-window.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { isDeclaredAtMost } from '../../lib/read-body.ts';
import { submitOperation } from '../api/openapi/public-operations.ts';
import { thanksMessage } from './messages.ts';
import { thanksPage, wantsPage } from './page.tsx';
import { publicRefusal } from './public-refusal.ts';
import { sourceOf } from './source.ts';

const SUBMIT_PATH = '/v1/forms/:formId/submissions';

/** Shorter bodies keep the idle timeout of the connection: their own deadline ends first, unless `bodySeconds` is high. */
const SHORT_BODY_BYTES = 64 * 1024;

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '7200',
};

type Server = NonNullable<Elysia['server']>;

/** Registers the public endpoint for submissions. It responds with success only after the submission is synced to disk. */
export function submitRoutes(context: Context, intake: Intake, bodies: BodyMemory) {
  const { config, store, blobs, disk, log, monotonic } = context;
  const maxBytes = Math.max(config.maxBodyBytes, config.maxUploadBytes);
  const limits = { textBytes: config.maxBodyBytes, uploadBytes: config.maxUploadBytes, seconds: config.bodySeconds };
  const shortBytes = config.bodySeconds + 10 < IDLE_SECONDS ? SHORT_BODY_BYTES : 0;
  const addresses = new ClientAddress(config.trustedProxies);
  const clients = new RefusedClients(config, log);
  const findForm = coalesce(store.findPublicForm);
  const posts = new ClientWindow(config.postsPerMinute);
  const byteRate = new ClientBytes(config.uploadBytesPerMinute);

  const refuseLargeOrFrequent = (request: Request, client: string) => {
    if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes);
    if (config.postsPerMinute === 0) return;
    const { allowed, resetSeconds } = posts.take(client, monotonic());
    if (!allowed) throw tooFrequent('submissions', resetSeconds);
  };

  /** Counts the body's bytes, or the most it may have, and returns a function that takes back what did not arrive. */
  const countBytes = (request: Request, client: string) => {
    const declared = request.headers.get('content-length');
    const counted = declared === null ? maxBytes : Number(declared);
    const seconds = byteRate.take(client, counted, monotonic());
    if (seconds > 0) throw tooFrequent('bytes', seconds);
    return (received: number) => {
      if (declared === null) byteRate.refund(client, counted - received, monotonic());
    };
  };

  const receive = async (request: Request, form: Form, client: string, server: Server | null) => {
    disk.reserve(Number(request.headers.get('content-length')));
    const refundBytes = countBytes(request, client);
    let textBytes = 0;
    const upload = new Upload(blobs, fileLimits(config, form));
    // The body's own deadline ends in a response; the idle timeout would close the connection without one.
    const isLong = !isDeclaredAtMost(request, shortBytes);
    if (isLong) server?.timeout(request, 0);
    try {
      await bodies.lend(client, async (lend) => {
        const reserve = (bytes: number) => {
          lend(bytes);
          textBytes += bytes;
        };
        const sent = await decodeBody(request, { ...limits, reserve }, upload);
        const source = form.keepsSource ? sourceOf(request) : null;
        await acceptPost(intake, form, {
          sent,
          upload,
          source,
          idempotencyKey: request.headers.get('idempotency-key'),
        });
      });
    } finally {
      refundBytes(textBytes + upload.receivedBytes);
      if (isLong) server?.timeout(request, IDLE_SECONDS);
      await upload.discard();
    }
  };

  return new Elysia()
    .post(
      SUBMIT_PATH,
      async ({ request, params, server }) => {
        let settings: FormSettings = DEFAULT_SETTINGS;
        try {
          const client = addresses.ofRequest(request, server) ?? '';
          refuseLargeOrFrequent(request, client);
          const form = await findForm(params.formId);
          if (!form) throw new AppError('form_not_found', 'There is no form at this address.');
          settings = form;
          if (!form.isActive) throw formPaused();
          requireOrigin(request, form.allowedOrigins);
          await receive(request, form, client, server);
          return successResponse(request, form);
        } catch (error) {
          const refusal = toRefusal(error, request, SUBMIT_PATH, log);
          intake.counts.refuse(refusal.code);
          clients.note(request, server, refusal.code);
          return publicRefusal(request, settings.allowedOrigins, refusal);
        }
      },
      // intake/decode reads the body, since the framework's parser loses fields.
      { parse: 'none', params: PublicFormParams, detail: submitOperation },
    )
    .options(SUBMIT_PATH, async ({ request, params }) => {
      const { allowedOrigins } = (await findForm(params.formId)) ?? DEFAULT_SETTINGS;
      return new Response(null, { status: 204, headers: { ...PREFLIGHT, ...corsHeaders(request, allowedOrigins) } });
    });
}

function tooFrequent(what: 'submissions' | 'bytes', seconds: number): AppError {
  return new AppError('rate_limited', `Too many ${what} from your address. Try again in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
  });
}

/** Responds with a redirect, a page or JSON. Clients that accept only JSON get the redirect URL in the body. */
function successResponse(request: Request, form: Form): Response {
  const { redirectUrl } = form;
  const cors = corsHeaders(request, form.allowedOrigins);
  if (redirectUrl === null && wantsPage(request)) return thanksPage(request, form, cors);
  if (redirectUrl !== null && !wantsJsonOnly(shortHeader(request, 'accept') ?? '')) {
    return new Response(null, { status: 303, headers: { ...cors, Location: redirectUrl } });
  }
  const message = thanksMessage(request, form.thanksText);
  const body = { success: true, message, ...(redirectUrl !== null && { redirect_url: redirectUrl }) };
  return new Response(JSON.stringify(body), { headers: { ...cors, 'Content-Type': 'application/json' } });
}

function wantsJsonOnly(accept: string): boolean {
  const types = accept.split(',').map((range) => range.split(';', 1)[0]?.trim().toLowerCase());
  return types.includes('application/json') && !types.includes('text/html') && !types.includes('*/*');
}
