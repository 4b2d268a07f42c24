/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../domain/forms/form.ts';
import { Card, LinkLine } from '../ui/elements.tsx';
import { FormHead } from '../ui/form-head.tsx';
import type { Viewer } from '../viewer.ts';
import { DeliveryFacts, type DeliveryItem } from './delivery-view.tsx';
import { getAddress, type ShownWebhook } from './webhook-buttons.tsx';

type Props = Readonly<{ viewer: Viewer; form: Form; shown: ShownWebhook; item: DeliveryItem }>;

/** A delivery with the body sent in its last attempt, and the answer. */
export function DeliveryView({ viewer, form, shown: { webhook }, item: { delivery, attempt } }: Props) {
  const { webhooks: t } = viewer.texts;
  const { body = '', bodyBytes = 0, answer = '' } = attempt ?? {};
  const isCut = Buffer.byteLength(body) < bodyBytes;
  return (
    <>
      <FormHead viewer={viewer} form={form} current="webhooks" />
      <h2>{t.delivery}</h2>
      <DeliveryFacts viewer={viewer} delivery={delivery} attempt={attempt} isActive={webhook.isActive} />
      <Card id="body" title={t.bodySent}>
        {body === '' ? <p class="soft">{t.noBody}</p> : <Code text={body} />}
        {isCut && <p class="soft small">{t.bodyCut(viewer.number(bodyBytes))}</p>}
      </Card>
      {answer !== '' && (
        <Card id="answer" title={t.answer}>
          <Code text={answer} />
        </Card>
      )}
      <LinkLine href={getAddress(webhook)} text={t.back} />
    </>
  );
}

/** A request or an answer. */
export function Code({ text }: Readonly<{ text: string }>) {
  return (
    <div class="code">
      <pre tabindex={0}>{text}</pre>
    </div>
  );
}
