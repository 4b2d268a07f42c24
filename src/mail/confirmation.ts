import type { Form } from '../domain/forms/form.ts';
import { confirmationTexts } from './i18n/visitor.ts';
import type { Message } from './mailer.ts';
import { noReplyMail } from './no-reply.ts';
import { shortName, toSenderName } from './subject.ts';

/** Composes the mail that asks a visitor to confirm their address. It has nothing that the visitor wrote. `logo` is a URL. */
export function confirmationMail(
  { name, publicName, senderName, accentColor }: Form,
  language: string,
  { url, logo }: Readonly<{ url: string; logo: string | null }>,
) {
  const t = confirmationTexts(language);
  const form = shortName(publicName ?? name);
  return {
    ...noReplyMail({
      language: t.language,
      title: t.title,
      preview: t.text(form),
      rows: [{ name: null, text: t.text(form) }],
      actions: [{ text: t.button, url }],
      notes: [t.ignore],
      brand: { name: publicName, logo, color: accentColor },
    }),
    senderName: toSenderName(senderName ?? publicName ?? name),
  } as const satisfies Partial<Message>;
}
