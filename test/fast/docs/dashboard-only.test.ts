import { expect, test } from 'bun:test';
import { join } from 'node:path';
import type { TSchema } from '@sinclair/typebox';
import { SetupFile } from '../../../src/services/setup/setup-file.ts';
import { startInstance } from '../../support/instance.ts';
import { DECLARED } from '../dashboard/declarations.ts';

/** Place in the file, operation of the API, or row in the manual's list, for each action and export of the dashboard. */
const TABLE = `
POST /dashboard/sign-in                                          only sign-in
POST /dashboard/sign-out                                         only sign-in
POST /dashboard/welcome/:token                                   only invitations
POST /dashboard/second-factor                                    only second factors
POST /dashboard/reset                                            only passwords
POST /dashboard/reset/:token                                     only passwords
POST /dashboard/account/preferences                              only language and theme
POST /dashboard/account/theme                                    only language and theme
POST /dashboard/account/password                                 only passwords
POST /dashboard/passkey                                          only sign-in
POST /dashboard/account/password/remove                          only passwords
POST /dashboard/account/passkeys                                 only passkeys
POST /dashboard/account/passkeys/:passkeyId                      only passkeys
POST /dashboard/account/passkeys/:passkeyId/remove               only passkeys
POST /dashboard/account/email                                    only name, address
POST /dashboard/account/email/:token                             only name, address
POST /dashboard/account/delete                                   only and its deletion
POST /dashboard/account/second-factor                            only second factors
POST /dashboard/account/second-factor/codes                      only second factors
POST /dashboard/account/second-factor/off                        only second factors
POST /dashboard/account/sessions/end                             only sessions
POST /dashboard/account/sessions/:sessionId/end                  only sessions
POST /dashboard/workspaces                                       file workspaces.name
POST /dashboard/workspaces/:workspaceId                          file workspaces.name
POST /dashboard/workspaces/:workspaceId/sort                     file workspaces
POST /dashboard/workspaces/:workspaceId/delete                   file workspaces
POST /dashboard/forms/new                                        file workspaces.forms.name
POST /dashboard/forms/:formId/settings/:section                  file workspaces.forms
POST /dashboard/forms/:formId/preview/:preview                   only previews
POST /dashboard/forms/:formId/settings/:section/preview          only previews
POST /dashboard/forms/:formId/connect/test                       only test submissions
POST /dashboard/forms/:formId/webhooks/new                       file workspaces.forms.webhooks
POST /dashboard/forms/:formId/webhooks/:webhookId/settings       file workspaces.forms.webhooks.url
POST /dashboard/forms/:formId/webhooks/:webhookId/active         file workspaces.forms.webhooks.is_active
POST /dashboard/forms/:formId/webhooks/:webhookId/test           api POST /v1/webhooks/{id}/test
POST /dashboard/forms/:formId/webhooks/:webhookId/send           api POST /v1/webhooks/{id}/redeliver
POST /dashboard/forms/:formId/webhooks/:webhookId/deliveries/:deliveryId/send api POST /v1/webhooks/{id}/redeliver
POST /dashboard/forms/:formId/webhooks/:webhookId/secret         api POST /v1/webhooks/{id}/rotate-secret
POST /dashboard/forms/:formId/webhooks/:webhookId/delete         file workspaces.forms.webhooks
POST /dashboard/forms/:formId/trash                              file workspaces.forms
POST /dashboard/forms/:formId/restore                            file workspaces.forms.id
POST /dashboard/forms/:formId/delete                             only deleting a form in the trash
POST /dashboard/forms/:formId/duplicate                          file workspaces.forms.name
POST /dashboard/forms/:formId/archive                            file workspaces.forms.state
POST /dashboard/forms/:formId/unarchive                          file workspaces.forms.state
POST /dashboard/forms/:formId/move                               file workspaces.forms.id
POST /dashboard/inbox/views                                      only personal views
POST /dashboard/inbox/views/:viewId/delete                       only personal views
POST /dashboard/forms/:formId/layout                             only columns
POST /dashboard/submissions                                      api PATCH /v1/submissions/{id}
POST /dashboard/submissions/undo                                 only trash of submissions
POST /dashboard/submissions/:submissionId/trash                  only trash of submissions
POST /dashboard/submissions/:submissionId/restore                only trash of submissions
POST /dashboard/submissions/:submissionId/reply                  only notes and replies
POST /dashboard/submissions/:submissionId/notes                  only notes and replies
POST /dashboard/submissions/:submissionId/notes/:messageId/delete only notes and replies
POST /dashboard/submissions/:submissionId/star                   only stars
POST /dashboard/submissions/:submissionId/assign                 only assignments
POST /dashboard/submissions/:submissionId/delete                 api DELETE /v1/submissions/{id}
POST /dashboard/submissions/:submissionId/read                   api PATCH /v1/submissions/{id}
POST /dashboard/submissions/:submissionId/unread                 api PATCH /v1/submissions/{id}
POST /dashboard/submissions/:submissionId/spam                   api PATCH /v1/submissions/{id}
POST /dashboard/submissions/:submissionId/genuine                api PATCH /v1/submissions/{id}
POST /dashboard/submissions/:submissionId/mails/:mailId/send     only queue of mails
GET /dashboard/forms/:formId/export.csv                          api GET /v1/forms/{id}/export
GET /dashboard/forms/:formId/export.xlsx                         only XLSX
GET /dashboard/forms/:formId/export.jsonl                        api GET /v1/forms/{id}/export
GET /dashboard/forms/:formId/export.zip                          only ZIP
POST /dashboard/mail/dismiss                                     only queue of mails
POST /dashboard/mail/retry                                       only queue of mails
POST /dashboard/mail/:mailId/recipient                           only queue of mails
POST /dashboard/mail/:mailId/retry                               only queue of mails
POST /dashboard/mail/server                                      only the mail server of the dashboard
POST /dashboard/mail/test                                        only test mails
POST /dashboard/status/key-copied                                only checklists
POST /dashboard/status/set-up                                    only checklists
POST /dashboard/spam                                             only learning of the spam filter
POST /dashboard/spam/forget                                      only learning of the spam filter
POST /dashboard/team/name                                        only teams
POST /dashboard/team/new                                         only teams
POST /dashboard/team/switch                                      only sessions
POST /dashboard/team/second-factor                               only second factors
POST /dashboard/team/leave                                       only members
POST /dashboard/team/members/:userId                             only roles
POST /dashboard/team/members/:userId/remove                      only members
POST /dashboard/team/invitations                                 only invitations
POST /dashboard/team/invitations/:invitationId/revoke            only invitations
POST /dashboard/erase                                            only erasure of a person
GET /dashboard/erase/:erasureId/export.jsonl                     only erasure of a person
GET /dashboard/erase/:erasureId/export.zip                       only erasure of a person
POST /dashboard/erase/:erasureId/delete                          only erasure of a person
POST /dashboard/keys                                             only API keys
POST /dashboard/keys/:keyId/revoke                               only API keys
`;

