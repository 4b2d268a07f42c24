/** A language of code blocks: markup with scripts in it, JavaScript with markup in it, or others. */
export type CodeLanguage = 'markup' | 'script' | 'other';

const SCRIPT = [
  String.raw`(?<comment>/\*[\s\S]*?\*/|(?<![:\w'"\`])//.*)`,
  String.raw`(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\`(?:\\.|[^\`\\])*\`)`,
  String.raw`(?<tag>\b(?:import|export|from|default|const|let|async|await|function|return|new|if|else|try|catch|throw|for|of|null|true|false)\b)`,
];
const MARKUP = [
  String.raw`(?<comment><!--[\s\S]*?-->|\{/\*.*?\*/\}|^---$)`,
  String.raw`(?<string>(?<==)(?:"[^"]*"|'[^']*'|\{[^{}\n]*\}))`,
  String.raw`(?<tag></?[A-Za-z][\w.-]*|(?<=["'}\w\s/]|<)/?>)`,
  String.raw`(?<attribute>(?<=<[A-Za-z][^<>]{0,500}\s)(?:[\w:@$.-]+|\{\.\.\.[^{}]*\})(?=[=\s/>]))`,
];
const OTHER = [
  String.raw`(?<comment>(?<=^|\s)(?:#|//).*)`,
  String.raw`(?<attribute>"[^"\n]*"(?=\s*:)|^[ \t-]*[\w.-]+(?=:(?:\s|$))|(?<=\s)--?[A-Za-z][\w-]*)`,
  String.raw`(?<string>"(?:\\.|[^"\\])*"|'[^']*')`,
  String.raw`(?<tag>\b(?:import|from|def|with|return|true|false|null|None|True|False)\b|^(?:\$ )?(?:curl|formstead|bun|bunx|npm|npx|docker|git|sudo|systemctl)\b)`,
];
/** Tags of JSX replace those of markup, whose names are the same. */
const JSX = [...SCRIPT, ...MARKUP.map((rule) => rule.replace(/^\(\?<(\w+)>/, '(?<$1_>'))];

const compile = (rules: readonly string[]) => new RegExp(rules.join('|'), 'gm');
const RULES: Readonly<Record<CodeLanguage, RegExp>> = {
  markup: compile(MARKUP),
  script: compile(JSX),
  other: compile(OTHER),
};

/** Longer code stays plain. */
const MAX_LENGTH = 50_000;

/** Returns code as HTML with spans of the classes `hl-tag`, `hl-attribute`, `hl-string` and `hl-comment`; none spans lines. */
export function highlight(code: string, language: CodeLanguage): string {
  if (code.length > MAX_LENGTH) return Bun.escapeHTML(code);
  if (language !== 'markup') return color(code, RULES[language]);
  // Scripts in markup, up to their end tag.
  return code
    .split(/(?<=<script\b[^>]*>)([\s\S]*?)(?=<\/script>)/)
    .map((part, index) => color(part, RULES[index % 2 === 0 ? 'markup' : 'script']))
    .join('');
}

function color(code: string, rules: RegExp): string {
  let html = '';
  let from = 0;
  for (const match of code.matchAll(rules)) {
    const [kind = ''] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    html += Bun.escapeHTML(code.slice(from, match.index)) + toSpans(match[0], kind.replace('_', ''));
    from = match.index + match[0].length;
  }
  return html + Bun.escapeHTML(code.slice(from));
}

function toSpans(text: string, kind: string): string {
  const lines = text.split('\n').map((line) => line && `<span class="hl-${kind}">${Bun.escapeHTML(line)}</span>`);
  return lines.join('\n');
}
