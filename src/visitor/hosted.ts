import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Context } from '../context/context.ts';
import { isClosed, notFound } from '../domain/errors.ts';
import type { Form } from '../domain/forms/form.ts';
import { isImage, logoHash } from '../domain/forms/form-logo.ts';
import { hostedPagePath, hostedPageProblem } from '../domain/forms/hosted-page.ts';
import type { Payload } from '../domain/submissions/submission.ts';
import { DENY_ALL_CSP } from '../http/base-headers.ts';
import { requireOrigin } from '../http/cross-origin.ts';
import { toRefusal } from '../http/failure.ts';
import { ownAddress } from '../http/own-address.ts';
import { redirectTo } from '../http/redirect-to.ts';
import { isSameOrigin } from '../http/same-origin.ts';
import { consentVersion } from '../intake/consent-versions.ts';
import { requireOpen, requireVacancy } from '../intake/refusals.ts';
import { makeStamp } from '../spam/stamp.ts';
import { addressPage } from './address-page.tsx';
import { hostedPage } from './hosted-page.tsx';
import { getLanguage } from './i18n/index.ts';
import { getLook } from './look.ts';
import { refusalPage, wantsPage } from './page.tsx';
import type { Receiver } from './receiver.ts';
import { refusalResponse, successResponse } from './responses.ts';
import { formNotFound, SUBMIT_PATH } from './routes.ts';

const HOSTED_PATH = '/f/:formId';

const LogoParams = Type.Object({ formId: Type.String(), hash: Type.String() });

const LOGO_HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': `${DENY_ALL_CSP}; sandbox`,
};

/** Registers the pages of hosted forms, and the logos of all visitor pages. */
export function hostedRoutes(context: Context, receiver: Receiver) {
  const { config, store, vault, clock, log } = context;
  const pages = new PageCache();

  const findHostedForm = async (id: string): Promise<Form> => {
    const form = await receiver.findForm(id);
    if (!form || hostedPageProblem(form) !== null) throw formNotFound();
    return form;
  };

  const getPage = async (request: Request, form: Form, refused: Parameters<typeof hostedPage>[1]['refused']) => {
    const look = await getLook(store, form, true);
    const stamp = makeStamp(vault, form.id, clock());
    const consent = form.consentText && consentVersion(vault, form.id, form.consentText);
    const render = (withStamp: string) => hostedPage(request, { form, look, stamp: withStamp, consent, refused });
    // A link may fill in hidden fields.
    return refused === null && !request.url.includes('?')
      ? pages.respond(`${form.id} ${getLanguage(request, form)}`, [form, look], stamp, render)
      : render(stamp);
  };

  return new Elysia()
    .get(HOSTED_PATH, async ({ request, params, server }) => {
      let form: Form | null = null;
      try {
        receiver.admitPage(request, server);
        form = await findHostedForm(params.formId);
        await requireVacancy(context, form);
        return await getPage(request, form, null);
      } catch (error) {
        return refusalResponse(request, toRefusal(error, request, HOSTED_PATH, log), form, store, true);
      }
    })
    .post(
      HOSTED_PATH,
      async ({ request, params, server }) => {
        let form: Form | null = null;
        let sent: Payload | null = null;
        const onDecoded = (decoded: Payload) => {
          sent = decoded;
        };
        try {
          const client = receiver.admit(request, server);
          form = await findHostedForm(params.formId);
          requireOpen(form, clock);
          if (!isSameOrigin(request, config.baseUrl)) requireOrigin(request, form.allowedOrigins);
          await receiver.receive(request, form, { client, server, onDecoded, isHosted: true });
          return await successResponse(request, form, store, sent ?? [], {
            isHosted: true,
            asksToConfirm: receiver.asksToConfirm(form),
          });
        } catch (error) {
          const refusal = receiver.refuse(error, request, server, HOSTED_PATH);
          const isCorrectable = !isClosed(refusal) && wantsPage(request);
          if (form && sent && isCorrectable) return getPage(request, form, { sent, refusal });
          return refusalResponse(request, refusal, form, store, true);
        }
      },
      { parse: 'none' },
    )
    .get(
      `${HOSTED_PATH}/logo/:hash`,
      async ({ params }) => {
        const form = await receiver.findForm(params.formId);
        const logo = form && (await store.forms.findLogo(form.id));
        if (!logo || !isImage(logo) || logoHash(logo) !== params.hash) {
          throw notFound('There is nothing at this address.');
        }
        return new Response(new Uint8Array(logo.image), { headers: { ...LOGO_HEADERS, 'Content-Type': logo.type } });
      },
      { params: LogoParams },
    );
}

/** Parameters of the path, missing for a route without any. */
type Params = Readonly<Record<string, string>>;

/**
 * Returns a function that responds to a browser at the address that forms post to, where clients with a key list
 * submissions: with the hosted page, or with a page that explains the address. It returns null for other requests.
 */
export function addressPages({ config }: Context, receiver: Receiver) {
  return async (request: Request, route: string, params: Params): Promise<Response | null> => {
    if (request.method !== 'GET' || route !== SUBMIT_PATH || request.headers.has('authorization')) return null;
    if (!wantsPage(request)) return null;
    const form = await receiver.findForm(params.formId ?? '');
    if (!form) return refusalPage(request, formNotFound(), { 'Cache-Control': 'no-store' });
    if (hostedPageProblem(form) !== null) return addressPage(request, form, ownAddress(request, config.baseUrl) ?? '');
    return redirectTo(hostedPagePath(form));
  };
}

/** A placeholder for the stamp in a cached page. Nobody sees it, so no text of a form can contain it. */
const PLACE = crypto.randomUUID();
/** Characters of all cached pages; beyond it, all are forgotten. */
const MAX_CACHED = 8 * 1024 * 1024;

type Cached = Readonly<{ version: number | bigint; text: string; headers: Headers }>;

/** Keeps the pages of hosted forms as rendered, because a form with many options takes a while. */
class PageCache {
  readonly #pages = new Map<string, Cached>();
  #size = 0;

  /** Returns the page under `name` with this stamp. It is rendered by `render` if `content` has changed. */
  async respond(name: string, content: unknown, stamp: string, render: (stamp: string) => Response): Promise<Response> {
    const version = Bun.hash(JSON.stringify(content));
    let page = this.#pages.get(name);
    if (page?.version !== version) {
      const response = render(PLACE);
      page = { version, text: await response.text(), headers: response.headers };
      this.#keep(name, page);
    }
    const { text, headers } = page;
    return new Response(text.replace(PLACE, stamp), { headers: new Headers(headers) });
  }

  #keep(name: string, page: Cached): void {
    this.#size += page.text.length - (this.#pages.get(name)?.text.length ?? 0);
    if (this.#size > MAX_CACHED) {
      this.#pages.clear();
      this.#size = page.text.length;
    }
    this.#pages.set(name, page);
  }
}
