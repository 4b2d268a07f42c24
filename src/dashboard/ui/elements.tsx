/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { PropsWithChildren } from 'hono/jsx';
import type { Markup } from '../../lib/markup.ts';
import type { Viewer } from '../viewer.ts';

/** An error above a form, if there is one. Screen readers announce it. */
export function ErrorMessage({ error }: Readonly<{ error: string | Markup | null | undefined | false }>) {
  if (!error) return null;
  return (
    <p class="error" role="alert">
      {error}
    </p>
  );
}

/** A badge for a setting that is on or off. */
export function StateBadge({ isGood, text }: Readonly<{ isGood: boolean; text: string }>) {
  return <span class={isGood ? 'badge good' : 'badge'}>{text}</span>;
}

/** A section with a title, on a card. `id` is that of the title. */
export function Card({ id, title, children }: PropsWithChildren<Readonly<{ id: string; title: string }>>) {
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

type PartProps = Readonly<{ id: string; title: string; text?: string | undefined; children: Markup }>;

/** A section of a settings page: its title and a short text, and its inputs beside them. */
export function Part({ id, title, text, children }: PartProps) {
  return (
    <section class="part" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {text && <p class="soft small flush">{text}</p>}
      </div>
      <div>{children}</div>
    </section>
  );
}

/** Classes of a button by its style. */
const STYLES = { main: '', quiet: 'quiet', small: 'quiet small', mainSmall: 'small', danger: 'danger' } as const;

type ButtonProps = Readonly<{ text: string; style?: keyof typeof STYLES; label?: string | undefined }>;

/** A link that looks like a button. `label` replaces the text for screen readers. */
export function LinkButton({
  href,
  text,
  style = 'quiet',
  label,
  download,
}: ButtonProps & Readonly<{ href: string; download?: string }>) {
  return (
    <a class={`button ${STYLES[style]}`.trim()} href={href} aria-label={label} download={download}>
      {text}
    </a>
  );
}

type PostProps = ButtonProps &
  Readonly<{ action: string; name?: string; value?: string; fields?: Readonly<Record<string, string>> }>;

/** A button that posts to `action`, with one value or none and hidden fields. */
export function PostButton({ action, text, style = 'quiet', label, name, value, fields = {} }: PostProps) {
  return (
    <form method="post" action={action}>
      {Object.entries(fields).map(([field, text]) => (
        <input type="hidden" name={field} value={text} />
      ))}
      <button class={STYLES[style] || undefined} name={name} value={value} aria-label={label}>
        {text}
      </button>
    </form>
  );
}

type SubmitProps = Readonly<{ viewer: Viewer; text: string; cancel: string; isDanger?: boolean }>;

/** The button that submits a form, and a link back to `cancel`. */
export function SubmitRow({ viewer, text, cancel, isDanger = false }: SubmitProps) {
  return (
    <div class="row">
      <button class={isDanger ? 'danger' : undefined}>{text}</button>
      <LinkButton href={cancel} text={viewer.texts.common.cancel} />
    </div>
  );
}

/** A line with only a link. */
export function LinkLine({ href, text, isSmall = false }: Readonly<{ href: string; text: string; isSmall?: boolean }>) {
  return (
    <p class={isSmall ? 'small' : undefined}>
      <a href={href}>{text}</a>
    </p>
  );
}

type CopyProps = Readonly<{ viewer: Viewer; source: string; style?: 'quiet' | 'link small' }>;

/** A button that copies the element with the id `source`. The script unhides it. */
export function CopyButton({ viewer, source, style = 'quiet' }: CopyProps) {
  const { common: t } = viewer.texts;
  return (
    <button type="button" class={style} data-copy={source} data-copied={t.copied} hidden>
      {t.copy}
    </button>
  );
}

type SecretProps = Readonly<{ viewer: Viewer; id: string; label: string; value: string }>;

/** A text to copy, which is shown once. */
export function CopyField({ viewer, id, label, value }: SecretProps) {
  return (
    <div class="row">
      <input id={id} class="mono" aria-label={label} readonly value={value} />
      <CopyButton viewer={viewer} source={id} />
    </div>
  );
}

/** A fact with its label. One without a value is left out; the note follows the value in parentheses. */
export type Fact = readonly [label: string, value: Markup | string | false | null | undefined, note?: string];

/** A list of facts. */
export function FactList({ facts }: Readonly<{ facts: readonly Fact[] }>) {
  return (
    <dl class="facts">
      {facts.map(
        ([label, value, note]) =>
          value && (
            <>
              <dt>{label}</dt>
              <dd>
                {value}
                {note && ' '}
                {note && <span class="soft small">({note})</span>}
              </dd>
            </>
          ),
      )}
    </dl>
  );
}

type Link = readonly [href: string, text: Markup | string, isCurrent?: boolean];

type LinkRowProps = Readonly<{ links: readonly Link[]; label: string; style?: 'tabs' | 'parts'; class?: string }>;

/** Links to the parts of a page, or to pages that belong together. */
export function LinkRow({ links, label, style = 'parts', class: ownClass }: LinkRowProps) {
  return (
    <nav aria-label={label} class={ownClass}>
      <ul class={style}>
        {links.map(([href, text, isCurrent = false]) => (
          <li>
            <a href={href} aria-current={isCurrent ? 'page' : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
