/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Demo } from '../../context/context.ts';
import type { Viewer } from '../viewer.ts';
import { Icon } from './icon.tsx';

type Props = Readonly<{ viewer: Viewer; demo: Demo }>;

/** Says on each page that this is a demo, and leads to its mails. */
export function DemoStrip({ viewer, demo: { resetsAt } }: Props) {
  const t = viewer.texts.demo;
  const text = resetsAt === null ? t.strip : t.readOnly(viewer.formatShort(resetsAt, resetsAt));
  return (
    <aside class="strips">
      <p class="strip setup">
        <Icon name="note" />
        <span class="text">{text}</span> <a href="/dashboard/demo/mails">{t.mails}</a>
      </p>
    </aside>
  );
}
