import type { AkismetSettings } from '../../domain/akismet.ts';
import type { Form } from '../../domain/form.ts';
import { maskPayload } from '../../domain/masking.ts';
import type { Payload } from '../../domain/submission.ts';
import { type Clock, type Micros, SECOND } from '../../lib/clock.ts';
import { type GuardedNetwork, guardedFetch, readStart } from '../../lib/guarded-fetch.ts';
import type { Logger } from '../../lib/log.ts';
import { toSingleLine } from '../../lib/one-line.ts';
import { ShareExhaustedError } from '../../lib/outgoing-shares.ts';
import { RefusedHostError } from '../../lib/ssrf-guard.ts';
import { akismetKeyAad, UnreadableRecordError, type Vault } from '../../vault/vault.ts';
import type { Verdict } from './spam.ts';
import { extractText, type FieldText } from './text.ts';

/** The client of a post: its address, and its User-Agent header if it has one. */
export type Visitor = Readonly<{ address: string; userAgent: string | null }>;

/** Why a service gave no answer. */
export type AkismetFailure = 'refused' | 'unexpected' | 'no_response' | 'unreachable' | 'host_refused' | 'busy';

class AkismetError extends Error {
  constructor(
    readonly failure: AkismetFailure,
    detail = '',
  ) {
    super([failure, detail].filter(Boolean).join(': '));
    this.name = 'AkismetError';
  }
}

const TIMEOUT_MS = 3_000;
/** Time without requests after a host did not respond, so that its timeout delays few posts. */
const PAUSE = 30 * SECOND;
const MAX_RESPONSE_BYTES = 1_024;
/** Limit of remembered hosts and forms; beyond it, all are forgotten. */
const MAX_REMEMBERED = 1_000;
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}$/;
const REASON = 'the Akismet service of the form says spam';

type Deps = Readonly<{ vault: Vault; network: GuardedNetwork; clock: Clock; log: Logger }>;

/** Client for services that speak Akismet's protocol. A failure counts as no answer, and never refuses a post. */
export class Akismet {
  /** Requests by result since the start of the process. */
  readonly counts = { spam: 0, genuine: 0, failed: 0 };
  /** Hosts that get no requests for now, with their failure. */
  readonly #paused = new Map<string, Readonly<{ until: Micros; failure: AkismetFailure }>>();
  readonly #failures = new Map<string, AkismetFailure>();

