/** @jsxRuntime automatic @jsxImportSource hono/jsx */

/** Paths of our icons in a square of 24 units, drawn as lines. */
export const PATHS = {
  address: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm4-4v1.5a2.5 2.5 0 0 0 5 0V12a9 9 0 1 0-3.5 7',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5a7.5 7.5 0 0 1 15 0',
  archive: 'M3.5 4.5h17v4h-17zM5 8.5v11h14v-11M10 12.5h4',
  calendar: 'M4 5.5h16V20H4zM4 10h16M8.5 3v4m7-4v4',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zm0-14v5l3.5 2',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  checked: 'M4 4h16v16H4zm4 8.5 3 3 5.5-6.5',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  cross: 'm6 6 12 12M18 6 6 18',
  down: 'm6 9 6 6 6-6',
  minus: 'M6 12h12',
  download: 'M12 4v11m-4.5-4.5L12 15l4.5-4.5M4.5 19.5h15',
  forms: 'M6 3.5h12v17H6zM9 8h6M9 12h6M9 16h3',
  grip: 'M9 6v.1M15 6v.1M9 12v.1m6-.1v.1M9 18v.1m6-.1v.1',
  hash: 'M5 9h15M4 15h15M10 4 8 20m8-16-2 16',
  heading: 'M6 5v14M18 5v14M6 12h12',
  help: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1.9-1.1 1.8m0 3v.1',
  inbox: 'M4 13 6.5 5h11L20 13v6H4zm0 0h4.5a3.5 3.5 0 0 0 7 0H20',
  key: 'M8 19.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm3-6.5 8.5-8.5M16 8l3 3',
  leave: 'M14 4.5h5.5v15H14M4 12h11m-4-4 4 4-4 4',
  lines: 'M4 6.5h16M4 12h16M4 17.5h9',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1m2 3.7a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  mail: 'M3.5 5.5h17v13h-17zm0 1.5 8.5 6.5L20.5 7',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  move: 'M3.5 6h6l2 2.5h9V19h-17zM9 13.5h6m-2.5-2.5 2.5 2.5-2.5 2.5',
  note: 'M5 4h14v10l-5.5 6H5zm8.5 16v-6H19M8.5 8.5h7M8.5 12h3.5',
  play: 'm8 5 11 7-11 7z',
  plus: 'M12 5v14M5 12h14',
  pause: 'M9 5.5v13m6-13v13',
  phone: 'M8 3h8v18H8zm3 15h2',
  radio: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zm0-6a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  reply: 'M9.5 6 4 11.5 9.5 17M4 11.5h9.5a6 6 0 0 1 6 6V19',
  select: 'M3.5 6h17v12h-17zm9 4.5 2.5 2.5 2.5-2.5',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zm5-2 4.5 4.5',
  settings:
    'M4 7h9m4 0h3M4 17h3m4 0h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zm-6 10a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  spam: 'M8.5 3.5h7l5 5v7l-5 5h-7l-5-5v-7zM12 8v4.5m0 3.5v.1',
  star: 'm12 3.5 2.6 5.5 6 .8-4.4 4.2 1.1 6L12 17l-5.3 3 1.1-6-4.4-4.2 6-.8z',
  status: 'M3 12h4l2.5-7 5 14 2.5-7h4',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v2m0 14v2m9-9h-2M5 12H3m15-6-1 1M7 17l-1 1m12 0-1-1M7 7 6 6',
  team: 'M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM3 19a6 6 0 0 1 12 0M16 5a3 3 0 0 1 0 6m2 2.5a6 6 0 0 1 3 5.5',
  text: 'M5 7V5h14v2M12 5v14m-3 0h6',
  theme: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zm0-18v18m0-13.5 5.5-1.5M12 12h9m-9 4.5 6.5 1.5',
  trash: 'M4 6.5h16M9 6.5v-3h6v3m-8.5 0 1 14h9l1-14M10 10.5v6m4-6v6',
  upload: 'M12 15V4m-4.5 4.5L12 4l4.5 4.5M4.5 19.5h15',
  usage: 'M4 20h16M6.5 20v-7m5.5 7V4m5.5 16V9.5',
  warning: 'M12 3.5 2.5 20h19zM12 10v4.5m0 2.5v.1',
} as const;

export type IconName = keyof typeof PATHS;

/** Icons of the actions on submissions. */
export const ACTION_ICONS = {
  read: 'check',
  unread: 'mail',
  star: 'star',
  spam: 'spam',
  genuine: 'check',
  trash: 'trash',
  export: 'download',
  restore: 'inbox',
  delete: 'trash',
} as const;

type Props = Readonly<{ name: IconName; isFilled?: boolean; label?: string }>;

/** An icon in the color and size of the text. Without a label, for screen readers only, it is decorative. */
export function Icon({ name, isFilled = false, label }: Props) {
  return (
    <>
      <svg class={isFilled ? 'icon filled' : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
        <path d={PATHS[name]} />
      </svg>
      {label && <span class="visually-hidden">{label}</span>}
    </>
  );
}

/** An icon on a square of its hue, at the start of a row. `path` is drawn like those of `PATHS`. */
export function Tile({ path, hue }: Readonly<{ path: string; hue: string }>) {
  return (
    <span class={`tile hue-${hue}`}>
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d={path} />
      </svg>
    </span>
  );
}
