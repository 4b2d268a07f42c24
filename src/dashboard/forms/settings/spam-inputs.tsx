/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { CHALLENGE_KINDS, CHALLENGES, needsVerifyUrl } from '../../../domain/forms/challenge.ts';
import { LineInput, SelectInput } from '../../ui/form-inputs.tsx';
import type { SettingsProps, WidgetCheck } from './settings-props.ts';
import { SETTINGS_TEXTS } from './texts.ts';

/** Findings on the pages of the form, before a challenge refuses submissions from them. */
export function ChallengeWarning({ viewer, form, rejected, check }: SettingsProps & Readonly<{ check: WidgetCheck }>) {
  const { check: t } = SETTINGS_TEXTS[viewer.language];
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

/** The inputs of the challenge. The style hides what the chosen kind does not need: see `.challenge`. */
export function ChallengeInputs({ viewer, form, rejected, heldSecret = null }: SettingsProps) {
  const t = SETTINGS_TEXTS[viewer.language];
  const { input, errors = {} } = rejected ?? {};
  const current = form.challenge && needsVerifyUrl(form.challenge) ? form.challengeVerifyUrl : null;
  const getInput = (name: 'challengeSecret' | 'challengeVerifyUrl') => {
    return { name, label: t[name], error: errors[name], spellcheck: false };
  };
  const hint = heldSecret !== null ? t.secretHeld : form.challengeSecret ? t.secretSet : t.secretHint;
  return (
    <div class="challenge">
      <SelectInput
        name="challenge"
        label={t.challenge}
        hint={t.challengeHint}
        value={input?.get('challenge') ?? form.challenge ?? 'none'}
        options={[
          ['none', t.challenges.none],
          ['altcha', t.challenges.altcha],
          ...CHALLENGE_KINDS.filter((kind) => kind !== 'altcha').map(
            (kind) => [kind, CHALLENGES[kind].name ?? t.challenges.custom] as const,
          ),
        ]}
      />
      <div class="of-service">
        {heldSecret !== null && <input type="hidden" name="heldSecret" value={heldSecret} />}
        <LineInput {...getInput('challengeSecret')} hint={hint} value="" type="password" />
      </div>
      <div class="of-address">
        <LineInput
          {...getInput('challengeVerifyUrl')}
          hint={t.challengeVerifyUrlHint}
          value={input?.get('challengeVerifyUrl') ?? current ?? ''}
          inputmode="url"
        />
      </div>
    </div>
  );
}
