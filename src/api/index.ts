import { deliveryOperations } from './deliveries.ts';
import { downloadOperations } from './downloads.ts';
import { formSettingsOperations } from './form-settings.ts';
import { formOperations } from './forms.ts';
import { meOperations } from './keys.ts';
import type { OperationGroup } from './operation.ts';
import { submissionOperations } from './submissions.ts';
import { usageOperations } from './usage.ts';
import { webhookOperations } from './webhooks.ts';
import { workspaceOperations } from './workspaces.ts';

/** The operations of the management API by tag, in the order of the OpenAPI document. */
export const API: readonly OperationGroup[] = [
  {
    name: 'Forms',
    description: 'A form collects submissions. Each form belongs to a workspace of a team.',
    operations: [...formOperations, ...formSettingsOperations],
  },
  {
    name: 'Submissions',
    description: 'A submission holds the fields and files a visitor sent, decrypted, with sensitive numbers masked.',
    operations: [...submissionOperations, ...downloadOperations],
  },
  { name: 'Workspaces', description: 'A workspace groups the forms of a team.', operations: workspaceOperations },
  {
    name: 'Webhooks',
    description: 'A webhook, chat or sheet gets each new submission of a form. A form has at most ten.',
    operations: [...webhookOperations, ...deliveryOperations],
  },
  { name: 'API keys', description: 'The API key of the request.', operations: meOperations },
  {
    name: 'Usage',
    description: "The team's submissions this month, compared to its plan.",
    operations: usageOperations,
  },
];

export const OPERATIONS = API.flatMap(({ operations }) => operations);
