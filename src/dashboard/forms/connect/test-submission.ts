import type { ServerContext } from '../../../context/server-context.ts';
import { getFieldType, getSample, takesFiles } from '../../../domain/fields/field-types.ts';
import type { Form } from '../../../domain/forms/form.ts';
import { acceptPost } from '../../../intake/accept.ts';
import { toPayload } from '../../../intake/decode/entries.ts';
import { isAllowedType } from '../../../intake/file-type.ts';
import { fileLimits, Upload } from '../../../intake/upload.ts';
import { getFields } from '../../ui/sample-fields.ts';
import type { Viewer } from '../../viewer.ts';
import { CONNECT_TEXTS } from './texts.ts';

/**
 * Submits sample values to a form, past its challenge and its field rules. Returns the id of the submission; null if
 * the form drops it.
 */
export async function submitTest(
  { blobs, config, intake }: ServerContext,
  form: Form,
  { texts, language }: Viewer,
  email: string,
): Promise<string | null> {
  const upload = new Upload(blobs, fileLimits(config, form));
  const fields = getFields(form, texts).filter(({ name }) => !name.startsWith('_'));
  const entries = fields
    .filter((field) => !takesFiles(field))
    .map((field) => {
      const { control, type } = getFieldType(field).html;
      if (control === 'textarea') return [field.name, CONNECT_TEXTS[language].message] as const;
      return [field.name, type === 'email' ? email : getSample(field)] as const;
    });
  const file = SAMPLE_FILES.find(({ type }) => isAllowedType(form.allowedFileTypes, { type, isContradicted: false }));
  try {
    for (const { name } of fields.filter(takesFiles).slice(0, config.maxFiles)) {
      if (!file) break;
      await upload.start({ field: name, name: file.name, contentType: file.type });
      await upload.write(file.bytes);
      await upload.finish();
    }
    const lenient = { ...form, challenge: null, enforcesRules: false };
    return await acceptPost(intake, lenient, { sent: toPayload(entries), upload, idempotencyKey: null });
  } finally {
    await upload.discard();
  }
}

const PDF = '%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n';
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Common file types. The first one that the form accepts is submitted. */
const SAMPLE_FILES = [
  { name: 'test.txt', type: 'text/plain', bytes: Buffer.from('Test\n') },
  { name: 'test.pdf', type: 'application/pdf', bytes: Buffer.from(PDF) },
  { name: 'test.png', type: 'image/png', bytes: Buffer.from(PNG, 'base64') },
];
