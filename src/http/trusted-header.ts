import { AppError } from '../domain/errors.ts';
import { parseAddress } from '../domain/mail/email-address.ts';
import type { Logger } from '../lib/log.ts';
import type { ClientAddress, Peers } from './client-address.ts';

/** The header with which a trusted proxy names the user; `name` is null if there is none. */
export class TrustedHeader {
  #hasLogged = false;

  constructor(
    private readonly name: string | null,
    private readonly clientAddress: ClientAddress,
    private readonly log: Logger,
  ) {}

  /** Throws `not_from_here` if the request has the header but is not from a trusted proxy. Logs the first one. */
  refuseForged({ headers }: Pick<Request, 'headers'>, peer: string | undefined): void {
    if (this.name === null || !headers.has(this.name)) return;
    if (peer !== undefined && this.clientAddress.trusts(peer)) return;
    if (!this.#hasLogged) {
      this.#hasLogged = true;
      const advice =
        'a request with AUTH_HEADER was refused: it is not from TRUSTED_PROXIES; later ones are not logged';
      this.log.warn(advice, { header: this.name });
    }
    throw new AppError('not_from_here', `The header ${this.name} is accepted from trusted proxies only.`, {
      reason: ['untrusted_header'],
    });
  }

  /**
   * Returns the address of the user in lower case; null without the header. Throws `not_from_here` if it is not from a
   * trusted proxy, or has no single address.
   */
  read(request: Request, server: Peers | null): string | null {
    if (this.name === null) return null;
    this.refuseForged(request, server?.requestIP(request)?.address);
    const value = request.headers.get(this.name)?.trim();
    if (!value) return null;
    const email = parseAddress(value)?.toLowerCase();
    if (email) return email;
    throw new AppError('not_from_here', `The header ${this.name} must have one email address.`, {
      reason: ['untrusted_header'],
    });
  }
}
