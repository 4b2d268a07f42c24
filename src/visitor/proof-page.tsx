/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { AppError } from '../domain/errors.ts';
import type { Form } from '../domain/forms/form.ts';
import type { Payload } from '../domain/submissions/submission.ts';
import { challengeToken, withoutChallengeTokens } from '../intake/control-fields.ts';
import { ALTCHA_SCRIPT, AltchaWidget, formDirectives } from './altcha-widget.tsx';
import { Brand, respond } from './frame.tsx';
import { getLanguage, refusalText, textsIn } from './i18n/index.ts';
import type { Look } from './look.ts';
import { FORM_STYLE } from './style.ts';

type ProofPage = Readonly<{
  form: Form;
  look: Look;
  /** The refused post. */
  sent: Payload;
  refusal: AppError;
  headers: Readonly<Record<string, string>>;
}>;

/** Returns whether `proofPage` can send a payload again unchanged: it has texts and lists of texts only. */
export function isResendable(sent: Payload): boolean {
  return sent.every(([, value]) => [value].flat().every((item) => typeof item === 'string'));
}

/** Renders the page that asks for a proof of work. It has the visitor's entries and sends them again. */
export function proofPage(request: Request, { form, look, sent, refusal, headers }: ProofPage): Response {
  const language = getLanguage(request, form);
  const { check: t, hosted } = textsIn(language);
  const content = (
    <main>
      <Brand look={look} />
      <h1>{t.title}</h1>
      {challengeToken(sent) !== null && (
        <p class="notice" role="alert">
          {refusalText(language, refusal)}
        </p>
      )}
      <p>{t.text}</p>
      <noscript>
        <p class="notice">{hosted.needsScript}</p>
      </noscript>
      <form action={`/v1/forms/${form.shortId}/submissions`} method="post">
        {withoutChallengeTokens(sent).flatMap(([name, value]) =>
          [value]
            .flat()
            .map((item) => (
              <input type="hidden" name={Array.isArray(value) ? `${name}[]` : name} value={String(item)} />
            )),
        )}
        <AltchaWidget form={form} />
        <button>{hosted.send}</button>
      </form>
    </main>
  );
  return respond({
    status: refusal.status,
    language,
    title: t.title,
    content,
    look,
    script: ALTCHA_SCRIPT,
    style: FORM_STYLE,
    directives: formDirectives(form, true, sent),
    // Lets the page name its origin when it posts.
    headers: { ...headers, 'Referrer-Policy': 'same-origin' },
  });
}
