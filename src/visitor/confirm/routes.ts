import { Elysia } from 'elysia';
import type { Context } from '../../context/context.ts';
import type { Peers } from '../../http/client-address.ts';
import { requestLimit } from '../../http/request-limit.ts';
import { confirmSubmission, findConfirmable } from '../../services/submissions/confirm-submission.ts';
import { getLanguage } from '../i18n/index.ts';
import { getLook, PLAIN } from '../look.ts';
import { confirmPage } from './page.tsx';

const PATH = '/confirm/:submissionId/:token';
const REQUESTS_PER_MINUTE = 60;

type Params = Readonly<{ submissionId: string; token: string }>;

/** Registers the link of confirmation mails. Scanners of mails open links, so that only a post confirms. */
export function confirmRoutes(context: Context) {
  const countRequest = requestLimit(context, REQUESTS_PER_MINUTE, 'requests');

  const answer = async (request: Request, server: Peers | null, { submissionId, token }: Params) => {
    countRequest(request, server);
    const found = await findConfirmable(context, submissionId, token);
    if (found === null) return confirmPage(request, null, 'gone', PLAIN);
    const { form, submission } = found;
    const isConfirmed =
      request.method === 'POST'
        ? await confirmSubmission(context, found, getLanguage(request, form))
        : submission.confirmedAt !== null;
    const state = isConfirmed ? 'done' : request.method === 'POST' ? 'gone' : 'ask';
    return confirmPage(request, form, state, await getLook(context.store, form, false));
  };

  return new Elysia()
    .get(PATH, ({ request, server, params }) => answer(request, server, params))
    .post(PATH, ({ request, server, params }) => answer(request, server, params), { parse: 'none' });
}
