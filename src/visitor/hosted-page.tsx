/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { AppError, FieldError } from '../domain/errors.ts';
import type { FormField } from '../domain/fields/field-type.ts';
import { getFieldType, takesFiles } from '../domain/fields/field-types.ts';
import { shownFields } from '../domain/forms/consent.ts';
import type { Form } from '../domain/forms/form.ts';
import { hostedPagePath } from '../domain/forms/hosted-page.ts';
import type { Payload, PayloadValue } from '../domain/submissions/submission.ts';
import { formatMoment } from '../lib/i18n.ts';
import { ALTCHA_SCRIPT, AltchaWidget, formDirectives, isProofMissing } from './altcha-widget.tsx';
import { Control } from './field-control.tsx';
import { Brand, respond } from './frame.tsx';
import type { VisitorTexts } from './i18n/en.ts';
import { fieldErrorText, getLanguage, type Language, refusalText, textsIn } from './i18n/index.ts';
import type { Look } from './look.ts';
import { FORM_STYLE } from './style.ts';

/** Longest value of a hidden field that a link may fill in, in UTF-16 units. */
const MAX_PREFILL = 1_000;

type HostedPage = Readonly<{
  form: Form;
  look: Look;
  /** The page's time, signed; see `spam/stamp.ts`. */
  stamp: string;
  /** The version of the consent text that the page shows; null for none. */
  consent: string | null;
  /** The refused post that the page corrects; null at first. */
  refused: Readonly<{ sent: Payload; refusal: AppError }> | null;
}>;

/** Renders the page of a hosted form. After a refused post it keeps what the visitor has entered. */
export function hostedPage(request: Request, { form, look, stamp, consent, refused }: HostedPage): Response {
  const language = getLanguage(request, form);
  const texts = textsIn(language);
  const { hosted: t } = texts;
  const title = form.publicName ?? t.title;
  const isAltcha = form.challenge === 'altcha' || (refused !== null && isProofMissing(form, refused.refusal));
  const action = hostedPagePath(form) + (consent === null ? '' : `?consent=${consent}`);
  const enctype = form.fields.some(takesFiles) ? 'multipart/form-data' : undefined;
  const content = (
    <>
      <Brand look={look} isForm />
      <main>
        <h1 dir="auto">{title}</h1>
        {form.intro !== null && (
          <p class="intro" dir="auto">
            {form.intro}
          </p>
        )}
        {form.closesAt !== null && (
          <p class="until">{t.until(formatMoment(language, form.timeZone, new Date(form.closesAt)))}</p>
        )}
        {refused && <Notice {...refused} form={form} language={language} texts={texts} />}
        {isAltcha && (
          <noscript>
            <p class="notice">{t.needsScript}</p>
          </noscript>
        )}
        <form action={action} method="post" enctype={enctype}>
          {controls(request, form, refused, texts, language)}
          <p hidden>
            <label>
              {t.leaveEmpty} <input name="_gotcha" autocomplete="off" />
            </label>
          </p>
          <input type="hidden" name="_stamp" value={getStamp(refused?.sent) ?? stamp} />
          {isAltcha && <AltchaWidget form={form} />}
          <button>{form.buttonLabel ?? t.send}</button>
        </form>
      </main>
    </>
  );
  return respond({
    status: refused?.refusal.status ?? 200,
    language,
    title,
    content,
    look,
    script: isAltcha && ALTCHA_SCRIPT,
    style: FORM_STYLE,
    directives: formDirectives(form, isAltcha),
    headers: { 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin', ...refused?.refusal.headers },
  });
}

type NoticeProps = Readonly<{ sent: Payload; refusal: AppError; form: Form; language: Language; texts: VisitorTexts }>;

/** The reason of a refusal, with the errors of fields that the page does not show. */
function Notice({ refusal, form, language, texts }: NoticeProps) {
  const shown = form.fields.filter(isShown).map(({ name }) => name);
  const hidden = refusal.errors.filter(({ field }) => !shown.includes(field));
  return (
    <div class="notice" role="alert">
      {refusalText(language, refusal)}
      {hidden.map((error) => (
        <div>
          <bdi>{error.label ?? error.field}</bdi>: {fieldErrorText(language, error)}
        </div>
      ))}
      {form.fields.some(takesFiles) && <div>{texts.hosted.filesAgain}</div>}
    </div>
  );
}

function controls(
  request: Request,
  form: Form,
  refused: HostedPage['refused'],
  { hosted }: VisitorTexts,
  language: Language,
) {
  const fields = shownFields(form);
  const sent = new Map(refused?.sent);
  const errors = new Map(refused?.refusal.errors.map((error): [string, FieldError] => [error.field, error]));
  const firstInvalid = fields.find((field) => isShown(field) && errors.has(field.name));
  const narrow = getNarrow(fields.filter(isShown));
  // An odd Host header makes the URL unparsable.
  const query = refused === null ? URL.parse(request.url)?.searchParams : null;
  return fields.map((field, index) => {
    const error = errors.get(field.name);
    const filled = query && !isShown(field) ? query.get(field.name)?.slice(0, MAX_PREFILL) : sent.get(field.name);
    return (
      <Control
        field={field}
        id={`field-${index + 1}`}
        values={error?.code === 'consent' ? [] : getTexts(filled)}
        error={error ? fieldErrorText(language, error) : null}
        isFocused={field === firstInvalid}
        isNarrow={narrow.has(field)}
        allowedFileTypes={form.allowedFileTypes}
        texts={hosted}
      />
    );
  });
}

/** Returns the texts of a submitted value. */
function getTexts(value: PayloadValue | undefined): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((item): item is string => typeof item === 'string' && item !== '');
}

/** Returns the stamp of a post, so that the time counts from the first page. */
function getStamp(sent: Payload = []): string | null {
  const [, stamp] = sent.find(([name]) => name === '_stamp') ?? [];
  return typeof stamp === 'string' && stamp.length < 100 ? stamp : null;
}

const isShown = (field: FormField): boolean => getFieldType(field).html.control !== 'hidden';

/** Labels up to this length stay on one line of half the width. */
const MAX_NARROW_LABEL = 24;

/** Returns the fields that share a line with a neighbor: two short inputs in a row, without help. */
function getNarrow(fields: readonly FormField[]): ReadonlySet<FormField> {
  const canShare = (field: FormField) => {
    const { control, type } = getFieldType(field).html;
    const isShort = !field.help && (field.label || field.name).length <= MAX_NARROW_LABEL;
    return isShort && (control === 'select' || (control === 'input' && type !== 'file' && type !== 'url'));
  };
  const narrow = new Set<FormField>();
  for (const [index, field] of fields.entries()) {
    const before = fields[index - 1];
    const isPair = before && !narrow.has(before) && !field.heading && canShare(before) && canShare(field);
    if (isPair) narrow.add(before).add(field);
  }
  return narrow;
}
