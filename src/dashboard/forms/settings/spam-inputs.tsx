/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { MAYBE_SPAM_ACTIONS } from '../../../domain/spam.ts';
import { LineInput, TextInput } from '../../ui/form-inputs.tsx';
import { AkismetInputs } from './akismet-inputs.tsx';
import { ChallengeInputs } from './challenge-inputs.tsx';
import { inputOf } from './input-of.ts';
import type { SettingsProps, WidgetCheck } from './settings-props.ts';

export function SpamInputs(props: SettingsProps) {
  const { check } = props;
  const { settings: t } = props.viewer.texts;
  return (
    <>
      {check && <ChallengeWarning {...props} check={check} />}
      <ChallengeInputs {...props} />
      <MaybeSpamInputs {...props} />
      <TextInput {...inputOf(props, 'blockedWords')} hint={t.blockedWordsHint} rows={3} />
      <AkismetInputs {...props} />
    </>
  );
}

/** The choice of what happens to submissions that may be spam. */
function MaybeSpamInputs(props: SettingsProps) {
  const { settings: t } = props.viewer.texts;
  const { name, label, value } = inputOf(props, 'maybeSpamAction');
  return (
    <fieldset>
      <legend>{label}</legend>
      {MAYBE_SPAM_ACTIONS.map((action) => (
        <label class="choice">
          <input type="radio" name={name} value={action} checked={action === value} /> {t.maybeSpamActions[action]}
        </label>
      ))}
      <p class="soft small">{t.maybeSpamHint}</p>
    </fieldset>
  );
}

/** Findings on the pages of the form, before a challenge refuses submissions from them. */
function ChallengeWarning({ viewer, form, rejected, check }: SettingsProps & Readonly<{ check: WidgetCheck }>) {
  const { check: t } = viewer.texts.settings;
  const { pages } = check;
  const kind = rejected?.input.get('challenge') ?? '';
  return (
    <div class="note" role="alert" id="check">
      <h3>{t.title}</h3>
      <p>{t.text}</p>
      {pages === null && <p>{t.tooMany}</p>}
      {pages?.length === 0 && <p>{t.nothing}</p>}
      {pages && pages.length > 0 && (
        <ul>
          {pages.map(({ page, finding }) => (
            <li>{t[finding](page)}</li>
          ))}
        </ul>
      )}
      <LineInput
        name="page"
        label={t.page}
        value={rejected?.input.get('page') ?? ''}
        placeholder="https://example.com/contact"
        type="url"
        inputmode="url"
        maxlength={2_000}
      />
      <div class="row">
        <button name="check" value="yes">
          {t.again}
        </button>
        <button class="quiet" name="anyway" value="yes">
          {t.anyway}
        </button>
        <a href={`/dashboard/forms/${form.id}/connect?challenge=${kind}`} target="_blank" rel="noopener">
          {t.snippet}
        </a>
      </div>
    </div>
  );
}
