/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { ErrorMessage } from '../ui/elements.tsx';
import { LineInput } from '../ui/form-inputs.tsx';
import type { Viewer } from '../viewer.ts';
import { ERASE_TEXTS } from './texts.ts';

type Props = Readonly<{ viewer: Viewer; input: string; error: string | undefined }>;

/** The form that searches for a person by email address. */
export function SearchView({ viewer, input, error }: Props) {
  const t = ERASE_TEXTS[viewer.language];
  return (
    <>
      <h1>{viewer.texts.sections.erase}</h1>
      <p class="soft">{t.intro}</p>
      <ErrorMessage error={error} />
      <form class="card narrow" method="post" action="/dashboard/erase">
        <LineInput
          name="address"
          label={t.address}
          value={input}
          hint={t.addressHint}
          error={error}
          inputmode="email"
          spellcheck={false}
          autocapitalize="none"
          required
          maxlength={254}
        />
        <div class="row">
          <button>{t.search}</button>
        </div>
      </form>
    </>
  );
}
