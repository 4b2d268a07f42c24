/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { OPTIONS } from '../../delivery/targets/index.ts';
import type { Actor, StoredAuditEntry } from '../../domain/audit.ts';
import { isSettingName } from '../../domain/forms/form-settings.ts';
import { SETTINGS_TEXTS } from '../forms/settings/texts.ts';
import { KEYS_TEXTS } from '../keys/texts.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import { WEBHOOKS_TEXTS } from '../webhooks/texts.ts';
import { AUDIT_TEXTS } from './texts.ts';

/** Names of forms, workspaces, API keys and members by id. */
export type Names = ReadonlyMap<string, string>;

type Props = Readonly<{ viewer: Viewer; entry: StoredAuditEntry; names: Names }>;

/** An entry of the audit log. */
export function EntryItem({ viewer, entry, names }: Props) {
  const { at, actor, action, details } = entry;
  const account = actorText(viewer, actor);
  const name = (actor.kind === 'user' && names.get(actor.id ?? '')) || account;
  const isEmpty = Object.keys(details).length === 0;
  return (
    <li class="entry">
      <Avatar name={name} of={account} />
      <div class="grow">
        <p class="flush">
          <strong>{AUDIT_TEXTS[viewer.language].actions[action]}</strong>
          {!isEmpty && (
            <span class="small">
              {' · '}
              <Details viewer={viewer} entry={entry} names={names} />
            </span>
          )}
        </p>
        <p class="flush small soft">
          <bdi>{name}</bdi>
          {name !== account && ' · '}
          {name !== account && <bdi>{account}</bdi>}
          {actor.address !== null && ` · ${actor.address}`}
        </p>
      </div>
      <span class="small soft">
        <Time viewer={viewer} at={at} />
      </span>
    </li>
  );
}

function Details({ viewer, entry, names }: Props) {
  const labels: Readonly<Record<string, string>> = AUDIT_TEXTS[viewer.language].details;
  return (
    <>
      {Object.entries(entry.details).map(([name, value], index) => (
        <>
          {index > 0 && ' · '}
          {name !== 'form_id' && `${labels[name] ?? name}: `}
          <DetailValue viewer={viewer} name={name} value={value} names={names} />
        </>
      ))}
    </>
  );
}

type ValueProps = Omit<Props, 'entry'> & Readonly<{ name: string; value: string | number | boolean }>;

function DetailValue({ viewer, name, value, names }: ValueProps) {
  const audit = AUDIT_TEXTS[viewer.language];
  const keys = KEYS_TEXTS[viewer.language];
  const settings = SETTINGS_TEXTS[viewer.language];
  const further = { ...webhookSettings(viewer), ...audit.settings };
  const { common, roles } = viewer.texts;
  if (typeof value === 'boolean') return <>{value ? common.yes : common.no}</>;
  if (typeof value === 'number') return <>{viewer.number(value)}</>;
  const settingText = (one: string) => (isSettingName(one) ? settings.names[one] : textIn(further, one));
  if (name === 'settings') return <>{value.split(', ').map(settingText).join(', ')}</>;
  if (name === 'scope') return <>{textIn(keys.scopes, value)}</>;
  if (name === 'role') return <>{textIn(roles, value)}</>;
  if (name === 'workspaces' && value === 'all') return <>{audit.allWorkspaces}</>;
  if (name === 'workspaces') return <>{value.replace(/\w+/g, (id) => names.get(id) ?? id)}</>;
  const formName = names.get(value);
  if (name === 'form_id' && formName !== undefined) {
    return (
      <a href={`/dashboard/forms/${value}`}>
        <bdi>{formName}</bdi>
      </a>
    );
  }
  if (name === 'submission_id') {
    return (
      <a class="value" href={`/dashboard/submissions/${value}`}>
        {shortId(value)}
      </a>
    );
  }
  if (formName !== undefined) return <bdi>{formName}</bdi>;
  return (
    <span class="value" title={value}>
      {shortId(value)}
    </span>
  );
}

/** Returns the end of an id, for what has no name; other texts unchanged. */
const shortId = (value: string): string => value.replace(/\b[a-z]+_[0-9a-f]{26}(?=[0-9a-f]{6}\b)/g, '…');

/** Returns the names of the settings of webhooks. */
function webhookSettings({ language }: Viewer): Readonly<Record<string, string>> {
  const t = WEBHOOKS_TEXTS[language];
  const { url, name, eventsTitle: events, body, includeSpam, headers, conditions: when, kind } = t;
  const options = Object.entries(OPTIONS).map(([name, { label }]) => [name, label[language]]);
  return { ...Object.fromEntries(options), url, name, events, body, includeSpam, headers, when, kind };
}

function textIn(texts: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(texts, name) ? (texts[name] ?? name) : name;
}

/** Returns the name of an actor in the viewer's language. */
export function actorText({ language }: Viewer, { kind, name }: Actor): string {
  const t = AUDIT_TEXTS[language];
  if (kind === 'user') return name ?? t.somebody;
  if (kind === 'key') return t.key(name ?? '');
  if (kind === 'command') return t.command(name);
  return kind === 'system' ? t.system : (name ?? t.anybody);
}
