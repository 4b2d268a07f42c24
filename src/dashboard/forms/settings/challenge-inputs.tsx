/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { CHALLENGE_KINDS } from '../../../domain/challenge.ts';
import type { Form } from '../../../domain/form.ts';
import { LineInput, SelectInput } from '../../ui/form-inputs.tsx';
import type { FieldErrors } from '../../ui/parse-input.ts';
import type { Viewer } from '../../viewer.ts';
import { NEEDS_VERIFY_URL } from './challenge.ts';

const KINDS = ['none', 'altcha', ...CHALLENGE_KINDS.filter((kind) => kind !== 'altcha')] as const;

type Props = Readonly<{
  viewer: Viewer;
  form: Form;
  /** Rejected input of the section, or null. */
  input: URLSearchParams | null;
  errors: FieldErrors;
}>;

/** The inputs of the challenge. The style hides those that the chosen kind does not need: see `.challenge`. */
export function ChallengeInputs({ viewer, form, input, errors }: Props) {
  const { settings: t } = viewer.texts;
  const current = form.challenge && NEEDS_VERIFY_URL.includes(form.challenge) ? form.challengeVerifyUrl : null;
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
        <LineInput
          name="challengeSecret"
          label={t.challengeSecret}
          hint={form.challengeSecret ? t.secretSet : t.secretHint}
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
