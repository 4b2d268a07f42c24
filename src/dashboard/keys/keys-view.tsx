/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { type ApiKey, isValidAt, type Scope } from '../../domain/api-key.ts';
import type { Form } from '../../domain/forms/form.ts';
import type { Micros } from '../../lib/clock.ts';
import { Card, CopyField, ErrorMessage, LinkButton } from '../ui/elements.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { EntryList } from '../ui/entry-list.tsx';
import { Choice, LineInput, RadioInputs, SelectInput } from '../ui/form-inputs.tsx';
import { PATHS, Tile } from '../ui/icon.tsx';
import { Day, Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import { KEYS_TEXTS } from './texts.ts';

/** Days after which a new key expires; none for never. */
export const LIVES = ['', '30', '90', '365'];
export const SCOPES: readonly Scope[] = ['read', 'read_write'];

type Props = Readonly<{
  viewer: Viewer;
  /** Newest first. */
  keys: readonly ApiKey[];
  forms: readonly Form[];
  now: Micros;
  /** The team's plan if it has no API access, else null. */
  plan: string | null;
  /** The secret of a key that was just created; it is not stored. */
  secret?: string;
  error?: string;
  input?: Readonly<{ name: string; scope: Scope; life: string; forms: readonly string[] | undefined }>;
}>;

/** The API keys of a team, with the form that creates one. */
export function KeysView(props: Props) {
  const { viewer, keys, forms, now, plan, secret } = props;
  const t = KEYS_TEXTS[viewer.language];
  const { sections } = viewer.texts;
  const empty = <EmptyState icon="key" title={t.none} text={t.noneText} />;
  return (
    <>
      <h1>{sections.keys}</h1>
      <p class="soft">
        {t.intro} <a href="/docs/api">{t.docs}</a>
      </p>
      {plan !== null && <p class="note">{t.noAccess(plan)}</p>}
      {secret !== undefined && (
        <Card id="made" title={t.made}>
          <p>{t.copyNow}</p>
          <CopyField viewer={viewer} id="secret" label={t.secret} value={secret} />
        </Card>
      )}
      <div class="beside">
        <EntryList items={keys} empty={empty} label={sections.keys}>
          {(key) => <KeyRow viewer={viewer} apiKey={key} forms={forms} now={now} />}
        </EntryList>
        <Card id="new" title={t.create}>
          <CreateForm {...props} />
        </Card>
      </div>
    </>
  );
}

function CreateForm(props: Props) {
  const { viewer, forms, error, input } = props;
  const t = KEYS_TEXTS[viewer.language];
  const { name, scope: chosen, life } = input ?? { name: '', scope: 'read', life: '' };
  return (
    <>
      <ErrorMessage error={error} />
      <form method="post" action="/dashboard/keys">
        <LineInput name="name" label={t.name} value={name} hint={t.nameHint} required maxlength={200} />
        <RadioInputs
          name="scope"
          label={t.scope}
          value={chosen}
          options={SCOPES.map((scope) => [scope, t.scopes[scope]])}
        />
        {forms.length > 0 && <FormChoice {...props} />}
        <SelectInput
          name="life"
          label={t.life}
          value={life}
          options={LIVES.map((days) => [days, days === '' ? t.never : t.days(days)])}
        />
        <button>{t.create}</button>
      </form>
    </>
  );
}

/** The choice of forms. Without chosen ones, the key is for all of them. */
function FormChoice({ viewer, forms, input }: Props) {
  const chosen = input?.forms;
  const t = KEYS_TEXTS[viewer.language];
  return (
    <fieldset class="form-choice">
      <legend>{t.access}</legend>
      <Choice type="radio" name="access" value="all" checked={chosen === undefined} text={t.allForms} />
      <Choice type="radio" name="access" value="some" checked={chosen !== undefined} text={t.someForms} />
      <div class="chosen-forms">
        {forms.map(({ id, name }) => (
          <Choice name="form" value={id} checked={chosen?.includes(id) ?? false} text={name} />
        ))}
      </div>
    </fieldset>
  );
}

/** `apiKey`, because JSX keeps `key` for itself. */
type KeyProps = Readonly<{ viewer: Viewer; apiKey: ApiKey; now: Micros }>;

function KeyRow({ viewer, apiKey, forms, now }: KeyProps & Pick<Props, 'forms'>) {
  const t = KEYS_TEXTS[viewer.language];
  const { id, name, scope, formIds, createdAt, lastUsedAt } = apiKey;
  const names = formIds && forms.filter((form) => formIds.includes(form.id)).map((form) => form.name);
  return (
    <li class="entry">
      <Tile path={PATHS.key} hue={isValidAt(apiKey, now) ? 'teal' : 'red'} />
      <div class="grow">
        <p class="flush">
          <strong>{name}</strong> <span class="chip">{t.scopes[scope]}</span>{' '}
          <KeyState viewer={viewer} apiKey={apiKey} now={now} />
        </p>
        <p class="flush small soft">
          {t.createdAt} <Day viewer={viewer} at={createdAt} /> ·{' '}
          {lastUsedAt === null ? (
            t.neverUsed
          ) : (
            <>
              {t.lastUsed} <Time viewer={viewer} at={lastUsedAt} />
            </>
          )}
        </p>
        {names && <p class="flush small soft">{names.length > 0 ? t.onlyForms(names.join(', ')) : t.noForms}</p>}
      </div>
      {isValidAt(apiKey, now) && (
        <LinkButton href={`/dashboard/keys/${id}/revoke`} text={t.revoke} style="small" label={t.revokeTitle(name)} />
      )}
    </li>
  );
}

/** The end of a key; nothing for a key that never expires. */
function KeyState({ viewer, apiKey, now }: KeyProps) {
  const t = KEYS_TEXTS[viewer.language];
  const { revokedAt, expiresAt } = apiKey;
  if (revokedAt !== null) {
    return (
      <span class="badge">
        {t.revokedAt} <Day viewer={viewer} at={revokedAt} />
      </span>
    );
  }
  if (!isValidAt(apiKey, now)) return <span class="badge bad">{t.expired}</span>;
  if (expiresAt === null) return null;
  return (
    <span class="badge">
      {t.until} <Day viewer={viewer} at={expiresAt} />
    </span>
  );
}
