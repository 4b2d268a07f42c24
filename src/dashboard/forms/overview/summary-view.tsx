/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { AnswerCount, FieldSummary, NumberSummary } from '../../../domain/fields/field-summary.ts';
import type { Form } from '../../../domain/forms/form.ts';
import type { FormSummary } from '../../../services/forms/summarize-fields.ts';
import { submissionsText } from '../../ui/count.ts';
import { Stars } from '../../ui/drawn-value.tsx';
import { FormHead } from '../../ui/form-head.tsx';
import type { Viewer } from '../../viewer.ts';
import { OVERVIEW_TEXTS } from './texts.ts';

type Props = Readonly<{ viewer: Viewer; form: Form; summary: FormSummary }>;

/** The summary of a form's answers on its own page. */
export function SummaryView({ viewer, form, summary }: Props) {
  return (
    <>
      <FormHead viewer={viewer} form={form} current="overview" />
      <section class="overview" aria-labelledby="answers">
        <h2 id="answers">{OVERVIEW_TEXTS[viewer.language].answers}</h2>
        <div id="summary">
          <Summaries viewer={viewer} summary={summary} />
        </div>
      </section>
    </>
  );
}

function Summaries({ viewer, summary: { fields, read, isComplete } }: Omit<Props, 'form'>) {
  const t = OVERVIEW_TEXTS[viewer.language];
  if (fields.length === 0) return <p class="soft">{t.noFields}</p>;
  if (read === 0) return <p class="soft">{t.noneRead}</p>;
  return (
    <>
      <p class="soft small">{(isComplete ? t.readAll : t.read)(submissionsText(viewer, read))}</p>
      <div class="summaries">
        {fields.map((field) => (
          <section class="card">
            <h3>
              <bdi>{field.label}</bdi>
            </h3>
            <Summary viewer={viewer} field={field} />
          </section>
        ))}
      </div>
    </>
  );
}

function Summary({ viewer, field }: Readonly<{ viewer: Viewer; field: FieldSummary }>) {
  const t = OVERVIEW_TEXTS[viewer.language];
  const { common } = viewer.texts;
  if (field.kind === 'check') {
    const counts = [
      { answer: common.yes, count: field.checked },
      { answer: common.no, count: field.unchecked },
    ];
    return <Answers viewer={viewer} counts={counts} total={field.checked + field.unchecked} />;
  }
  if (field.answered === 0) return <p class="soft">{t.noAnswers}</p>;
  return (
    <>
      {field.kind === 'number' && field.numbers && <Numbers viewer={viewer} {...field} numbers={field.numbers} />}
      <p class="soft small">{t.answered(field.answered, viewer.number(field.answered))}</p>
      <Answers viewer={viewer} counts={field.counts} total={field.answered} />
      {field.kind === 'choice' && field.others > 0 && (
        <p class="soft small">{t.others(field.others, viewer.number(field.others))}</p>
      )}
    </>
  );
}

type NumbersProps = Readonly<{ viewer: Viewer; numbers: NumberSummary; counts: readonly AnswerCount[] }>;

/** The average, with stars for a rating, and the other figures of a number. */
function Numbers({ viewer, numbers, counts }: NumbersProps) {
  const t = OVERVIEW_TEXTS[viewer.language];
  const isRating = counts.length > 0;
  const names = isRating ? (['average'] as const) : (['average', 'median', 'lowest', 'highest'] as const);
  return (
    <dl class="figures">
      {names.map((name) => (
        <div>
          <dt class={isRating ? 'visually-hidden' : undefined}>{t[name]}</dt>
          <dd class={name === 'average' ? 'big' : undefined}>
            {viewer.number(Math.round(numbers[name] * (isRating ? 10 : 100)) / (isRating ? 10 : 100))}
          </dd>
          {isRating && <Stars stars={Math.round(numbers.average)} max={counts.length} />}
        </div>
      ))}
    </dl>
  );
}

type AnswersProps = Readonly<{ viewer: Viewer; counts: readonly AnswerCount[]; total: number }>;

/** The answers with their counts, and shares of `total` submissions as numbers and bars. */
function Answers({ viewer, counts, total }: AnswersProps) {
  const t = OVERVIEW_TEXTS[viewer.language];
  if (counts.length === 0) return null;
  const getShare = (count: number) => count / Math.max(1, total);
  return (
    <table class="answers">
      <thead class="visually-hidden">
        <tr>
          <th scope="col">{t.answer}</th>
          <th scope="col">{t.count}</th>
          <th scope="col">{t.share}</th>
        </tr>
      </thead>
      <tbody>
        {counts.map(({ answer, count }) => (
          <tr>
            <th scope="row">
              <bdi>{answer}</bdi>
              <svg class="bar" width="100%" height="6" aria-hidden="true" focusable="false">
                <rect class="track" width="100%" height="6" rx="3" />
                <rect width={`${(100 * getShare(count)).toFixed(1)}%`} height="6" rx="3" fill="currentColor" />
              </svg>
            </th>
            <td class="number">{viewer.number(count)}</td>
            <td class="number soft">{viewer.percent(getShare(count))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
