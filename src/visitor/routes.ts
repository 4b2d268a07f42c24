import { Elysia } from 'elysia';
import type { Context } from '../context/context.ts';
import { AppError } from '../domain/errors.ts';
import { DEFAULT_SETTINGS, type Form } from '../domain/forms/form.ts';
import type { Payload } from '../domain/submissions/submission.ts';
import { corsHeaders, requireOrigin } from '../http/cross-origin.ts';
import { isSameOrigin } from '../http/same-origin.ts';
import { asksForProof } from '../intake/challenge/challenge.ts';
import { requireOpen } from '../intake/refusals.ts';
import type { Receiver } from './receiver.ts';
import { refusedPostResponse, successResponse } from './responses.ts';

/** The path that forms post to. */
export const SUBMIT_PATH = '/v1/forms/:formId/submissions';

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '7200',
};

/** Registers the public endpoint for submissions. It responds with success only after the submission is synced to disk. */
export function submitRoutes({ config, store, clock }: Context, receiver: Receiver) {
  return new Elysia()
    .post(
      SUBMIT_PATH,
      async ({ request, params, server }) => {
        let form: Form | null = null;
        let sent: Payload | null = null;
        const onDecoded = (decoded: Payload) => {
          sent = decoded;
        };
        try {
          const client = receiver.admit(request, server);
          form = await receiver.findForm(params.formId);
          if (!form) throw formNotFound();
          requireOpen(form, clock);
          const isFromProofPage = asksForProof(form) && isSameOrigin(request, config.baseUrl);
          if (!isFromProofPage) requireOrigin(request, form.allowedOrigins);
          await receiver.receive(request, form, { client, server, onDecoded });
          return await successResponse(request, form, store, sent ?? [], {
            asksToConfirm: receiver.asksToConfirm(form),
          });
        } catch (error) {
          const refusal = receiver.refuse(error, request, server, SUBMIT_PATH);
          return refusedPostResponse(request, refusal, form, store, sent);
        }
      },
      // intake/decode reads the body, since the framework's parser loses fields.
      { parse: 'none' },
    )
    .options(SUBMIT_PATH, async ({ request, params }) => {
      const { allowedOrigins } = (await receiver.findForm(params.formId)) ?? DEFAULT_SETTINGS;
      return new Response(null, { status: 204, headers: { ...PREFLIGHT, ...corsHeaders(request, allowedOrigins) } });
    });
}

/** Returns the refusal of requests to an unknown form. */
export function formNotFound(): AppError {
  return new AppError('form_not_found', 'There is no form at this address.');
}
