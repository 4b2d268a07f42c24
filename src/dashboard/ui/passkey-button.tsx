/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { PASSKEY_TEXTS } from '../users/passkeys/texts.ts';
import type { Viewer } from '../viewer.ts';

type Props = Readonly<{
  viewer: Viewer;
  text: string;
  /** The address of the options for the browser. */
  options?: string;
  /** The hidden field for the answer: a proof by a passkey, or a new credential. */
  field?: 'passkey' | 'credential';
  /** True if the answer submits the form. */
  isSubmit?: boolean;
  /** True to offer passkeys among the email addresses that the browser suggests. */
  isSuggested?: boolean;
}>;

/** A button that asks the browser for a passkey. The script unhides it. */
export function PasskeyButton({
  viewer,
  text,
  options = '/dashboard/passkey',
  field = 'passkey',
  isSubmit = false,
  isSuggested = false,
}: Props) {
  const t = PASSKEY_TEXTS[viewer.language];
  return (
    <div>
      <input type="hidden" name={field} />
      <button
        type={isSubmit ? 'submit' : 'button'}
        class={isSubmit ? undefined : 'quiet'}
        data-passkey={options}
        data-field={field}
        data-autofill={isSuggested ? 'yes' : undefined}
        data-done={t.confirmed}
        data-canceled={t.canceled}
        data-known={t.known}
        data-unsupported={t.unsupported}
        hidden
      >
        {text}
      </button>
      <p role="alert" class="error" hidden />
      <noscript>{t.needsScript}</noscript>
    </div>
  );
}
