/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import * as targets from '../../delivery/targets/index.ts';
import type { Form } from '../../domain/forms/form.ts';
import { BODY_STYLES, MAX_WEBHOOK_NAME, WEBHOOK_EVENTS, type WebhookEvent } from '../../domain/webhooks/webhook.ts';
import { KEPT_VALUE } from '../../services/webhooks/webhooks.ts';
import { SETTINGS_TEXTS } from '../forms/settings/texts.ts';
import { ConditionInputs, type ConditionRow, KnownFields } from '../ui/condition-inputs.tsx';
import { ErrorMessage, LinkRow, SubmitRow } from '../ui/elements.tsx';
import { FormHead } from '../ui/form-head.tsx';
import { CheckInput, Choice, LineInput, SelectInput, TextInput } from '../ui/form-inputs.tsx';
import { Tile } from '../ui/icon.tsx';
import type { FieldErrors } from '../ui/parse-input.ts';
import type { Viewer } from '../viewer.ts';
import { type Draft, isLine } from './draft.ts';
import { type Trial, TrialSection } from './test-view.tsx';
import { WEBHOOKS_TEXTS } from './texts.ts';
import { getAddress, type ShownWebhook } from './webhook-buttons.tsx';

export type EditorProps = Readonly<{
  viewer: Viewer;
  form: Form;
  /** True if the team has a limit, which an event tells of. */
  isLimited: boolean;
  /** Null for a new webhook. */
  shown: ShownWebhook | null;
  draft: Draft;
  errors: FieldErrors;
  trial: Trial | null;
}>;

/** The settings of a new or saved webhook. */
export function EditorView(props: EditorProps) {
  const { viewer, form, shown, draft, errors, trial } = props;
  const settings = SETTINGS_TEXTS[viewer.language];
  const t = WEBHOOKS_TEXTS[viewer.language];
  const { common } = viewer.texts;
  const list = `/dashboard/forms/${form.id}/webhooks`;
  const action = shown ? getAddress(shown.webhook, '/settings') : `${list}/new`;
  return (
    <>
      <FormHead viewer={viewer} form={form} current="webhooks" />
      <h2>{shown ? t.settingsTitle : t.add}</h2>
      {shown === null && <Kinds viewer={viewer} form={form} draft={draft} />}
      <p class="soft">{targets.getKind(draft.kind).hint[viewer.language]}</p>
      {Object.keys(errors).length > 0 && <ErrorMessage error={errors.form ?? settings.notSaved} />}
      <form class="card" method="post" action={action} data-part="">
        {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: not in the tab order. The Enter key presses it. */}
        <button class="visually-hidden" tabindex={-1} aria-hidden="true">
          {common.save}
        </button>
        <input type="hidden" name="kind" value={draft.kind} />
        <div class="pair">
          <div>
            <SpecialInputs {...props} />
          </div>
          <div>
            {targets.takes(draft.kind, 'events') && <Events {...props} />}
            <CheckInput name="includeSpam" label={t.includeSpam} value={draft.includeSpam ? 'yes' : ''} />
            <ConditionsEditor {...{ viewer, form, errors, action }} conditions={draft.conditions} />
          </div>
        </div>
        <SubmitRow
          viewer={viewer}
          text={shown ? common.save : t.add}
          cancel={shown ? getAddress(shown.webhook) : list}
        />
        {trial && <TrialSection viewer={viewer} trial={trial} />}
      </form>
    </>
  );
}

/** Links to the editor of each kind. */
function Kinds({ viewer, form, draft }: Pick<EditorProps, 'viewer' | 'form' | 'draft'>) {
  const path = `/dashboard/forms/${form.id}/webhooks/new`;
  const links = targets.WEBHOOK_KINDS.map((kind) => {
    const { icon, name } = targets.getKind(kind);
    const text = (
      <>
        <Tile {...icon} /> {name[viewer.language]}
      </>
    );
    return [`${path}?kind=${kind}`, text, kind === draft.kind] as const;
  });
  return <LinkRow label={WEBHOOKS_TEXTS[viewer.language].kind} links={links} />;
}

function Events({ viewer, isLimited, draft, errors }: EditorProps) {
  const t = WEBHOOKS_TEXTS[viewer.language];
  const isShown = (event: WebhookEvent) => event !== 'form.cap_reached' || isLimited || draft.events.includes(event);
  return (
    <fieldset>
      <legend>{t.eventsTitle}</legend>
      {WEBHOOK_EVENTS.filter(isShown).map((event) => (
        <Choice name="event" value={event} checked={draft.events.includes(event)} text={t.events[event]} />
      ))}
      {errors.events && <p class="field-error">{errors.events}</p>}
    </fieldset>
  );
}

