/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { DIGEST_INTERVALS, type Form } from '../../../domain/form.ts';
import { NOTIFICATIONS_PER_HOUR } from '../../../domain/mail.ts';
import { ConditionInputs, KnownFields } from '../../ui/condition-inputs.tsx';
import { CheckInput, LineInput, SelectInput, TextInput } from '../../ui/form-inputs.tsx';
import { inputOf } from './input-of.ts';
import { readRecipientRows, recipientRows } from './recipient-conditions.ts';
import type { SettingsProps } from './settings-props.ts';

export function MailInputs(props: SettingsProps) {
  const { settings: t } = props.viewer.texts;
  const rhythms = DIGEST_INTERVALS.map((rhythm) => [rhythm, t.digests[rhythm]] as const);
  return (
    <>
      <MailNote {...props} />
      <TextInput {...inputOf(props, 'notify')} hint={t.notifyHint} rows={3} />
      <RecipientConditions {...props} />
      <SelectInput
        {...inputOf(props, 'digest')}
        hint={t.digestHint(NOTIFICATIONS_PER_HOUR)}
        options={[['', t.digests.none], ...rhythms]}
      />
      <LineInput {...inputOf(props, 'timeZone')} hint={t.timeZoneHint} list="time-zones" spellcheck={false} />
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option>{zone}</option>
        ))}
      </datalist>
      <LineInput {...inputOf(props, 'senderName')} hint={t.senderNameHint} maxlength={100} />
      <LineInput {...inputOf(props, 'replyTo')} hint={t.replyToHint} inputmode="email" spellcheck={false} />
      <CheckInput {...inputOf(props, 'attachFiles')} />
      <CheckInput {...inputOf(props, 'threadMails')} />
    </>
  );
}

/** One row for each condition of a recipient. Without script, saving adds empty rows. */
function RecipientConditions({ viewer, form, rejected }: SettingsProps) {
  const { settings: t, webhooks } = viewer.texts;
  const rows = rejected ? readRecipientRows(rejected.input) : recipientRows(form);
  const errors = rejected?.errors ?? {};
  return (
    <details open={rejected !== undefined || Object.keys(form.notifyWhen).length > 0}>
      <summary>{webhooks.conditions}</summary>
      <p class="soft small">{t.notifyWhenHint}</p>
      <datalist id="recipients">
        {form.notify.map((address) => (
          <option>{address}</option>
        ))}
      </datalist>
      <KnownFields form={form} />
      <ol class="rows">
        {rows.map((row, index) => (
          <li>
            <fieldset>
              <legend>{webhooks.condition(index + 1)}</legend>
              <div class="columns">
                <LineInput
                  name="recipient"
                  id={`recipient-${index}`}
                  label={t.recipient}
                  value={row.recipient}
                  error={errors[`recipient-${index}`]}
                  list="recipients"
                  inputmode="email"
                  spellcheck={false}
                />
                <ConditionInputs viewer={viewer} row={row} index={index} errors={errors} />
              </div>
            </fieldset>
          </li>
        ))}
      </ol>
    </details>
  );
}

export function ReplyInputs(props: SettingsProps) {
  const { settings: t } = props.viewer.texts;
  return (
    <>
      <MailNote {...props} />
      <LineInput {...inputOf(props, 'autoReplySubject')} />
      <TextInput {...inputOf(props, 'autoReplyText')} hint={t.autoReplyTextHint} rows={6} />
      <p class="soft small">
        {t.placeholders}
        <Placeholders form={props.form} />
      </p>
    </>
  );
}

function MailNote({ viewer, hasMail }: SettingsProps) {
  if (hasMail) return null;
  return <p class="note">{viewer.texts.settings.noMail}</p>;
}

function Placeholders({ form: { fields } }: Readonly<{ form: Form }>) {
  const ofFields = fields.filter(({ type }) => type !== 'file').map(({ name }) => name);
  const names = fields.length > 0 ? ofFields : ['name', 'email'];
  return (
    <>
      {names.map((name) => (
        <>
          {' '}
          <code>{`{{${name}}}`}</code>
        </>
      ))}
    </>
  );
}
