/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../../domain/forms/form.ts';
import type { StoredSubmission } from '../../../domain/submissions/submission.ts';
import { Card } from '../../ui/elements.tsx';
import { FormHead } from '../../ui/form-head.tsx';
import { getFields } from '../../ui/sample-fields.ts';
import type { Viewer } from '../../viewer.ts';
import { Code } from './code.tsx';
import { HostedSection } from './hosted-view.tsx';
import { getSnippets, SNIPPETS, submitAddress } from './snippets.ts';
import { type TestResult, TestSection } from './test-view.tsx';
import { Waiting } from './waiting-view.tsx';

type Props = Readonly<{
  viewer: Viewer;
  form: Form;
  /** The origin of this instance, for addresses in snippets. */
  origin: string;
  result: TestResult;
  /** The first submissions, two at most. */
  first: readonly StoredSubmission[];
}>;

const NEED_SITE_KEY: ReadonlyArray<Form['challenge']> = ['turnstile', 'hcaptcha', 'recaptcha'];

/** The page that connects a form to a website. */
export function ConnectView({ viewer, form, origin, result, first }: Props) {
  const { connect: t } = viewer.texts;
  const fields = getFields(form, viewer.texts);
  const snippets = getSnippets({ ...form, fields }, form.shortId, origin, t.words);
  const script = snippets.challengeScript;
  return (
    <>
      <FormHead viewer={viewer} form={form} current="connect" />
      <Waiting viewer={viewer} form={form} submissions={first} />
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
