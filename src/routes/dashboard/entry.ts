import type { Context } from '../../context.ts';
import type { User } from '../../domain/user.ts';
import { browserMarkCookie, browserMarkOf } from '../../http/browser-mark.ts';
import { browserName } from '../../http/browser-name.ts';
import { ClientAddress, rateName, shortAddress } from '../../http/client-address.ts';
import { sessionCookie } from '../../http/session-cookie.ts';
import { Accounts } from '../../services/accounts.ts';
import { SESSION_LIFE, startSession } from '../../services/sessions.ts';
import { SignInTries, type TriedFrom } from '../../services/sign-in-tries.ts';
import { redirectTo } from './visit.ts';

/** A request with the server that it came to, which knows from where. */
export type Arrival = Readonly<{
  request: Request;
  server: Readonly<{ requestIP: (request: Request) => Readonly<{ address: string }> | null }> | null;
}>;

/** How people come in: what the pages share on which someone signs in. */
export class Entry {
  readonly accounts: Accounts;
  readonly tries: SignInTries;
  readonly #addresses: ClientAddress;

  constructor(private readonly context: Context) {
    this.accounts = new Accounts(context);
    this.tries = new SignInTries(context);
    this.#addresses = new ClientAddress(context.config.trustedProxies);
  }

  triedFrom(arrival: Arrival): TriedFrom {
    return { client: rateName(this.#addressOf(arrival)), mark: browserMarkOf(arrival.request) };
  }

  /** Signs a user in and leads on. A time zone is noted for whoever has set none. */
  async letIn(arrival: Arrival, user: User, to: string, timeZone: string | null): Promise<Response> {
    const { request } = arrival;
    if (user.timeZone === null && timeZone !== null) await this.context.store.updateUser(user.id, { timeZone });
    const address = shortAddress(this.#addressOf(arrival));
    const browser = browserName(request.headers.get('user-agent') ?? '');
    const secret = await startSession(this.context, user, { address, browser });
    const answer = redirectTo(to);
    answer.headers.append('Set-Cookie', sessionCookie(request, secret, SESSION_LIFE));
    answer.headers.append('Set-Cookie', browserMarkCookie(request, this.tries.markFor(user.email)));
    return answer;
  }

  #addressOf({ request, server }: Arrival): string {
    const peer = server?.requestIP(request)?.address ?? '';
    return this.#addresses.of(peer, request.headers.get('x-forwarded-for'));
  }
}
