/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Viewer } from '../../viewer.ts';
import { addressOf, type ShownWebhook, titleOf } from './webhook-buttons.tsx';

/** Asks before a webhook is deleted. */
export function DeleteView({ viewer, shown }: Readonly<{ viewer: Viewer; shown: ShownWebhook }>) {
  const { webhooks: t, common } = viewer.texts;
  return (
    <>
      <h1>{t.deleteTitle}</h1>
      <p>
        <bdi>{titleOf(viewer, shown)}</bdi>
      </p>
      <p>{t.deleteText}</p>
      <form method="post" action={addressOf(shown.webhook, '/delete')} class="row">
        <button class="danger">{common.delete}</button>
        <a class="button quiet" href={addressOf(shown.webhook)}>
          {common.cancel}
        </a>
      </form>
    </>
  );
}
