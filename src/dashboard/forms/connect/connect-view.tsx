/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { AppError } from '../../../domain/errors.ts';
import type { Form } from '../../../domain/forms/form.ts';
import { hostedPagePath, hostedPageProblem } from '../../../domain/forms/hosted-page.ts';
import type { StoredSubmission } from '../../../domain/submissions/submission.ts';
import { Card, CopyButton, ErrorMessage, LinkButton, LinkLine, PostButton } from '../../ui/elements.tsx';
import { FormHead } from '../../ui/form-head.tsx';
import { getFields } from '../../ui/sample-fields.ts';
import { Time } from '../../ui/time.tsx';
import type { Viewer } from '../../viewer.ts';
import { attribute } from './escape.ts';
import { getSnippets, SNIPPETS, submitAddress } from './snippets.ts';
import { CONNECT_TEXTS, HOSTED_TEXTS } from './texts.ts';

type Props = Readonly<{
  viewer: Viewer;
  form: Form;
  /** The origin of this instance, for addresses in snippets. */
  origin: string;
  result: TestResult;
  /** The first submissions, two at most. */
  first: readonly StoredSubmission[];
  /** The page that the newest submission named in `_next` without being allowed to; null for none. */
  unusedNext: string | null;
}>;

const NEED_SITE_KEY: ReadonlyArray<Form['challenge']> = ['turnstile', 'hcaptcha', 'recaptcha'];

/** The page that connects a form to a website. */
export function ConnectView({ viewer, form, origin, result, first, unusedNext }: Props) {
  const t = CONNECT_TEXTS[viewer.language];
  const fields = getFields(form, viewer.texts);
  const snippets = getSnippets({ ...form, fields }, form.shortId, origin, t.words);
  const script = snippets.challengeScript;
  return (
    <>
      <FormHead viewer={viewer} form={form} current="connect" />
      <Waiting viewer={viewer} form={form} submissions={first} />
      {unusedNext !== null && <p class="note">{t.unusedNext(unusedNext)}</p>}
      <Card id="address-title" title={t.address}>
        <p class="soft">{t.addressText}</p>
        <Code viewer={viewer} id="address" code={submitAddress(origin, form.shortId)} />
      </Card>
      <Card id="snippets-title" title={t.snippets}>
        <p class="soft">{t.snippetsText}</p>
        {NEED_SITE_KEY.includes(form.challenge) && <p class="note">{t.siteKey}</p>}
        {form.challenge === 'custom' && <p class="note">{t.custom}</p>}
        {SNIPPETS.map((name) => (
          <details class="snippet" open={name === 'html'}>
            <summary>{t[name]}</summary>
            <p class="soft small">{t[`${name}Text`]}</p>
            <Code viewer={viewer} id={name} code={snippets[name]} />
            {name === 'curl' && form.challenge && <p class="note">{t.curlChallenge}</p>}
          </details>
        ))}
        {script !== null && (
          <>
            <p>{t.componentScript}</p>
            <Code viewer={viewer} id="challenge-script" code={script} />
          </>
        )}
      </Card>
      <HostedSection viewer={viewer} form={form} origin={origin} />
      {viewer.can('edit') && <TestSection viewer={viewer} form={form} result={result} />}
    </>
  );
}

type WaitingProps = Readonly<{
  viewer: Viewer;
  form: Form;
  /** The first two submissions at most; nothing is shown for two. */
  submissions: readonly StoredSubmission[];
}>;