function getInput({ viewer, draft, errors }: EditorProps, name: 'name' | 'url' | 'body' | 'headers') {
  return { name, label: WEBHOOKS_TEXTS[viewer.language][name], value: draft[name], error: errors[name] };
}

/** The inputs that not every kind has. */
function SpecialInputs(props: EditorProps) {
  const { viewer, shown, draft } = props;
  const t = WEBHOOKS_TEXTS[viewer.language];
  const has = (name: keyof targets.WebhookInput) => targets.takes(draft.kind, name);
  const host = shown?.settings?.host;
  const hasHeaders = (shown?.settings?.headerNames ?? []).length > 0;
  return (
    <>
      {has('url') && (
        <LineInput
          {...getInput(props, 'url')}
          hint={host ? t.urlSet(host) : targets.getKind(draft.kind).urlHint?.[viewer.language]}
          inputmode="url"
          required={shown === null}
          maxlength={2_000}
        />
      )}
      <LineInput {...getInput(props, 'name')} hint={t.nameHint} maxlength={MAX_WEBHOOK_NAME} />
      {targets.WEBHOOK_OPTIONS.filter(has).map((name) => (
        <OptionInput {...props} name={name} />
      ))}
      {has('body') && (
        <SelectInput {...getInput(props, 'body')} options={BODY_STYLES.map((style) => [style, t.bodies[style]])} />
      )}
      {has('headers') && (
        <TextInput
          {...getInput(props, 'headers')}
          hint={hasHeaders ? t.headersSet(KEPT_VALUE) : t.headersHint}
          rows={2}
        />
      )}
    </>
  );
}

function OptionInput({ viewer, shown, draft, errors, name }: EditorProps & Readonly<{ name: targets.WebhookOption }>) {
  const { language } = viewer;
  const { schema, label, hint, values = {}, summary } = targets.OPTIONS[name];
  const stored = shown?.settings?.summaries[name];
  const isSet = stored && summary?.isSet[language](stored);
  const field = { name, label: label[language], hint: isSet || hint?.[language], value: draft[name] };
  if (schema.type === 'boolean') return <CheckInput {...field} />;
  const input = { ...field, error: errors[name] };
  if (schema.enum)
    return <SelectInput {...input} options={Object.entries(values).map(([value, text]) => [value, text[language]])} />;
  const required = shown === null || !targets.isSecret(name);
  return isLine(name) ? <LineInput {...input} required={required} /> : <TextInput {...input} rows={5} />;
}

type Props = Pick<EditorProps, 'viewer' | 'form' | 'errors'> &
  Readonly<{ conditions: readonly ConditionRow[]; action: string }>;

/** The editor of conditions. It works without script: each button submits the draft to `action` and gets a new page. */
function ConditionsEditor(props: Props) {
  const { viewer, form, conditions, action } = props;
  const t = WEBHOOKS_TEXTS[viewer.language];
  return (
    <fieldset>
      <legend>{t.conditions}</legend>
      {conditions.length > 0 && <p class="soft small">{t.conditionsText}</p>}
      <KnownFields form={form} />
      {conditions.length > 0 && (
        <ol class="rows">
          {conditions.map((row, index) => (
            <RowItem row={row} index={index} {...props} />
          ))}
        </ol>
      )}
      <div class="row">
        <button
          class="quiet"
          name="add"
          value="yes"
          id="add"
          formnovalidate
          formaction={`${action}#field-${conditions.length}`}
        >
          {t.addCondition}
        </button>
        {conditions.length > 0 && (
          <button class="quiet" name="try" value="yes" formnovalidate formaction={`${action}#tried`}>
            {t.tryConditions}
          </button>
        )}
      </div>
      {conditions.length > 0 && <span class="hint">{t.tryHint}</span>}
    </fieldset>
  );
}

function RowItem(props: Props & Readonly<{ row: ConditionRow; index: number }>) {
  const { viewer, conditions, errors, action, row, index } = props;
  const t = WEBHOOKS_TEXTS[viewer.language];
  const last = conditions.length - 1;
  const next = last === 0 ? 'add' : `field-${Math.min(index, last - 1)}`;
  return (
    <li>
      <fieldset>
        <legend>{t.condition(index + 1)}</legend>
        <div class="columns">
          <ConditionInputs viewer={viewer} row={row} index={index} errors={errors} />
        </div>
        <button
          class="quiet"
          name="remove"
          value={String(index)}
          aria-label={t.of(t.removeCondition, t.condition(index + 1))}
          formnovalidate
          formaction={`${action}#${next}`}
        >
          {t.removeCondition}
        </button>
      </fieldset>
    </li>
  );
}
