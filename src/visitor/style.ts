import { readableOn, textOn } from '../lib/contrast.ts';

const LIGHT_CARD = '#ffffff';
const DARK_CARD = '#1d2127';

/** The style of all visitor pages. Browsers without `light-dark()` understand it too. */
export const STYLE = `
:root { color-scheme: light dark; --page: #f6f6f3; --card: ${LIGHT_CARD}; --ink: #1c2430; --soft: #565f6d; }
:root { --line: #e3e3dc; --edge: #868c96; --wash: #f1f2ef; --danger: #a8261c; }
:root { --brand: #0b6655; --on-brand: #ffffff; --accent: #0b6655; }
@media (prefers-color-scheme: dark) {
:root { --page: #15181d; --card: ${DARK_CARD}; --ink: #e7eaee; --soft: #a3adba; }
:root { --line: #343a44; --edge: #7a8391; --wash: #15181d; --danger: #ff9b8f; }
:root { --brand: #63cdb7; --on-brand: #0d1f1b; --accent: #63cdb7; }
}
* { box-sizing: border-box; } html { -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; min-height: 100svh; display: grid; place-items: center; padding: 1rem; }
body { background: var(--page); color: var(--ink); font: 1.0625rem/1.55 system-ui, sans-serif; }
body { background: radial-gradient(44rem 14rem at top, color-mix(in srgb, var(--brand) 16%, var(--page)), var(--page)) var(--page); }
main { width: 100%; max-width: 30rem; padding: 2.5rem 2rem; background: var(--card); border-radius: 14px; }
main { border: 1px solid var(--line); text-align: center; }
.brand { margin-bottom: 1.75rem; color: var(--soft); font-size: .9375rem; font-weight: 600; }
.brand img { display: block; margin: 0 auto .5rem; max-width: min(12rem, 100%); max-height: 4rem; border-radius: 10px; }
.state { display: block; width: 3.25rem; height: 3.25rem; margin: 0 auto 1.25rem; color: var(--accent); }
.state.failed { color: var(--danger); } .state.closed { color: var(--soft); }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; font-weight: 650; line-height: 1.25; letter-spacing: -.01em; text-wrap: balance; }
.choice span, p { white-space: pre-line; } h1, p, li, legend, label, .brand { overflow-wrap: anywhere; }
main > p { margin: .5rem 0 0; text-wrap: balance; } .soft { color: var(--soft); font-size: .9375rem; }
main > ul { margin: 1.25rem 0 0; padding: 0; list-style: none; text-align: start; }
main > ul li { padding: .75rem 0; border-top: 1px solid var(--line); } li b { display: block; font-weight: 600; }
.back { margin-top: 1.5rem; } a { color: var(--accent); text-underline-offset: .2em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
pre { margin: 1rem 0 0; padding: .75rem 1rem; background: var(--wash); border-radius: 8px; text-align: start; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: .8125rem/1.6 ui-monospace, monospace; }
button { font: inherit; font-weight: 600; min-height: 3rem; padding: .5rem 1.5rem; border-radius: 8px; cursor: pointer; }
form > button { width: 100%; min-height: 3.25rem; border-radius: 10px; background: var(--brand); color: var(--on-brand); border: 1px solid var(--accent); margin-top: .5rem; }
@media (max-width: 30rem) {
body { padding: 0; place-items: stretch; } body:not(:has(> .brand)) { background: var(--card); }
main { border: 0; border-radius: 0; padding: 2rem 1.25rem; align-self: center; }
}
`;