const ROWS = TABLE.trim()
  .split('\n')
  .map((line) => /^(\S+ \S+) +(file|api|only) (.+)$/.exec(line) ?? [])
  .map(([, route = '', kind = '', place = '']) => ({ route, kind, place }));

const MANUAL = await Bun.file(join(import.meta.dir, '../../../src/manual/set-up-from-a-file.md')).text();
const [, LIST = ''] = MANUAL.split('## What only the dashboard and commands can do');

test('every action and export of the dashboard is in the table', () => {
  const actions = Object.entries(DECLARED).filter(([route, { audit }]) => route.startsWith('POST ') || audit !== null);
  expect(ROWS.map(({ route }) => route).sort()).toEqual(actions.map(([route]) => route).sort());
});

test('what neither the file nor the API has is in the list of the manual', () => {
  const missing = ROWS.filter(({ kind, place }) => kind === 'only' && !LIST.includes(place));
  expect(missing).toEqual([]);
  expect(LIST).toContain('Fields cannot be changed by the API');
});

test('the places in the file exist', () => {
  const find = (schema: TSchema | undefined, path: string): TSchema | undefined =>
    path.split('.').reduce<TSchema | undefined>((found, name) => (found?.items ?? found)?.properties?.[name], schema);
  const missing = ROWS.filter(({ kind, place }) => kind === 'file' && !find(SetupFile, place));
  expect(missing).toEqual([]);
});

test('the operations of the API exist', async () => {
  const instance = await startInstance();
  try {
    const answer = await fetch(`${instance.url}/openapi.json`);
    const { paths } = (await answer.json()) as { paths: Record<string, Record<string, unknown>> };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{id}')}`),
    );
    const named = [...new Set(ROWS.filter(({ kind }) => kind === 'api').map(({ place }) => place))];
    expect(named.filter((operation) => !operations.includes(operation))).toEqual([]);
  } finally {
    await instance.stop();
  }
});

test('the JSON Schema of the file is served', async () => {
  const instance = await startInstance();
  try {
    const answer = await fetch(`${instance.url}/docs/forms.schema.json`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json;charset=utf-8']);
    expect(await answer.json()).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
      properties: { workspaces: { items: { properties: { forms: { items: { required: ['name'] } } } } } },
    });
  } finally {
    await instance.stop();
  }
});
