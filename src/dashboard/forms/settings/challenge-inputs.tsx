/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { CHALLENGE_KINDS } from '../../../domain/forms/challenge.ts';
import { LineInput, SelectInput } from '../../ui/form-inputs.tsx';
import { NEEDS_VERIFY_URL } from './challenge.ts';
import type { SettingsProps } from './settings-props.ts';

const KINDS = ['none', 'altcha', ...CHALLENGE_KINDS.filter((kind) => kind !== 'altcha')] as const;

/** The inputs of the challenge. The style hides what the chosen kind does not need: see `.challenge`. */
export function ChallengeInputs({ viewer, form, rejected, heldSecret = null }: SettingsProps) {
  const { settings: t } = viewer.texts;
  const { input, errors = {} } = rejected ?? {};
  const current = form.challenge && NEEDS_VERIFY_URL.includes(form.challenge) ? form.challengeVerifyUrl : null;
  const savedHint = form.challengeSecret ? t.secretSet : t.secretHint;
  return (
    <div class="challenge">
      <SelectInput
        name="challenge"
        label={t.challenge}
        hint={t.challengeHint}
        value={input?.get('challenge') ?? form.challenge ?? 'none'}
        options={KINDS.map((kind) => [kind, t.challenges[kind]])}
      />
      <div class="of-service">
        {heldSecret !== null && <input type="hidden" name="heldSecret" value={heldSecret} />}
        <LineInput
          name="challengeSecret"
          label={t.challengeSecret}
          hint={heldSecret === null ? savedHint : t.secretHeld}
          value=""
          error={errors.challengeSecret}
          type="password"
          spellcheck={false}
        />
      </div>
      <div class="of-address">
        <LineInput
          name="challengeVerifyUrl"
          label={t.challengeVerifyUrl}
          hint={t.challengeVerifyUrlHint}
          value={input?.get('challengeVerifyUrl') ?? current ?? ''}
          error={errors.challengeVerifyUrl}
          inputmode="url"
          spellcheck={false}
        />
      </div>
    </div>
  );
}
