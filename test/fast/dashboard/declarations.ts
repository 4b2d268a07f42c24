import type { Context } from '../../../src/context/context.ts';
import { toServerContext } from '../../../src/context/server-context.ts';
import { dashboardRoutes } from '../../../src/dashboard/index.ts';
import type { Declaration } from '../../../src/dashboard/page.ts';
import type { AuditAction } from '../../../src/domain/audit.ts';
import { type Access, hasPermission, type Role } from '../../../src/domain/teams/roles.ts';

/** Access and audit action of every page and action, written out so that a change of a declaration shows here. `whole`: only for members who see the whole team; `operator`: only for operators of the instance. */
const TABLE = `
GET  /dashboard                                              read   -
GET  /dashboard/*                                            open   -
GET  /dashboard/sign-in                                      open   -
POST /dashboard/sign-in                                      open   signed_in
POST /dashboard/sign-out                                     open   signed_out
GET  /dashboard/welcome/:token                               open   -
POST /dashboard/welcome/:token                               open   account.created
GET  /dashboard/passkey                                      open   -
POST /dashboard/passkey                                      open   signed_in
GET  /dashboard/second-factor                                open   -
POST /dashboard/second-factor                                open   signed_in
GET  /dashboard/reset                                        open   -
POST /dashboard/reset                                        open   -
GET  /dashboard/reset/:token                                 open   -
POST /dashboard/reset/:token                                 open   password.reset
GET  /dashboard/account                                      self   -
POST /dashboard/account/preferences                          self   account.changed
POST /dashboard/account/theme                                self   -
POST /dashboard/account/password                             self   password.changed
GET  /dashboard/account/email                                self   -
POST /dashboard/account/email                                self   email_change.requested
GET  /dashboard/account/email/:token                         self   -
POST /dashboard/account/email/:token                         self   email_change.confirmed
GET  /dashboard/account/delete                               self   -
POST /dashboard/account/delete                               self   account.deleted
GET  /dashboard/account/second-factor                        self   -
POST /dashboard/account/second-factor                        self   second_factor.on
POST /dashboard/account/second-factor/codes                  self   recovery_codes.made
POST /dashboard/account/second-factor/off                    self   second_factor.off
GET  /dashboard/account/passkeys                             self   -
POST /dashboard/account/passkeys                             self   passkey.added
POST /dashboard/account/passkeys/:passkeyId                  self   passkey.renamed
GET  /dashboard/account/passkeys/:passkeyId/remove           self   -
POST /dashboard/account/passkeys/:passkeyId/remove           self   passkey.removed
GET  /dashboard/account/password/remove                      self   -
POST /dashboard/account/password/remove                      self   password.removed
GET  /dashboard/account/sessions/end                         self   -
POST /dashboard/account/sessions/end                         self   sessions.ended
GET  /dashboard/account/sessions/:sessionId/end              self   -
POST /dashboard/account/sessions/:sessionId/end              self   sessions.ended
GET  /dashboard/forms                                        read   -
POST /dashboard/workspaces                                   edit   workspace.created whole
POST /dashboard/workspaces/:workspaceId                      edit   workspace.changed whole
POST /dashboard/workspaces/:workspaceId/sort                 edit   workspace.changed whole
POST /dashboard/workspaces/:workspaceId/delete               edit   workspace.deleted whole
GET  /dashboard/forms/new                                    edit   -
POST /dashboard/forms/new                                    edit   form.created
GET  /dashboard/forms/:formId/settings                       edit   -
GET  /dashboard/forms/:formId/settings/:section              edit   -
POST /dashboard/forms/:formId/settings/:section              edit   form.changed
POST /dashboard/forms/:formId/settings/:section/preview      edit   -
GET  /dashboard/forms/:formId/preview/:preview               edit   -
POST /dashboard/forms/:formId/preview/:preview               edit   mail.tested
GET  /dashboard/forms/:formId/connect                        read   -
POST /dashboard/forms/:formId/connect/test                   edit   form.tested
GET  /dashboard/forms/:formId/webhooks                       edit   -
GET  /dashboard/forms/:formId/webhooks/new                   manage -
POST /dashboard/forms/:formId/webhooks/new                   manage webhook.created
GET  /dashboard/forms/:formId/webhooks/:webhookId            edit   -
GET  /dashboard/forms/:formId/webhooks/:webhookId/settings   manage -
POST /dashboard/forms/:formId/webhooks/:webhookId/settings   manage webhook.changed
POST /dashboard/forms/:formId/webhooks/:webhookId/active     edit   webhook.changed
POST /dashboard/forms/:formId/webhooks/:webhookId/test       edit   webhook.tested
POST /dashboard/forms/:formId/webhooks/:webhookId/send       edit   webhook.redelivered
GET  /dashboard/forms/:formId/webhooks/:webhookId/deliveries/:deliveryId edit   -
POST /dashboard/forms/:formId/webhooks/:webhookId/deliveries/:deliveryId/send edit   webhook.redelivered
POST /dashboard/forms/:formId/webhooks/:webhookId/secret     manage webhook.secret_rotated
GET  /dashboard/forms/:formId/webhooks/:webhookId/delete     manage -
POST /dashboard/forms/:formId/webhooks/:webhookId/delete     manage webhook.deleted
GET  /dashboard/inbox                                        read   -
GET  /dashboard/inbox/new                                    read   -
GET  /dashboard/forms/:formId                                read   -
GET  /dashboard/forms/:formId/summary                        read   -
GET  /dashboard/forms/:formId/submissions                    read   -
GET  /dashboard/forms/:formId/submissions/new                read   -
GET  /dashboard/forms/trash                                  edit   -
POST /dashboard/forms/:formId/trash                          edit   form.trashed
POST /dashboard/forms/:formId/restore                        edit   form.restored
GET  /dashboard/forms/:formId/delete                         manage -
POST /dashboard/forms/:formId/delete                         manage form.deleted
POST /dashboard/forms/:formId/duplicate                      edit   form.created
POST /dashboard/forms/:formId/archive                        edit   form.changed
POST /dashboard/forms/:formId/unarchive                      edit   form.changed
POST /dashboard/forms/:formId/move                           edit   form.changed
POST /dashboard/inbox/views                                  read   -
POST /dashboard/inbox/views/:viewId/delete                   read   -
POST /dashboard/forms/:formId/layout                         read   -
POST /dashboard/submissions/undo                             edit   submission.marked
POST /dashboard/submissions                                  edit   submission.marked
GET  /dashboard/submissions/:submissionId                    read   -
GET  /dashboard/submissions/:submissionId/values/:index      read   -
GET  /dashboard/submissions/:submissionId/files/:fileId      read   -
GET  /dashboard/submissions/:submissionId/images/:imageId    read   -
POST /dashboard/submissions/:submissionId/trash              edit   submission.trashed
POST /dashboard/submissions/:submissionId/restore            edit   submission.restored
POST /dashboard/submissions/:submissionId/reply              edit   reply.sent
POST /dashboard/submissions/:submissionId/notes              edit   note.added
POST /dashboard/submissions/:submissionId/notes/:messageId/delete edit   note.deleted
POST /dashboard/submissions/:submissionId/star               edit   -
POST /dashboard/submissions/:submissionId/assign             edit   submission.assigned
GET  /dashboard/submissions/:submissionId/delete             edit   -
POST /dashboard/submissions/:submissionId/delete             edit   submission.deleted
POST /dashboard/submissions/:submissionId/read               edit   -
POST /dashboard/submissions/:submissionId/unread             edit   -
GET  /dashboard/submissions/:submissionId/spam               edit   -
GET  /dashboard/submissions/:submissionId/genuine            edit   -
POST /dashboard/submissions/:submissionId/spam               edit   submission.marked
POST /dashboard/submissions/:submissionId/genuine            edit   submission.marked
POST /dashboard/submissions/:submissionId/mails/:mailId/send edit   mail.retried
GET  /dashboard/forms/:formId/export                         read   -
GET  /dashboard/forms/:formId/export.csv                     read   export.csv
GET  /dashboard/forms/:formId/export.xlsx                    read   export.xlsx
GET  /dashboard/forms/:formId/export.jsonl                   read   export.jsonl
GET  /dashboard/forms/:formId/export.zip                     read   export.zip
GET  /dashboard/forms/:formId/export/progress                read   -
GET  /dashboard/mail                                         read   -
POST /dashboard/mail/dismiss                                 edit   mail.dismissed
POST /dashboard/mail/retry                                   edit   mail.retried
GET  /dashboard/mail/:mailId/recipient                       edit   -
POST /dashboard/mail/:mailId/recipient                       edit   form.changed
POST /dashboard/mail/:mailId/retry                           edit   mail.retried
POST /dashboard/mail/test                                    edit   mail.tested
GET  /dashboard/mail/server                                  self   - operator
POST /dashboard/mail/server                                  self   mail_server.changed operator
GET  /dashboard/status                                       manage -
POST /dashboard/status/key-copied                            manage vault.copied
POST /dashboard/status/set-up                                manage -
GET  /dashboard/usage                                        read   - whole
GET  /dashboard/spam                                         manage -
POST /dashboard/spam                                         manage spam.learning_changed
GET  /dashboard/spam/forget                                  manage -
POST /dashboard/spam/forget                                  manage spam.forgotten
GET  /dashboard/team                                         read   -
POST /dashboard/team/name                                    manage team.changed
GET  /dashboard/team/new                                     manage -
POST /dashboard/team/new                                     manage team.created
POST /dashboard/team/switch                                  self   -
GET  /dashboard/team/second-factor                           manage -
POST /dashboard/team/second-factor                           manage team.changed
GET  /dashboard/team/leave                                   self   -
POST /dashboard/team/leave                                   self   member.left
POST /dashboard/team/members/:userId                         manage member.role_changed
GET  /dashboard/team/members/:userId/remove                  manage -
POST /dashboard/team/members/:userId/remove                  manage member.removed
POST /dashboard/team/invitations                             manage invitation.made
POST /dashboard/team/invitations/:invitationId/revoke        manage invitation.revoked
GET  /dashboard/erase                                        manage -
POST /dashboard/erase                                        manage person.searched
GET  /dashboard/erase/:erasureId                             manage -
GET  /dashboard/erase/:erasureId/export.jsonl                manage person.exported
GET  /dashboard/erase/:erasureId/export.zip                  manage person.exported
GET  /dashboard/erase/:erasureId/delete                      manage -
POST /dashboard/erase/:erasureId/delete                      manage person.erased
GET  /dashboard/erase/:erasureId/receipt.json                manage -
GET  /dashboard/audit                                        manage -
GET  /dashboard/keys                                         manage -
POST /dashboard/keys                                         manage key.created
GET  /dashboard/keys/:keyId/revoke                           manage -
POST /dashboard/keys/:keyId/revoke                           manage key.revoked
`;

/** The table by method and path, such as `GET /dashboard/forms`. */
export const DECLARED: Readonly<Record<string, Declaration>> = Object.fromEntries(
  TABLE.trim()
    .split('\n')
    .map((row) => {
      const [method, path, access, audit, only] = row.split(/ +/);
      const action = audit === '-' ? null : (audit as AuditAction);
      const closed = { wholeTeam: only === 'whole', forOperator: only === 'operator' };
      return [`${method} ${path}`, { access: access as Access, audit: action, ...closed }];
    }),
);

/** Tells if a role has access to a route, by the table. No role makes an operator. */
export function mayUse(role: Role, route: string): boolean {
  const declared = DECLARED[route];
  return declared !== undefined && !declared.forOperator && hasPermission(role, declared.access);
}

/** Returns the pages and actions of the dashboard, without its assets. */
export const pagesAndActions = (context: Context) =>
  dashboardRoutes(toServerContext(context)).routes.filter(({ path }) => !path.includes('/assets/'));
