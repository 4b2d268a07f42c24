/**
 * Expected responses by route and caller: a status, or `in` for a redirect to the sign-in. Requests are complete except for
 * the fields of dashboard forms, so 400 means that the caller has access.
 */
const TABLE = `
GET /healthz                                                  200 200 200 200 200 200 200 200 200 200 200 200 200
GET /readyz                                                   200 200 200 200 200 200 200 200 200 200 200 200 200
GET /metrics                                                  200 200 200 200 200 200 200 200 200 200 200 200 200
GET /openapi.json                                             200 200 200 200 200 200 200 200 200 200 200 200 200
GET /llms.txt                                                 200 200 200 200 200 200 200 200 200 200 200 200 200
GET /docs                                                     200 200 200 200 200 200 200 200 200 200 200 200 200
GET /docs/api                                                 200 200 200 200 200 200 200 200 200 200 200 200 200
GET /docs/search                                              200 200 200 200 200 200 200 200 200 200 200 200 200
GET /docs/:chapter                                            200 200 200 200 200 200 200 200 200 200 200 200 200
GET /docs/assets/:hash/:name                                  404 404 404 404 404 404 404 404 404 404 404 404 404
GET /formstead.js                                             200 200 200 200 200 200 200 200 200 200 200 200 200
GET /altcha.js                                                200 200 200 200 200 200 200 200 200 200 200 200 200
GET /v1/forms/:formId/challenge                               404 404 404 404 404 404 404 404 404 404 404 404 404
GET /v1/forms/:formId/stamp                                   200 200 200 200 200 200 200 200 200 200 200 200 200
POST /v1/forms/:formId/submissions                            200 200 200 200 200 200 200 200 200 200 200 200 200
OPTIONS /v1/forms/:formId/submissions                         204 204 204 204 204 204 204 204 204 204 204 204 204
GET /v1/forms                                                 401 401 401 401 200 200 403 200 401 401 401 401 401
GET /v1/forms/:formId                                         401 401 401 401 200 200 403 404 401 401 401 401 401
PATCH /v1/forms/:formId                                       401 401 401 401 403 200 403 404 401 401 401 401 401
GET /v1/forms/:formId/submissions                             401 401 401 401 200 200 403 404 401 401 401 401 401
GET /v1/submissions/:submissionId                             401 401 401 401 200 200 403 404 401 401 401 401 401
DELETE /v1/submissions/:submissionId                          401 401 401 401 403 200 403 404 401 401 401 401 401
GET /v1/submissions/:submissionId/files/:fileId               401 401 401 401 200 200 403 404 401 401 401 401 401
GET /v1/workspaces                                            401 401 401 401 200 200 403 200 401 401 401 401 401
GET /v1/usage                                                 401 401 401 401 200 200 403 200 401 401 401 401 401
GET /dashboard/assets/:hash/dashboard.css                     200 200 200 200 200 200 200 200 200 200 200 200 200
GET /dashboard/assets/:hash/dashboard.js                      200 200 200 200 200 200 200 200 200 200 200 200 200
GET /dashboard/sign-in                                        200 200 200 200 200 200 200 200 200 303 303 303 303
POST /dashboard/sign-in                                       400 400 400 400 400 400 400 400 400 400 400 400 400
POST /dashboard/sign-out                                      303 303 303 303 303 303 303 303 303 303 303 303 303
GET /dashboard/welcome/:token                                 200 200 200 200 200 200 200 200 200 200 200 200 200
POST /dashboard/welcome/:token                                400 400 400 400 400 400 400 400 400 400 400 400 400
GET /dashboard/reset                                          200 200 200 200 200 200 200 200 200 200 200 200 200
POST /dashboard/reset                                         200 200 200 200 200 200 200 200 200 200 200 200 200
GET /dashboard/reset/:token                                   200 200 200 200 200 200 200 200 200 200 200 200 200
POST /dashboard/reset/:token                                  400 400 400 400 400 400 400 400 400 400 400 400 400
GET /dashboard/account                                        in  in  in  in  in  in  in  in  in  200 200 200 200
POST /dashboard/account/preferences                           in  in  in  in  in  in  in  in  in  303 303 303 303
POST /dashboard/account/theme                                 in  in  in  in  in  in  in  in  in  303 303 303 303
POST /dashboard/account/password                              in  in  in  in  in  in  in  in  in  400 400 400 400
GET /dashboard/account/delete                                 in  in  in  in  in  in  in  in  in  200 200 200 200
POST /dashboard/account/delete                                in  in  in  in  in  in  in  in  in  400 400 400 400
GET /dashboard/account/sessions/end                           in  in  in  in  in  in  in  in  in  200 200 200 200
POST /dashboard/account/sessions/end                          in  in  in  in  in  in  in  in  in  400 400 400 400
GET /dashboard/account/sessions/:sessionId/end                in  in  in  in  in  in  in  in  in  200 200 200 404
POST /dashboard/account/sessions/:sessionId/end               in  in  in  in  in  in  in  in  in  303 303 303 404
GET /dashboard/account/second-factor                          in  in  in  in  in  in  in  in  in  200 200 200 200
POST /dashboard/account/second-factor                         in  in  in  in  in  in  in  in  in  303 303 303 303
POST /dashboard/account/second-factor/codes                   in  in  in  in  in  in  in  in  in  303 303 303 303
POST /dashboard/account/second-factor/off                     in  in  in  in  in  in  in  in  in  303 303 303 303
GET /dashboard/second-factor                                  in  in  in  in  in  in  in  in  200 303 303 303 303
POST /dashboard/second-factor                                 in  in  in  in  in  in  in  in  400 303 303 303 303
GET /dashboard/team/second-factor                             in  in  in  in  in  in  in  in  in  200 403 403 200
POST /dashboard/team/second-factor                            in  in  in  in  in  in  in  in  in  303 403 403 303
GET /dashboard/inbox                                          in  in  in  in  in  in  in  in  in  200 200 200 200
GET /dashboard/inbox/new                                      in  in  in  in  in  in  in  in  in  200 200 200 204
GET /dashboard/forms/:formId                                  in  in  in  in  in  in  in  in  in  200 200 200 404
GET /dashboard/forms/:formId/new                              in  in  in  in  in  in  in  in  in  200 200 200 404
POST /dashboard/submissions                                   in  in  in  in  in  in  in  in  in  303 303 403 303
GET /dashboard/submissions/:submissionId                      in  in  in  in  in  in  in  in  in  200 200 200 404
GET /dashboard/submissions/:submissionId/values/:index        in  in  in  in  in  in  in  in  in  200 200 200 404
GET /dashboard/submissions/:submissionId/files/:fileId        in  in  in  in  in  in  in  in  in  200 200 200 404
GET /dashboard/submissions/:submissionId/images/:imageId      in  in  in  in  in  in  in  in  in  200 200 200 404
POST /dashboard/submissions/:submissionId/trash               in  in  in  in  in  in  in  in  in  303 303 403 404
POST /dashboard/submissions/:submissionId/restore             in  in  in  in  in  in  in  in  in  303 303 403 404
POST /dashboard/submissions/:submissionId/reply               in  in  in  in  in  in  in  in  in  400 400 403 404
POST /dashboard/submissions/:submissionId/notes               in  in  in  in  in  in  in  in  in  400 400 403 404
POST /dashboard/submissions/:submissionId/notes/:messageId/delete in  in  in  in  in  in  in  in  in  303 303 403 404
POST /dashboard/submissions/:submissionId/star                in  in  in  in  in  in  in  in  in  303 303 403 404
POST /dashboard/submissions/:submissionId/assign              in  in  in  in  in  in  in  in  in  303 303 403 404
GET /dashboard/submissions/:submissionId/delete               in  in  in  in  in  in  in  in  in  200 200 403 404
POST /dashboard/submissions/:submissionId/delete              in  in  in  in  in  in  in  in  in  303 303 403 404
POST /dashboard/submissions/:submissionId/read                in  in  in  in  in  in  in  in  in  303 303 403 404
POST /dashboard/submissions/:submissionId/unread              in  in  in  in  in  in  in  in  in  303 303 403 404
POST /dashboard/submissions/:submissionId/spam                in  in  in  in  in  in  in  in  in  303 303 403 404
POST /dashboard/submissions/:submissionId/genuine             in  in  in  in  in  in  in  in  in  303 303 403 404
POST /dashboard/submissions/:submissionId/mails/:mailId/send  in  in  in  in  in  in  in  in  in  303 303 403 404
GET /dashboard/keys                                           in  in  in  in  in  in  in  in  in  200 403 403 200
POST /dashboard/keys                                          in  in  in  in  in  in  in  in  in  400 403 403 400
GET /dashboard/keys/:keyId/revoke                             in  in  in  in  in  in  in  in  in  200 403 403 404
POST /dashboard/keys/:keyId/revoke                            in  in  in  in  in  in  in  in  in  303 403 403 404
GET /dashboard/status                                         in  in  in  in  in  in  in  in  in  200 403 403 200
POST /dashboard/status/key-copied                             in  in  in  in  in  in  in  in  in  303 403 403 303
POST /dashboard/status/set-up                                 in  in  in  in  in  in  in  in  in  303 403 403 303
GET /dashboard/usage                                          in  in  in  in  in  in  in  in  in  200 200 200 200
GET /dashboard/audit                                          in  in  in  in  in  in  in  in  in  200 403 403 200
GET /dashboard/forms                                          in  in  in  in  in  in  in  in  in  200 200 200 200
POST /dashboard/workspaces                                    in  in  in  in  in  in  in  in  in  400 400 403 400
POST /dashboard/workspaces/:workspaceId                       in  in  in  in  in  in  in  in  in  400 400 403 404
GET /dashboard/forms/new                                      in  in  in  in  in  in  in  in  in  200 200 403 200
POST /dashboard/forms/new                                     in  in  in  in  in  in  in  in  in  400 400 403 400
GET /dashboard/forms/:formId/settings                         in  in  in  in  in  in  in  in  in  200 200 403 404
POST /dashboard/forms/:formId/settings/:section               in  in  in  in  in  in  in  in  in  400 400 403 404
GET /dashboard/forms/:formId/connect                          in  in  in  in  in  in  in  in  in  200 200 200 404
POST /dashboard/forms/:formId/connect/test                    in  in  in  in  in  in  in  in  in  303 303 403 404
GET /dashboard/forms/:formId/webhooks                         in  in  in  in  in  in  in  in  in  200 200 403 404
GET /dashboard/forms/:formId/webhooks/new                     in  in  in  in  in  in  in  in  in  200 403 403 404
POST /dashboard/forms/:formId/webhooks/new                    in  in  in  in  in  in  in  in  in  400 403 403 404
GET /dashboard/forms/:formId/webhooks/:webhookId              in  in  in  in  in  in  in  in  in  200 200 403 404
GET /dashboard/forms/:formId/webhooks/:webhookId/settings     in  in  in  in  in  in  in  in  in  200 403 403 404
POST /dashboard/forms/:formId/webhooks/:webhookId/settings    in  in  in  in  in  in  in  in  in  400 403 403 404
POST /dashboard/forms/:formId/webhooks/:webhookId/active      in  in  in  in  in  in  in  in  in  303 303 403 404
POST /dashboard/forms/:formId/webhooks/:webhookId/test        in  in  in  in  in  in  in  in  in  200 200 403 404
POST /dashboard/forms/:formId/webhooks/:webhookId/send        in  in  in  in  in  in  in  in  in  400 400 403 404
POST /dashboard/forms/:formId/webhooks/:webhookId/deliveries/:deliveryId/send in  in  in  in  in  in  in  in  in  303 303 403 404
POST /dashboard/forms/:formId/webhooks/:webhookId/secret      in  in  in  in  in  in  in  in  in  200 403 403 404
GET /dashboard/forms/:formId/webhooks/:webhookId/delete       in  in  in  in  in  in  in  in  in  200 403 403 404
POST /dashboard/forms/:formId/webhooks/:webhookId/delete      in  in  in  in  in  in  in  in  in  303 403 403 404
GET /dashboard/forms/:formId/export                           in  in  in  in  in  in  in  in  in  200 200 200 404
GET /dashboard/forms/:formId/export.csv                       in  in  in  in  in  in  in  in  in  200 200 200 404
GET /dashboard/forms/:formId/export.jsonl                     in  in  in  in  in  in  in  in  in  200 200 200 404
GET /dashboard/forms/:formId/export.zip                       in  in  in  in  in  in  in  in  in  200 200 200 404
GET /dashboard/forms/:formId/export/progress                  in  in  in  in  in  in  in  in  in  200 200 200 404
GET /dashboard/erase                                          in  in  in  in  in  in  in  in  in  200 403 403 200
POST /dashboard/erase                                         in  in  in  in  in  in  in  in  in  400 403 403 400
GET /dashboard/erase/:erasureId                               in  in  in  in  in  in  in  in  in  200 403 403 404
GET /dashboard/erase/:erasureId/export.jsonl                  in  in  in  in  in  in  in  in  in  200 403 403 404
GET /dashboard/erase/:erasureId/export.zip                    in  in  in  in  in  in  in  in  in  200 403 403 404
GET /dashboard/erase/:erasureId/delete                        in  in  in  in  in  in  in  in  in  200 403 403 404
POST /dashboard/erase/:erasureId/delete                       in  in  in  in  in  in  in  in  in  303 403 403 404
GET /dashboard/erase/:erasureId/receipt.json                  in  in  in  in  in  in  in  in  in  200 403 403 404
GET /dashboard/mail                                           in  in  in  in  in  in  in  in  in  200 200 200 200
POST /dashboard/mail/dismiss                                  in  in  in  in  in  in  in  in  in  303 303 403 303
POST /dashboard/mail/retry                                    in  in  in  in  in  in  in  in  in  303 303 403 303
POST /dashboard/mail/:mailId/retry                            in  in  in  in  in  in  in  in  in  303 303 403 404
POST /dashboard/mail/test                                     in  in  in  in  in  in  in  in  in  400 400 403 400
GET /dashboard/team                                           in  in  in  in  in  in  in  in  in  200 200 200 200
POST /dashboard/team/members/:userId                          in  in  in  in  in  in  in  in  in  400 403 403 404
GET /dashboard/team/members/:userId/remove                    in  in  in  in  in  in  in  in  in  200 403 403 404
POST /dashboard/team/members/:userId/remove                   in  in  in  in  in  in  in  in  in  303 403 403 404
GET /dashboard/team/leave                                     in  in  in  in  in  in  in  in  in  200 200 200 200
POST /dashboard/team/leave                                    in  in  in  in  in  in  in  in  in  303 303 303 303
POST /dashboard/team/invitations                              in  in  in  in  in  in  in  in  in  200 403 403 200
POST /dashboard/team/invitations/:invitationId/revoke         in  in  in  in  in  in  in  in  in  303 403 403 404
POST /dashboard/team/switch                                   in  in  in  in  in  in  in  in  in  303 303 303 404
GET /                                                         303 303 303 303 303 303 303 303 303 303 303 303 303
GET /dashboard                                                in  in  in  in  in  in  in  in  in  303 303 303 303
GET /dashboard/*                                              in  in  in  in  in  in  in  in  in  404 404 404 404
`;

/** The codes by route, such as `GET /healthz`, in the order of `CALLERS`. */
export const CODES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  TABLE.trim()
    .split('\n')
    .map((line) => {
      const [method, path, ...codes] = line.split(/ +/);
      return [`${method} ${path}`, codes];
    }),
);