  /** `timeoutMs` covers a whole request. */
  constructor(
    private readonly deps: Deps,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** Asks the form's service about a post that is not spam by its content. Returns the verdict with its answer. */
  async check(form: Form, payload: Payload, visitor: Visitor | null, verdict: Verdict): Promise<Verdict> {
    if (form.akismetKey === null || verdict.class === 'spam' || !visitor?.address) return verdict;
    const isSpam = await this.#ask(form, payload, visitor);
    return isSpam ? { ...verdict, class: 'spam', reasons: [REASON, ...verdict.reasons] } : verdict;
  }

  /** Returns whether the service accepts the key; else the failure. */
  async verifyKey({ key, url, site }: AkismetSettings): Promise<'valid' | AkismetFailure> {
    try {
      const body = await this.#post(url, site, 'verify-key', { key, api_key: key, blog: site });
      return body === 'valid' ? 'valid' : 'refused';
    } catch (error) {
      return failureOf(error);
    }
  }

  /** Returns the failure of the form's latest request; null if it was answered or there was none. */
  lastFailure(formId: string): AkismetFailure | null {
    return this.#failures.get(formId) ?? null;
  }

  async #ask(form: Form, payload: Payload, visitor: Visitor): Promise<boolean> {
    try {
      const settings = openAkismet(this.deps.vault, form);
      if (!settings) throw new AkismetError('refused', 'no key');
      const { key, url, site } = settings;
      const body = await this.#post(url, form.workspaceId, 'comment-check', {
        api_key: key,
        blog: site,
        ...commentOf(payload, visitor),
      });
      if (body !== 'true' && body !== 'false') throw new AkismetError('refused');
      this.#failures.delete(form.id);
      this.counts[body === 'true' ? 'spam' : 'genuine'] += 1;
      return body === 'true';
    } catch (error) {
      this.#recordFailure(form.id, error);
      return false;
    }
  }

  #recordFailure(formId: string, error: unknown): void {
    const failure = failureOf(error);
    this.counts.failed += 1;
    if (this.#failures.get(formId) === failure) return;
    if (this.#failures.size >= MAX_REMEMBERED) this.#failures.clear();
    this.#failures.set(formId, failure);
    this.deps.log.warn('could not ask the Akismet service of a form; its submissions are stored without its answer', {
      form: formId,
      failure,
      error: String(error),
    });
  }

  /** Returns the text that the service answers, within the share of `owner`. Throws `AkismetError`. */
  async #post(
    base: string,
    owner: string,
    call: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<string> {
    const url = new URL(`${base}/1.1/${call}`);
    const paused = this.#paused.get(url.host);
    if (paused && paused.until > this.deps.clock()) throw new AkismetError(paused.failure, 'paused');
    try {
      return await this.deps.network.shares.run('akismet', owner, () => this.#send(url, parameters));
    } catch (error) {
      if (error instanceof ShareExhaustedError) throw new AkismetError('busy');
      if (isPauseWorthy(error)) this.#pause(url.host, failureOf(error));
      throw error;
    }
  }

  async #send(url: URL, parameters: Readonly<Record<string, string>>): Promise<string> {
    const body = new URLSearchParams(parameters);
    const headers = { 'User-Agent': 'Formstead/1.0' };
    const response = await guardedFetch(this.deps.network, url, { body, headers }, this.timeoutMs);
    const text = (await readStart(response, MAX_RESPONSE_BYTES)).toString().trim();
    this.#paused.delete(url.host);
    if (response.status !== 200) throw new AkismetError('unexpected', `HTTP ${response.status}`);
    const help = response.headers.get('x-akismet-debug-help');
    if (help && text === 'invalid') throw new AkismetError('refused', toSingleLine(help, 200));
    return text;
  }

  #pause(host: string, failure: AkismetFailure): void {
    if (this.#paused.size >= MAX_REMEMBERED) this.#paused.clear();
    this.#paused.set(host, { until: this.deps.clock() + PAUSE, failure });
  }
}

/** Returns the open settings of a form; null if it has none or their record is damaged. */
export function openAkismet(vault: Vault, { id, akismetKey }: Form): AkismetSettings | null {
  try {
    return akismetKey && (JSON.parse(vault.open(akismetKey, akismetKeyAad(id)).toString()) as AkismetSettings);
  } catch (error) {
    if (error instanceof UnreadableRecordError) return null;
    throw error;
  }
}

/** Returns the settings of a form as `forms.akismet_key` holds them. */
export function sealAkismet(vault: Vault, formId: string, settings: AkismetSettings): Uint8Array {
  return vault.seal(JSON.stringify(settings), akismetKeyAad(formId));
}

/** Returns the parameters about a post: its longest text, name and email address, masked, and the client. */
function commentOf(payload: Payload, { address, userAgent }: Visitor): Record<string, string> {
  const { fields, message } = extractText(maskPayload(payload));
  const isEmail = ({ value }: FieldText) => EMAIL.test(value);
  const name = fields.find(({ isNameField }) => isNameField);
  const email = fields.find(isEmail);
  return {
    user_ip: address,
    ...(userAgent !== null && { user_agent: userAgent }),
    comment_type: 'contact-form',
    ...(name && name !== message && { comment_author: name.text }),
    ...(email && email !== message && { comment_author_email: email.text }),
    comment_content: message.text,
  };
}

function failureOf(error: unknown): AkismetFailure {
  if (error instanceof AkismetError) return error.failure;
  if (error instanceof RefusedHostError) return 'host_refused';
  return error instanceof Error && error.name === 'TimeoutError' ? 'no_response' : 'unreachable';
}

/** Returns whether a host itself failed, not a request to it. */
function isPauseWorthy(error: unknown): boolean {
  return !(error instanceof AkismetError || error instanceof RefusedHostError);
}
