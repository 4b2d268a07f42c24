import type { ServerContext } from '../context/server-context.ts';
import type { AppError } from '../domain/errors.ts';
import type { Form } from '../domain/forms/form.ts';
import type { Payload, Source } from '../domain/submissions/submission.ts';
import { browserName } from '../http/browser-name.ts';
import type { Peers } from '../http/client-address.ts';
import { tooFrequent, toRefusal } from '../http/failure.ts';
import { IDLE_SECONDS } from '../http/idle-timeout.ts';
import { shortHeader } from '../http/short-header.ts';
import { acceptPost, asksToConfirm } from '../intake/accept.ts';
import { decodeBody } from '../intake/decode/body.ts';
import { tooLarge } from '../intake/refusals.ts';
import { fileLimits, Upload } from '../intake/upload.ts';
import { ClientBytes } from '../lib/client-bytes.ts';
import { ClientRateLimit } from '../lib/client-rate-limit.ts';
import { HOUR, MINUTE } from '../lib/clock.ts';
import { isDeclaredAtMost } from '../lib/read-body.ts';
import { getLanguage } from './i18n/index.ts';

/** Shorter bodies keep the idle timeout of the connection: their own deadline ends first, unless `bodySeconds` is high. */
const SHORT_BODY_BYTES = 64 * 1024;

type Server = Peers & Readonly<{ timeout: (request: Request, seconds: number) => void }>;

export type Receiver = ReturnType<typeof newReceiver>;

/** Creates the receiver of posts, which the public endpoint and hosted forms share with its limits per address. */
export function newReceiver(context: ServerContext) {
  const { config, store, blobs, disk, log, monotonic, clientAddress, refusedClients, intake, bodies } = context;
  const maxBytes = Math.max(config.maxBodyBytes, config.maxUploadBytes);
  const limits = { textBytes: config.maxBodyBytes, uploadBytes: config.maxUploadBytes, seconds: config.bodySeconds };
  const shortBytes = config.bodySeconds + 10 < IDLE_SECONDS ? SHORT_BODY_BYTES : 0;
  const posts = new ClientRateLimit(config.postsPerMinute);
  const pages = new ClientRateLimit(config.postsPerMinute);
  const byteRate = new ClientBytes([
    { bytes: config.uploadBytesPerMinute, span: MINUTE },
    { bytes: config.uploadBytesPerHour, span: HOUR },
  ]);

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

  return {
    findForm: coalesce(store.forms.findPublic),

    /** Returns whether the visitors of a form have to confirm their addresses. */
    asksToConfirm: (form: Form): boolean => asksToConfirm(intake, form),

    /** Returns the client's address. Throws if the declared body is too large or the address posts too often. */
    admit: (request: Request, server: Server | null): string => {
      const client = clientAddress.ofRequest(request, server) ?? '';
      if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes);
      if (config.postsPerMinute === 0) return client;
      const { allowed, resetSeconds } = posts.take(client, monotonic());
      if (!allowed) throw tooFrequent('submissions', resetSeconds);
      return client;
    },

    /** Throws if the address asks for pages more often than it may post. */
    admitPage: (request: Request, server: Server | null): void => {
      if (config.postsPerMinute === 0) return;
      const { allowed, resetSeconds } = pages.take(clientAddress.ofRequest(request, server) ?? '', monotonic());
      if (!allowed) throw tooFrequent('requests', resetSeconds);
    },

    /** Reads and stores a post. Calls `onDecoded` with its fields before they are checked. */
    receive: async (request: Request, form: Form, { client, server, onDecoded, isHosted = false }: Post) => {
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
          onDecoded?.(sent);
          await acceptPost(intake, form, {
            sent,
            upload,
            isHosted,
            shownConsent: isHosted ? (URL.parse(request.url)?.searchParams.get('consent') ?? null) : null,
            language: form.confirmAddress || form.autoReplyText !== null ? getLanguage(request, form) : null,
            source: form.keepsSource ? getSource(request) : null,
            idempotencyKey: request.headers.get('idempotency-key'),
          });
        });
      } finally {
        refundBytes(textBytes + upload.receivedBytes);
        if (isLong) server?.timeout(request, IDLE_SECONDS);
        await upload.discard();
      }
    },

    /** Counts and logs a failed post, and returns the error to answer with. */
    refuse: (error: unknown, request: Request, server: Server | null, path: string): AppError => {
      const refusal = toRefusal(error, request, path, log);
      intake.counts.refuse(refusal.code);
      refusedClients.note(request, server, refusal.code);
      return refusal;
    },
  };
}

type Post = Readonly<{
  client: string;
  server: Server | null;
  onDecoded?: (sent: Payload) => void;
  isHosted?: boolean;
}>;

const MAX_PAGE_LENGTH = 2_000;

/** Returns the source of a post: the page without query and fragment, and the browser; null if the client names neither. */
function getSource(request: Request): Source | null {
  const page = getPage(request.headers.get('referer') ?? '');
  const browser = browserName(shortHeader(request, 'user-agent') ?? '') || null;
  return page === null && browser === null ? null : { page, browser };
}

function getPage(referrer: string): string | null {
  // Checked before parsing: `URL` takes seconds for a long host of combining marks.
  if (referrer.length > MAX_PAGE_LENGTH || !URL.canParse(referrer)) return null;
  const { protocol, origin, pathname } = new URL(referrer);
  return /^https?:$/.test(protocol) ? origin + pathname : null;
}

/**
 * Wraps `load` so that calls with the same key in one turn of the event loop share a single call. Results are not
 * cached beyond that turn, so no caller gets a value older than its own call.
 */
function coalesce<Answer>(load: (key: string) => Promise<Answer>): (key: string) => Promise<Answer> {
  const pending = new Map<string, Promise<Answer>>();
  return (key) => {
    const shared = pending.get(key);
    if (shared) return shared;
    if (pending.size === 0) setImmediate(() => pending.clear());
    const result = load(key);
    pending.set(key, result);
    return result;
  };
}
