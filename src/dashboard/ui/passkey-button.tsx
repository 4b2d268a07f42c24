/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { PASSKEY_TEXTS } from '../users/passkeys/texts.ts';
import type { Viewer } from '../viewer.ts';

/**
 * A button that asks the browser for a passkey: to sign in, to confirm in place of the password, or to add one, and the
 * hidden field for its answer. The script unhides it, and all but a confirmation submit the form.
 */
export function PasskeyButton({ viewer, purpose }: Readonly<{ viewer: Viewer; purpose: 'signIn' | 'use' | 'add' }>) {
  const t = PASSKEY_TEXTS[viewer.language];
  const field = purpose === 'add' ? 'credential' : 'passkey';
  return (
    <div>
      <input type="hidden" name={field} />
      <button
        type={purpose === 'use' ? 'button' : 'submit'}
        class={purpose === 'add' ? undefined : 'quiet'}
        data-passkey={purpose === 'add' ? '/dashboard/passkey?new' : '/dashboard/passkey'}
        data-field={field}
        data-suggested={purpose === 'signIn' ? 'yes' : undefined}
        data-confirmed={t.confirmed}
        data-canceled={t.canceled}
        data-known={t.known}
        data-unsupported={t.unsupported}
        hidden
      >
        {t[purpose]}
      </button>
      <p role="alert" class="error" hidden />
      <noscript>{t.needsScript}</noscript>
    </div>
  );
}
