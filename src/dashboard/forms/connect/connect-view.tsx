/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import type { AppError } from '../../../domain/errors.ts';
import { CHALLENGES } from '../../../domain/forms/challenge.ts';
import { shownFields } from '../../../domain/forms/consent.ts';
import type { Form } from '../../../domain/forms/form.ts';
import { hostedPagePath, hostedPageProblem } from '../../../domain/forms/hosted-page.ts';
import type { StoredSubmission } from '../../../domain/submissions/submission.ts';
import { type CodeLanguage, highlight } from '../../../lib/highlight.ts';
import { Card, CopyButton, ErrorMessage, LinkButton, LinkLine, PostButton } from '../../ui/elements.tsx';
import { FormHead } from '../../ui/form-head.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Brief } from '../../ui/payload-text.ts';
import { getFields } from '../../ui/sample-fields.ts';
import { Time } from '../../ui/time.tsx';
import type { Viewer } from '../../viewer.ts';
import { attribute } from './escape.ts';
import { getSnippets, SNIPPET_NAMES, SNIPPETS, type SnippetName, submitAddress } from './snippets.ts';
import { CONNECT_TEXTS, HOSTED_TEXTS } from './texts.ts';

type Props = Readonly<{
  viewer: Viewer;
  form: Form;
  /** The origin of this instance, for addresses in snippets. */
  origin: string;
  /** The snippet that the page opens with, and the address of the page with another one. */
  snippet: SnippetName;
  getHref: (snippet: SnippetName) => string;
  result: TestResult;
  /** The only submission, the number of submissions (two at most), and its content. */
  arrival: Arrival;
  /** The page that the newest submission named in `_next` without being allowed to; null for none. */
  unusedNext: string | null;
}>;

/** The page that connects a form to a website. */
export function ConnectView(props: Props) {
  const { viewer, form, origin, result, arrival, unusedNext } = props;
  const t = CONNECT_TEXTS[viewer.language];
  return (
    <>
      <FormHead viewer={viewer} form={form} current="connect" />
      <div class="connect">
        <div class="stack">
          <SnippetSection {...props} />
          <section aria-labelledby="address-title">
            <h2 id="address-title">{t.address}</h2>
            <Code viewer={viewer} id="address" code={submitAddress(origin, form.shortId)} />
          </section>
          <HostedSection viewer={viewer} form={form} origin={origin} />
        </div>
        <div class="stack aside">
          <Waiting viewer={viewer} form={form} arrival={arrival} />
          {unusedNext !== null && <p class="note">{t.unusedNext(unusedNext)}</p>}
          {viewer.can('edit') && (arrival.count > 1 || result.submission || result.refusal) && (
            <TestSection viewer={viewer} form={form} result={result} />
          )}
        </div>
      </div>
    </>
  );
}

/** Languages of the snippets that are not markup. */
const LANGUAGES: Partial<Record<SnippetName, CodeLanguage>> = { react: 'script', next: 'script', curl: 'other' };

/** The snippets, one at a time. The script makes tabs of the links. */
function SnippetSection({ viewer, form, origin, snippet, getHref }: Props) {
  const t = CONNECT_TEXTS[viewer.language];
  const fields = getFields(form, viewer.texts);
  const snippets = getSnippets({ ...form, fields: shownFields({ ...form, fields }) }, form.shortId, origin, t.words);
  const script = snippets.challengeScript;
  return (
    <section class="snippets" aria-labelledby="snippets-title">
      <h2 id="snippets-title">{t.snippets}</h2>
      <p class="soft">{t.snippetsText}</p>
      {form.challenge !== null && CHALLENGES[form.challenge].keyed && <p class="note">{t.siteKey}</p>}
      {form.challenge === 'custom' && <p class="note">{t.custom}</p>}
      <div class="card kinds">
        <nav aria-label={t.kinds}>
          {SNIPPET_NAMES.map((name) => (
            <a id={`kind-${name}`} href={getHref(name)} aria-current={name === snippet ? 'true' : undefined}>
              {SNIPPETS[name]}
            </a>
          ))}
        </nav>
        {SNIPPET_NAMES.map((name) => (
          <div id={`panel-${name}`} hidden={name !== snippet}>
            <CopyButton viewer={viewer} source={`code-${name}`} />
            <p class="soft small">{t[`${name}Text`]}</p>
            <pre id={`code-${name}`} class="numbered" tabindex={0}>
              {/* Each line is an element, whose number comes from the style and is not copied. */}
              {raw(
                highlight(snippets[name], LANGUAGES[name] ?? 'markup').replace(
                  /^.*$/gm,
                  '<span class="line">$&</span>',
                ),
              )}
            </pre>
            {name === 'curl' && form.challenge && <p class="note">{t.curlChallenge}</p>}
          </div>
        ))}
      </div>
      {script !== null && (
        <>
          <p>{t.componentScript}</p>
          <Code viewer={viewer} id="challenge-script" code={script} />
        </>
      )}
    </section>
  );
}

