/** Contrast of text that WCAG 2.2 asks for at level AA. */
export const TEXT_CONTRAST = 4.5;

const STEPS = 20;

/** Returns the contrast ratio of two colors by WCAG, from 1 to 21. Colors have the form `#rrggbb`. */
export function contrast(first: string, second: string): number {
  const [darker = 0, lighter = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns black or white, the color that is easier to read on `background`. */
export function textOn(background: string): string {
  const [black, white] = ['#000000', '#ffffff'] as const;
  return contrast(white, background) >= contrast(black, background) ? white : black;
}

/** Returns `color`, mixed with black or white in the smallest step that makes it readable as text on `background`. */
export function readableOn(color: string, background: string): string {
  const target = textOn(background);
  for (let step = 0; step < STEPS; step++) {
    const mixed = mix(color, target, step / STEPS);
    if (contrast(mixed, background) >= TEXT_CONTRAST) return mixed;
  }
  return target;
}

function mix(color: string, other: string, share: number): string {
  const others = channels(other);
  const mixed = channels(color).map((value, index) => value + ((others[index] ?? 0) - value) * share);
  return `#${mixed.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}
