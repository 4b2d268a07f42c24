/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { FieldDisplay } from '../../domain/fields/field-display.ts';
import type { Markup } from '../../lib/markup.ts';
import { Icon } from './icon.tsx';

/** Stars of the best rating that is drawn; more would not fit. */
const MAX_STARS = 10;

/** The value of a field: yes or no with a check or cross, a rating as stars, options as chips, else `children`. */
export function DrawnValue({
  display: { drawn, texts },
  children,
}: Readonly<{ display: FieldDisplay; children?: Markup }>) {
  if (drawn?.kind === 'box') {
    return (
      <span class="drawn">
        <Icon name={drawn.isChecked ? 'check' : 'cross'} />
        {texts[0]}
      </span>
    );
  }
  if (drawn?.kind === 'rating' && drawn.max <= MAX_STARS) {
    return (
      <span class="drawn">
        <Stars {...drawn} /> {texts[0]}
      </span>
    );
  }
  if (drawn?.kind === 'options') {
    return (
      <>
        {texts.map((text) => (
          <>
            <bdi class="option">{text}</bdi>{' '}
          </>
        ))}
      </>
    );
  }
  return <>{children ?? <bdi>{texts.join(', ')}</bdi>}</>;
}

/** A rating as stars. The text beside them names it. */
export function Stars({ stars, max }: Readonly<{ stars: number; max: number }>) {
  return (
    <span class="stars" aria-hidden="true">
      {'★'.repeat(stars)}
      <span>{'★'.repeat(max - stars)}</span>
    </span>
  );
}
