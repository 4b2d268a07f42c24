/** Hues of avatars, forms and types of fields: ground and tone of light pages, then those of dark ones. */
export const HUES = {
  green: ['#d5ede4', '#0b5a4a', '#17423a', '#9fe0cf'],
  blue: ['#dbe8fb', '#1c4a8a', '#1e3655', '#a9cbfb'],
  violet: ['#e9e1fa', '#55348f', '#3a2c5c', '#cdb8fa'],
  pink: ['#fbe0ea', '#8c1f52', '#50233a', '#f9b3d0'],
  orange: ['#fde5d3', '#87400c', '#4f2f14', '#fbc093'],
  yellow: ['#f8ebc0', '#6a4d00', '#463a10', '#eed37a'],
  teal: ['#d3edf2', '#0d5566', '#143f49', '#93d9e8'],
  red: ['#f9dfdb', '#8f2c20', '#512a25', '#fbb3a8'],
} as const;

/** The classes of the hues, which set `--ground` and `--tone`. */
export const HUES_STYLE = Object.entries(HUES)
  .map(([name, [ground, tone, darkGround, darkTone]]) => {
    return `.hue-${name}{--ground:light-dark(${ground},${darkGround});--tone:light-dark(${tone},${darkTone})}`;
  })
  .join('');
