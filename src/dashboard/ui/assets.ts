import { assetAddress, assetAnswer } from '../../http/asset.ts';
import base from '../../http/assets/base.css' with { type: 'text' };
import { HUES_STYLE } from './hues.ts';
import plain from './plain.css' with { type: 'text' };
import script from './script.js' with { type: 'text' };
import style from './style.css' with { type: 'text' };

type Asset = Readonly<{ address: string; answer: ReturnType<typeof assetAnswer> }>;

/** The addresses of a feature's style and script. */
export type FeatureAssets = Readonly<{ style: string; script: string | null }>;

const registered: Asset[] = [];

/** Drops indentation, and lines that are comments. */
const leanScript = (source: string): string => source.replace(/^\s*\/\/.*\n/gm, '').replace(/^\s+/gm, '');

/** Registers a style and a script. Each script has a scope of its own. */
export function featureAssets(name: string, style: string, script?: string): FeatureAssets {
  const add = (file: string, source: string, type: string) => {
    const address = assetAddress(file, source);
    registered.push({ address, answer: assetAnswer(source, type) });
    return address;
  };
  return {
    style: add(`${name}.css`, leanStyle(style), 'text/css'),
    script: script === undefined ? null : add(`${name}.js`, `{\n${leanScript(script)}}\n`, 'text/javascript'),
  };
}

/** The style and the script of every page. */
export const COMMON_ASSETS = featureAssets('dashboard', base + HUES_STYLE + style, script);

/** The style of pages without navigation. */
export const PLAIN_ASSETS = featureAssets('plain', plain);

/** Returns the styles and scripts of all features that were imported. */
export const listAssets = (): readonly Asset[] => registered;

/** Drops comments and needless white space. */
function leanStyle(source: string): string {
  return source
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};]) ?/g, '$1')
    .replace(/([:,]) /g, '$1')
    .replaceAll(';}', '}');
}
