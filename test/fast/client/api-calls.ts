import { expectTypeOf } from 'bun:test';
import type { ApiClient, PagedPath, Submission, TeamSubmission, Workspace } from '../../../src/client/api.ts';

/** Calls of the client that `bun run types` checks. They are not run. */
export const calls = {
  right: (client: ApiClient) => [
    expectTypeOf(client.get('/v1/workspaces')).resolves.toEqualTypeOf<Workspace[]>(),
    expectTypeOf(
      client.get('/v1/submissions/{submissionId}', { path: { submissionId: 'sub_1' } }),
    ).resolves.toEqualTypeOf<Submission>(),
    expectTypeOf(client.iterate('/v1/submissions')).toEqualTypeOf<AsyncGenerator<TeamSubmission, void, undefined>>(),
    expectTypeOf(
      client.download('/v1/forms/{formId}/export', { path: { formId: 'frm_1' }, query: { format: 'csv' } }),
    ).resolves.toEqualTypeOf<Response>(),
    expectTypeOf<PagedPath>().toEqualTypeOf<
      '/v1/forms/{formId}/submissions' | '/v1/submissions' | '/v1/webhooks/{webhookId}/deliveries'
    >(),
    client.get('/v1/me', { signal: AbortSignal.timeout(1000) }),
    client.get('/v1/submissions', { query: { spam: false, limit: 10 } }),
    client.post('/v1/workspaces', { body: { name: 'New' }, idempotencyKey: 'new-1' }),
  ],
  wrong: (client: ApiClient) => [
    // @ts-expect-error: an unknown path.
    client.get('/v1/unknown'),
    // @ts-expect-error: an operation of another method.
    client.get('/v1/forms/{formId}/restore', { path: { formId: 'frm_1' } }),
    // @ts-expect-error: a public operation.
    client.post('/v1/forms/{formId}/submissions', { path: { formId: 'frm_1' }, body: {} }),
    // @ts-expect-error: a file is downloaded.
    client.get('/v1/forms/{formId}/export', { path: { formId: 'frm_1' }, query: { format: 'csv' } }),
    // @ts-expect-error: options are missing.
    client.get('/v1/forms/{formId}'),
    // @ts-expect-error: a parameter of the path is missing.
    client.download('/v1/submissions/{submissionId}/files/{fileId}', { path: { submissionId: 'sub_1' } }),
    // @ts-expect-error: an unknown parameter of the path.
    client.get('/v1/forms/{formId}', { path: { formId: 'frm_1', id: 'frm_1' } }),
    // @ts-expect-error: an unknown parameter of the query.
    client.get('/v1/submissions', { query: { page: 2 } }),
    // @ts-expect-error: a parameter of the wrong type.
    client.get('/v1/submissions', { query: { limit: '10' } }),
    // @ts-expect-error: a required parameter of the query is missing.
    client.download('/v1/forms/{formId}/export', { path: { formId: 'frm_1' }, query: {} }),
    // @ts-expect-error: the body is missing.
    client.post('/v1/workspaces', {}),
    // @ts-expect-error: a property of the body is missing.
    client.post('/v1/forms', { body: { name: 'New' } }),
    // @ts-expect-error: an unknown property of the body.
    client.patch('/v1/forms/{formId}', { path: { formId: 'frm_1' }, body: { is_active: false } }),
    // @ts-expect-error: a value that is not in the list.
    client.post('/v1/forms/{formId}/webhooks', { path: { formId: 'frm_1' }, body: { kind: 'irc' } }),
    // @ts-expect-error: only POST has an Idempotency-Key.
    client.get('/v1/me', { idempotencyKey: 'k' }),
    // @ts-expect-error: an operation without pages.
    client.iterate('/v1/forms'),
    // @ts-expect-error: a property that the response does not have.
    client.get('/v1/me').then(({ secret }) => secret),
  ],
};
