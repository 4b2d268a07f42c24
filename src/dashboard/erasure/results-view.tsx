/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Micros } from '../../lib/clock.ts';
import { Card, LinkButton } from '../ui/elements.tsx';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import type { Erasure } from './erasures.ts';

/** A match, with its form's name. */
export type FoundSubmission = Readonly<{ id: string; createdAt: Micros; form: string }>;

type Props = Readonly<{ viewer: Viewer; erasure: Erasure; found: readonly FoundSubmission[] }>;

/** The results of a search, with links that export and delete them. */
export function ResultsView({ viewer, erasure, found }: Props) {
  const { erase: t } = viewer.texts;
  const { number } = viewer;
  const { times, scanned, unreadable } = erasure.search;
  const count = times.length;
  const path = `/dashboard/erase/${erasure.id}`;
  return (
    <>
      <section class="card">
        <p class="flush">
          <strong>{count === 0 ? t.none(number(scanned)) : t.found(count, number(count), number(scanned))}</strong>
        </p>
        {unreadable > 0 && <p class="flush">{t.unreadable(number(unreadable))}</p>}
        <p class="soft small flush">{t.forgotten}</p>
        {found.length > 0 && <Matches viewer={viewer} found={found} more={count - found.length} />}
      </section>
      {count > 0 && (
        <>
          <Card id="give" title={t.exportTitle}>
            <p>{t.exportText}</p>
            <div class="row">
              <LinkButton href={`${path}/export.jsonl`} text={t.exportLines} download="" />
              <LinkButton href={`${path}/export.zip`} text={t.exportFiles} download="" />
            </div>
          </Card>
          <Card id="gone" title={t.deleteTitle(count, number(count))}>
            <p>{t.deleteText}</p>
            <div class="row">
              <LinkButton href={`${path}/delete`} text={t.deleteStep} style="danger" />
            </div>
          </Card>
        </>
      )}
    </>
  );
}

type MatchesProps = Readonly<{ viewer: Viewer; found: readonly FoundSubmission[]; more: number }>;

/** The newest matches, with links to read them. */
function Matches({ viewer, found, more }: MatchesProps) {
  const { erase: t } = viewer.texts;
  return (
    <ul class="matches small">
      {found.map(({ id, createdAt, form }) => (
        <li>
          <a href={`/dashboard/submissions/${id}`}>
            <bdi>{form}</bdi>, <Time viewer={viewer} at={createdAt} />
          </a>
        </li>
      ))}
      {more > 0 && <li class="soft">{t.moreFound(viewer.number(more))}</li>}
    </ul>
  );
}