/** The style of the hosted form, in addition to that of all pages. */
export const FORM_STYLE = `
body { font-size: 1rem; line-height: 1.5; display: flex; flex-direction: column; align-items: center; justify-content: center; }
main { text-align: start; max-width: 38rem; padding: 2rem 2.5rem; }
main { border: 0; border-radius: 20px; box-shadow: 0 8px 28px rgb(28 36 48 / 8%); }
.brand { display: flex; gap: .75rem; align-items: center; width: 100%; max-width: 38rem; margin: .75rem 0 1rem; }
.brand { color: inherit; font-size: 1rem; } .brand img { margin: 0; max-height: 2.75rem; }
main > h1 { margin: 0 0 .5rem; font-size: 2rem; line-height: 1.1875; letter-spacing: -.018em; }
.intro { text-wrap: pretty; color: var(--soft); font-size: 1.0625rem; line-height: 1.6; } main > :is(form, .notice) { margin-top: 1.5rem; }
.until { display: inline-block; margin: 1rem 0 0; padding: .375rem .875rem; border-radius: 99px; font-size: .875rem; }
.until { background: color-mix(in srgb, var(--accent) 10%, var(--card)); color: var(--accent); }
form { display: grid; grid-template-columns: 1fr 1fr; column-gap: 1rem; } form > * { grid-column: 1 / -1; min-width: 0; }
h2 { margin: .75rem 0 1rem; font-size: 1.125rem; line-height: 1.5rem; overflow-wrap: anywhere; }
.field { margin: 0 0 1.25rem; padding: 0; border: 0; }
.field > label, legend { display: block; margin-bottom: .375rem; padding: 0; font-size: .9375rem; font-weight: 600; }
.field > label small, legend small { color: var(--soft); font-weight: 400; margin-inline-start: .25rem; }
.help { margin: -.25rem 0 .375rem; color: var(--soft); font-size: .875rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.field > .choice + .help { margin: 0; padding-inline-start: 1.75rem; }
input, select, textarea { font: inherit; color: inherit; accent-color: var(--accent); }
.field > input, select, textarea { display: block; width: 100%; min-height: 2.875rem; padding: .5rem .875rem; }
.field > input, select, textarea { background: var(--card); border: 1px solid var(--edge); border-radius: 8px; }
.select { position: relative; } select { appearance: none; padding-inline-end: 2.25rem; text-overflow: ellipsis; }
.select::after { content: ""; position: absolute; inset-block-start: calc(50% - .1875rem); inset-inline-end: .875rem; width: .75rem; height: .4375rem; pointer-events: none; background: var(--soft); clip-path: polygon(0 14%, 11% 0, 50% 70%, 89% 0, 100% 14%, 50% 100%); }
textarea { resize: vertical; } .field > input[type=file] { border-style: dashed; }
.choice { display: flex; gap: .625rem; align-items: flex-start; font-weight: 400; }
.field > label.choice { display: flex; margin: 0; padding: .375rem 0; font-weight: 400; }
.choice input { appearance: none; flex: none; display: grid; place-items: center; width: 1.125rem; height: 1.125rem; }
.choice input { margin: calc((1lh - 1.125rem) / 2) 0 0; border: 1px solid var(--edge); border-radius: 4px; }
.choice input[type=radio] { border-radius: 50%; } .choice input:checked { border: 5px solid var(--accent); }
.choice input[type=checkbox]:checked { border: 0; background: var(--accent); }
.choice input[type=checkbox]::before { content: ""; width: .625rem; height: .625rem; background: var(--card); }
.choice input::before { clip-path: polygon(14% 46%, 2% 60%, 40% 94%, 98% 22%, 84% 8%, 38% 68%); }
@media (forced-colors: active) { .choice input { appearance: auto; } .scale label:has(:checked) { outline: 3px solid Highlight; } }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr)); gap: .5rem 1rem; }
.cards.short { display: flex; flex-wrap: wrap; gap: .5rem; } .short .choice { flex: 1 1 0; min-width: max-content; }
.cards .choice { padding: .75rem .875rem; border: 1px solid var(--edge); border-radius: 8px; cursor: pointer; }
.cards .choice:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.cards .choice:has(:checked) { background: color-mix(in srgb, var(--accent) 10%, var(--card)); }
.scale { display: flex; margin-inline-start: -.25rem; } .scale label { position: relative; flex: 0 1 3rem; min-width: 0; }
.scale label { text-align: center; color: var(--soft); font-size: .8125rem; line-height: 1.5; border-radius: 8px; }
.scale label::before, .scale label::after { content: ""; display: block; width: 2.25rem; max-width: 100%; aspect-ratio: 1; margin: 0 auto; }
.scale label::before, .scale label::after { clip-path: polygon(50% 3%, 64% 35%, 98% 38%, 72% 61%, 80% 95%, 50% 77%, 20% 95%, 28% 61%, 2% 38%, 36% 35%); }
.scale label::before { background: var(--edge); } .scale label::after { position: absolute; inset: 0 0 auto; scale: .8; background: var(--card); }
.scale input { position: absolute; inset: 0; opacity: 0; width: 100%; height: 100%; margin: 0; cursor: pointer; z-index: 1; }
.scale label:is(:hover, :has(:checked), :has(~ label:hover, ~ label :checked))::before { background: var(--accent); }
.scale label:is(:has(:checked), :has(~ label :checked))::after { background: var(--accent); }
.scale label:has(:checked) { color: var(--ink); font-weight: 600; }
.scale label:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
.error { margin: .375rem 0 0; color: var(--danger); font-size: .9375rem; }
[aria-invalid=true] { border-color: var(--danger); box-shadow: 0 0 0 1px var(--danger); }
main > .notice { margin: 1.5rem 0 0; padding: .75rem 1rem; border-inline-start: 4px solid var(--danger); }
.notice { background: var(--wash); border-radius: 8px; } altcha-widget { display: block; margin-bottom: 1.25rem; }
@media (min-width: 36rem) { form > .narrow { grid-column: auto; } }
@media (max-width: 30rem) {
body { justify-content: start; } .brand { padding: 0 1.25rem; }
main { flex: 1; padding: 1.5rem 1.25rem; border-radius: 0; box-shadow: none; } .brand + main { border-radius: 20px 20px 0 0; }
main > h1 { font-size: 1.625rem; line-height: 1.25; }
}
`;

/** Returns the style for an accent color; null for anything but `#rrggbb`. */
export function accentStyle(color: string | null): string | null {
  if (color === null || !/^#[0-9a-f]{6}$/i.test(color)) return null;
  const root = (colors: string) => `:root { ${colors} }`;
  const light = `--brand: ${color}; --on-brand: ${textOn(color)}; --accent: ${readableOn(color, LIGHT_CARD)};`;
  // A dark color would be the dullest part of a dark page.
  const tone = readableOn(color, DARK_CARD);
  const dark = `--brand: ${tone}; --on-brand: ${textOn(tone)}; --accent: ${tone};`;
  return `${root(light)} @media (prefers-color-scheme: dark) { ${root(dark)} }`;
}
