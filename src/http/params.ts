import { Type } from '@sinclair/typebox';

/** Schemas of path parameters. They accept any text, so that a malformed id is a 404 and not a 400. */
export const FormParams = Type.Object({ formId: Type.String({ description: 'The ID or short ID of the form.' }) });

export const WorkspaceParams = Type.Object({ workspaceId: Type.String({ description: 'The ID of the workspace.' }) });

export const WebhookParams = Type.Object({ webhookId: Type.String({ description: 'The ID of the webhook.' }) });

export const SubmissionParams = Type.Object({
  submissionId: Type.String({ description: 'The ID of the submission.' }),
});

export const FileParams = Type.Object({
  submissionId: Type.String({ description: 'The ID of the submission.' }),
  fileId: Type.String({ description: 'The ID of the file, as listed in `file_metadata`.' }),
});
