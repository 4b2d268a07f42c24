/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { LinkButton } from '../../ui/elements.tsx';
import type { Viewer } from '../../viewer.ts';
import { getAddress, getTitle, type ShownWebhook } from './webhook-buttons.tsx';

/** Asks before a webhook is deleted. */
export function DeleteView({ viewer, shown }: Readonly<{ viewer: Viewer; shown: ShownWebhook }>) {
  const { webhooks: t, common } = viewer.texts;
  return (
    <>
      <h1>{t.deleteTitle}</h1>
      <p>
        <bdi>{getTitle(viewer, shown)}</bdi>
      </p>
      <p>{t.deleteText}</p>
      <form method="post" action={getAddress(shown.webhook, '/delete')} class="row">
        <button class="danger">{common.delete}</button>
        <LinkButton href={getAddress(shown.webhook)} text={common.cancel} />
      </form>
    </>
  );
}
