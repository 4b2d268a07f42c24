import { Elysia } from 'elysia';
import type { Context } from '../context/context.ts';
import { AppError } from '../domain/errors.ts';
import type { Form } from '../domain/forms/form.ts';
import { corsHeaders } from '../http/cross-origin.ts';
import { toRefusal } from '../http/failure.ts';
import { newAltchaChallenge } from '../intake/challenge/altcha.ts';
import { asksForProof } from '../intake/challenge/challenge.ts';
import { requireVacancy } from '../intake/refusals.ts';
import { makeStamp } from '../spam/stamp.ts';
import { publicRefusal } from './responses.ts';

const CHALLENGE_PATH = '/v1/forms/:formId/challenge';
const STAMP_PATH = '/v1/forms/:formId/stamp';

/** Registers the routes for challenges and time stamps, which pages request before they post. */
export function challengeRoutes(context: Context) {
  const { store, vault, clock, log } = context;

  /** Responds with the JSON that `create` returns for a form, or with a refusal. */
  const respond = async (request: Request, path: string, formId: string, create: (form: Form) => Promise<unknown>) => {
    let form: Form | null = null;
    try {
      form = await store.forms.findPublic(formId);
      if (!form) throw new AppError('form_not_found', 'There is no form at this address.');
      const headers = { ...corsHeaders(request, form.allowedOrigins), 'Cache-Control': 'no-store' };
      return Response.json(await create(form), { headers });
    } catch (error) {
      return publicRefusal(request, toRefusal(error, request, path, log), form);
    }
  };

  return new Elysia()
    .get(CHALLENGE_PATH, ({ request, params }) =>
      respond(request, CHALLENGE_PATH, params.formId, async (form) => {
        if (form.challenge === 'altcha' || asksForProof(form)) return newAltchaChallenge(vault, form.id, clock());
        throw new AppError('no_challenge', 'This form does not use the altcha challenge.');
      }),
    )
    .get(STAMP_PATH, ({ request, params }) =>
      respond(request, STAMP_PATH, params.formId, async (form) => {
        // A script asks before the visitor types.
        await requireVacancy(context, form);
        return { stamp: makeStamp(vault, form.id, clock()) };
      }),
    );
}