/** The only submission of a form, with its sender, excerpt and page. `count` is two at most. */
export type Arrival = Readonly<{
  count: number;
  first: (Brief & Readonly<{ submission: StoredSubmission; page: string | null }>) | null;
}>;

type WaitingProps = Readonly<{ viewer: Viewer; form: Form; arrival: Arrival }>;

/** Waits for the first submission of a form, which a script shows as it arrives, and then leads to it. */
function Waiting({ viewer, form, arrival: { count, first } }: WaitingProps) {
  const t = CONNECT_TEXTS[viewer.language];
  const path = `/dashboard/forms/${form.id}/connect`;
  if (count > 1) return null;
  if (!first) {
    return (
      <section class="card waiting" id="waiting" aria-labelledby="waiting-title" data-waiting={path}>
        <span class="pulse" aria-hidden="true">
          <Icon name="inbox" />
        </span>
        <h2 id="waiting-title" role="status">
          {t.waiting}
        </h2>
        <p class="soft small">{t.waitingText}</p>
        <div class="row">
          {viewer.can('edit') && <PostButton action={`${path}/test#waiting`} text={t.tryIt} style="main" />}
          <form action={path}>
            <button class="quiet">{t.checkAgain}</button>
          </form>
        </div>
      </section>
    );
  }
  const { submission, who, excerpt, page } = first;
  return (
    <section class="card waiting arrived" id="waiting" aria-labelledby="waiting-title">
      <span class="pulse" aria-hidden="true">
        <Icon name="check" />
      </span>
      <h2 id="waiting-title" role="status">
        {t.firstArrived}
      </h2>
      <p class="soft small">
        {submission.isSpam ? t.flagged : t.received} <Time viewer={viewer} at={submission.createdAt} />
        {page !== null && ` ${t.from} ${page.replace(/^https?:\/\/|[?#].*/g, '')}`}
      </p>
      <p class="brief">
        <b>{who}</b>
        {excerpt !== '' && <br />}
        {excerpt}
      </p>
      <div class="row">
        <LinkButton href={`/dashboard/submissions/${submission.id}`} text={t.look} style="main" />
        {viewer.can('edit') && <PostButton action={`${path}/test#waiting`} text={t.sendMore} />}
      </div>
    </section>
  );
}

/** The settings that solve a problem of the hosted page. */
const PROBLEM_SECTIONS = { off: 'appearance', fields: 'fields', challenge: 'spam' } as const;

/** The address of the form's hosted page and the code that embeds it, or how to get one. */
function HostedSection({ viewer, form, origin }: Readonly<{ viewer: Viewer; form: Form; origin: string }>) {
  const t = HOSTED_TEXTS[viewer.language];
  const problem = hostedPageProblem(form);
  const url = `${origin}${hostedPagePath(form)}`;
  const attributes = `src=${attribute(url)} title=${attribute(form.publicName ?? t.frameTitle)}`;
  const frame = `<iframe ${attributes} width="100%" height="700" loading="lazy" style="border: 0"></iframe>`;
  return (
    <Card id="hosted-title" title={t.title}>
      <p class="soft">{t.text}</p>
      {problem === null ? (
        <>
          <LinkLine href={url} text={url} />
          <p class="soft small">{t.embed}</p>
          <Code viewer={viewer} id="embed" code={frame} />
          {form.allowedOrigins.length > 0 && <p class="note">{t.origins}</p>}
        </>
      ) : (
        <p class={problem === 'off' ? undefined : 'note'}>
          {t.problems[problem]}{' '}
          {viewer.can('edit') && (
            <a href={`/dashboard/forms/${form.id}/settings/${PROBLEM_SECTIONS[problem]}`}>{t.settings}</a>
          )}
        </p>
      )}
    </Card>
  );
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
        {raw(highlight(code, 'markup'))}
      </pre>{' '}
      <CopyButton viewer={viewer} source={`code-${id}`} />
    </div>
  );
}
