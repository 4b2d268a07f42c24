/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { FieldDisplay } from '../../domain/fields/field-display.ts';
import type { Markup } from '../../lib/markup.ts';
import { Icon } from './icon.tsx';

/** Stars of the best rating that is drawn; more would not fit. */
const MAX_STARS = 10;

type Props = Readonly<{
  display: FieldDisplay;
  /** Draws a box as a chip and a rating without its text, for a row. */
  isChip?: boolean;
  children?: Markup;
}>;

/** The value of a field: yes or no with a check or cross, a rating as stars, options as chips, else `children`. */
export function DrawnValue({ display: { drawn, texts }, isChip = false, children }: Props) {
  if (drawn?.kind === 'box') {
    return (
      <span class={isChip ? 'drawn option' : 'drawn'}>
        <Icon name={drawn.isChecked ? 'check' : 'cross'} />
        {texts[0]}
      </span>
    );
  }
  if (drawn?.kind === 'rating' && drawn.max <= MAX_STARS) {
    return (
      <span class="drawn">
        <Stars {...drawn} /> <span class={isChip ? 'visually-hidden' : undefined}>{texts[0]}</span>
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
      {Array.from({ length: max }, (_, index) => (
        <span class={index < stars ? 'set' : undefined}>
          <Icon name="star" isFilled />
        </span>
      ))}
    </span>
  );
}
