/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { PropsWithChildren } from 'hono/jsx';
import { Icon, type IconName } from './icon.tsx';

type Props = PropsWithChildren<Readonly<{ icon: IconName; title: string; text: string; level?: 1 | 2 }>>;

/** A page or list without content: a drawing with an icon, a title, a sentence, and buttons as children. */
export function EmptyState({ icon, title, text, level = 2, children }: Props) {
  const Title = level === 1 ? 'h1' : 'h2';
  return (
    <div class="empty-state">
      <Drawing icon={icon} />
      <Title>{title}</Title>
      <p>{text}</p>
      {children && <div class="row">{children}</div>}
    </div>
  );
}

/** Draws a tray for something that is not there yet, with an icon on it. */
export function Drawing({ icon }: Readonly<{ icon: IconName }>) {
  return (
    <div class="drawing">
      <svg width="160" height="112" viewBox="0 0 160 112" aria-hidden="true">
        <ellipse cx="80" cy="106" rx="62" ry="4" fill="var(--sunken)" />
        <rect x="46" y="8" width="68" height="80" rx="7" fill="var(--card)" stroke="var(--line)" stroke-width="2" />
        <path d="M58 26h32M58 38h44M58 50h38" stroke="var(--wash)" stroke-width="5" stroke-linecap="round" />
        <path
          d="M28 60h30l6 12h32l6-12h30v34a8 8 0 0 1-8 8H36a8 8 0 0 1-8-8z"
          fill="var(--wash)"
          stroke="var(--accent)"
          stroke-width="2"
          stroke-linejoin="round"
        />
      </svg>
      <span class="emblem">
        <Icon name={icon} />
      </span>
    </div>
  );
}
