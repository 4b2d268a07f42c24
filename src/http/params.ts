import { Type } from '@sinclair/typebox';

/** Path parameters, as the routes take them: what is malformed is unknown, which is a 404 and never a 400. */
export const FormParams = Type.Object({ formId: Type.String({ description: "The form's id." }) });

export const PublicFormParams = Type.Object({ formId: Type.String({ description: "The form's id or short id." }) });

export const SubmissionParams = Type.Object({ submissionId: Type.String({ description: "The submission's id." }) });

export const FileParams = Type.Object({
  submissionId: Type.String({ description: "The submission's id." }),
  fileId: Type.String({ description: "The file's id, as `file_metadata` has it." }),
});
