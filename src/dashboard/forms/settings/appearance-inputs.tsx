/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { linkColor } from '../../../domain/forms/accent-color.ts';
import type { FormLogo } from '../../../domain/forms/form.ts';
import { MAX_LOGO_KIB } from '../../../domain/forms/form-logo.ts';
import { hostedPagePath, hostedPageProblem } from '../../../domain/forms/hosted-page.ts';
import { CheckInput, Notes } from '../../ui/form-inputs.tsx';
import type { Viewer } from '../../viewer.ts';
import type { SettingsProps } from './settings-props.ts';
import { SETTINGS_TEXTS } from './texts.ts';

/** The color picker, a note on the saved color, and the logo. */
export function AccentInputs(props: SettingsProps) {
  const { viewer, form } = props;
  return (
    <>
      <input
        type="color"
        value={form.accentColor ?? '#0b6655'}
        aria-label={SETTINGS_TEXTS[viewer.language].pickColor}
        data-picks="accentColor"
        hidden
      />
      <Legibility viewer={viewer} color={form.accentColor} />
      <LogoInput {...props} />
    </>
  );
}

/** The address of the hosted page, or why there is none. */
export function HostedPageNote({ viewer, form, origin }: SettingsProps) {
  const t = SETTINGS_TEXTS[viewer.language];
  const url = origin + hostedPagePath(form);
  const problem = hostedPageProblem(form);
  if (problem === 'off') return null;
  if (problem !== null) return <p class="note">{t.hostedProblems[problem]}</p>;
  return (
    <p>
      {t.hostedAddress}: <a href={url}>{url}</a>
    </p>
  );
}

/** The shades that replace the saved accent color where it would be hard to read. */
function Legibility({ viewer, color }: Readonly<{ viewer: Viewer; color: string | null }>) {
  const t = SETTINGS_TEXTS[viewer.language];
  if (color === null) return null;
  const [light, dark] = [linkColor(color, 'light'), linkColor(color, 'dark')];
  return (
    <p class="small soft">
      {light === color && dark === color && t.accentFits}
      {light !== color && t.accentTooPale(light)} {dark !== color && t.accentTooDark(dark)}
    </p>
  );
}

/** A file input, with the saved logo, or after an error the chosen one. */
function LogoInput({ viewer, rejected, logo, savedLogo }: SettingsProps) {
  const t = SETTINGS_TEXTS[viewer.language];
  const error = rejected?.errors.logo;
  const shown = logo ?? savedLogo;
  return (
    <div class="field">
      <label for="logo">{t.logo}</label>
      {shown && <img class="logo" src={dataUrl(shown)} alt={logo ? t.logoChosen : t.logoCurrent} />}
      {logo && <input type="hidden" name="logo" value={Buffer.from(logo.image).toString('base64')} />}
      <input
        type="file"
        id="logo"
        name="logo"
        accept="image/png,image/jpeg,image/webp"
        data-max-bytes={String(MAX_LOGO_KIB * 1024)}
        data-too-large={t.logoTooLarge(MAX_LOGO_KIB)}
        aria-describedby={error ? 'logo-hint logo-error' : 'logo-hint'}
        aria-invalid={error ? 'true' : undefined}
        autofocus={error !== undefined}
      />
      <Notes id="logo" hint={`${logo ? `${t.logoChosen}. ` : ''}${t.logoHint(MAX_LOGO_KIB)}`} error={error} />
      {savedLogo && (
        <CheckInput name="removeLogo" label={t.removeLogo} value={rejected?.input.get('removeLogo') ?? ''} />
      )}
    </div>
  );
}

const dataUrl = ({ type, image }: FormLogo): string => `data:${type};base64,${Buffer.from(image).toString('base64')}`;
