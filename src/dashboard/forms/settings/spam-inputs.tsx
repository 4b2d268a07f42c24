/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { LineInput } from '../../ui/form-inputs.tsx';
import { ChallengeInputs } from './challenge-inputs.tsx';
import type { SettingsProps, WidgetCheck } from './settings-props.ts';

/** The challenge, and what the check of the pages with the form found before it is turned on. */
export function ChallengeSection(props: SettingsProps) {
  const { check } = props;
  return (
    <>
      {check && <ChallengeWarning {...props} check={check} />}
      <ChallengeInputs {...props} />
    </>
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