/** Waits for the first submission of a form, which a script shows as it arrives, and then leads to it. */
export function Waiting({ viewer, form, submissions }: WaitingProps) {
  const t = CONNECT_TEXTS[viewer.language];
  const [first, second] = submissions;
  const path = `/dashboard/forms/${form.id}/connect`;
  if (second) return null;
  if (!first) {
    return (
      <section class="card waiting" id="waiting" aria-labelledby="waiting-title" data-waiting={path}>
        <h2 id="waiting-title" role="status">
          <span class="pulse" aria-hidden="true" /> {t.waiting}
        </h2>
        <p class="soft">{t.waitingText}</p>
        <div class="row">
          {viewer.can('edit') && <PostButton action={`${path}/test#waiting`} text={t.tryIt} style="main" />}
          <form action={path}>
            <button class="quiet">{t.checkAgain}</button>
          </form>
        </div>
      </section>
    );
  }
  return (
    <section class="card waiting arrived" id="waiting" aria-labelledby="waiting-title">
      <h2 id="waiting-title" role="status">
        <span class="pulse" aria-hidden="true" /> {t.firstArrived}
      </h2>
      <p class="soft">
        {first.isSpam ? t.flagged : t.firstArrivedText} <Time viewer={viewer} at={first.createdAt} />
      </p>
      <div class="row">
        <LinkButton href={`/dashboard/submissions/${first.id}`} text={t.look} style="main" />{' '}
        <a href="/dashboard/inbox">{t.toInbox}</a>
      </div>
    </section>
  );
}

type HostedProps = Readonly<{ viewer: Viewer; form: Form; origin: string }>;

/** The address of the form's hosted page and the code that embeds it, or how to get one. */
function HostedSection({ viewer, form, origin }: HostedProps) {
  const t = HOSTED_TEXTS[viewer.language];
  const problem = hostedPageProblem(form);
  const url = `${origin}${hostedPagePath(form)}`;
  return (
    <Card id="hosted-title" title={t.title}>
      <p class="soft">{t.text}</p>
      {problem === null ? (
        <>
          <LinkLine href={url} text={url} />
          <p class="soft small">{t.embed}</p>
          <Code viewer={viewer} id="embed" code={embedSnippet(url, form.publicName ?? t.frameTitle)} />
          {form.allowedOrigins.length > 0 && <p class="note">{t.origins}</p>}
        </>
      ) : (
        <p class={problem === 'off' ? undefined : 'note'}>
          {t.problems[problem]}{' '}
          {viewer.can('edit') && <a href={`/dashboard/forms/${form.id}/settings`}>{t.settings}</a>}
        </p>
      )}
    </Card>
  );
}

function embedSnippet(url: string, title: string): string {
  const attributes = `src=${attribute(url)} title=${attribute(title)} width="100%" height="700" loading="lazy"`;
  return `<iframe ${attributes} style="border: 0"></iframe>`;
}

/** The result of a test submission, if there was one. */
export type TestResult = Readonly<{ submission?: StoredSubmission | null; refusal?: AppError }>;

type TestProps = Readonly<{ viewer: Viewer; form: Form; result: TestResult }>;

/** The section that sends a test submission and shows its result. */
function TestSection({ viewer, form, result: { submission, refusal } }: TestProps) {
  const t = CONNECT_TEXTS[viewer.language];
  const reasons: Readonly<Record<string, string>> = t.refused;
  return (
    <section class="card" id="test" aria-labelledby="test-title">
      <h2 id="test-title">{t.test}</h2>
      <p class="soft">{t.testText}</p>
      <ErrorMessage error={refusal && (reasons[refusal.code] ?? t.refused.other)} />
      {submission && (
        <p class="done" role="status">
          {submission.isSpam ? t.flagged : t.arrived} <Time viewer={viewer} at={submission.createdAt} /> ·{' '}
          <a href={`/dashboard/submissions/${submission.id}`}>{t.look}</a>
        </p>
      )}
      <PostButton action={`/dashboard/forms/${form.id}/connect/test#test`} text={t.send} style="main" />
    </section>
  );
}

/** Code with a button that copies it. The script unhides the button. */
export function Code({ viewer, id, code }: Readonly<{ viewer: Viewer; id: string; code: string }>) {
  return (
    <div class="code">
      <pre id={`code-${id}`} tabindex={0}>
        {code}
      </pre>{' '}
      <CopyButton viewer={viewer} source={`code-${id}`} />
    </div>
  );
}
