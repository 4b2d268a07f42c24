/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Markup } from '../../../lib/markup.ts';
import type { SettingsProps } from './settings-props.ts';
import { SETTINGS_TEXTS } from './texts.ts';

/** Actions on the form as a whole. */
export function DangerZone(props: SettingsProps) {
  const { viewer, form } = props;
  const { danger: t } = SETTINGS_TEXTS[viewer.language];
  const path = `/dashboard/forms/${form.id}`;
  return (
    <ul class="danger-zone">
      <Item
        title={form.isActive ? t.pauseTitle : t.resumeTitle}
        text={form.isActive ? t.pauseText : t.resumeText}
        action={`${path}/settings/danger`}
      >
        <button class="quiet" name="isActive" value={form.isActive ? '' : 'yes'}>
          {form.isActive ? t.pause : t.resume}
        </button>
      </Item>
      <Item title={t.duplicateTitle} text={t.duplicateText} action={`${path}/duplicate`}>
        <button class="quiet">{t.duplicate}</button>
      </Item>
      <MoveItem {...props} />
      {form.archivedAt === null ? (
        <Item title={t.archiveTitle} text={t.archiveText} action={`${path}/archive`}>
          <button class="quiet">{t.archive}</button>
        </Item>
      ) : (
        <Item title={t.unarchiveTitle} text={t.unarchiveText} action={`${path}/unarchive`}>
          <button class="quiet">{t.unarchive}</button>
        </Item>
      )}
      <Item title={t.deleteTitle} text={t.deleteText} action={`${path}/trash`}>
        <button class="danger">{t.delete}</button>
      </Item>
    </ul>
  );
}

function MoveItem({ viewer, form, workspaces }: SettingsProps) {
  const { danger: t } = SETTINGS_TEXTS[viewer.language];
  const otherWorkspaces = workspaces.filter(({ id }) => id !== form.workspaceId);
  if (otherWorkspaces.length === 0) return <Item title={t.moveTitle} text={t.moveNowhere} action={null} />;
  return (
    <Item id="move" title={t.moveTitle} text={t.moveText} action={`/dashboard/forms/${form.id}/move`}>
      <div class="row">
        <select name="workspace" aria-label={t.workspace} autocomplete="off">
          {otherWorkspaces.map(({ id, name }) => (
            <option value={id}>{name}</option>
          ))}
        </select>
        <button class="quiet">{t.move}</button>
      </div>
    </Item>
  );
}

type ItemProps = Readonly<{ id?: string; title: string; text: string; action: string | null; children?: Markup }>;

function Item({ id, title, text, action, children }: ItemProps) {
  return (
    <li id={id}>
      <div>
        <h3>{title}</h3>
        <p class="soft small">{text}</p>
      </div>
      {action !== null && (
        <form method="post" action={action} class="row">
          {children}
        </form>
      )}
    </li>
  );
}
