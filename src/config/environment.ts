import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SetupError } from '../domain/errors.ts';
import { parseUnit, UNIT_FILE } from '../domain/instance/service-unit.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables of the process, and below them those of a settings file. `sources` has the file of each one from a file. */
export type LoadedEnvironment = Readonly<{
  env: Environment;
  /** Path of the settings file that was read, null for none. */
  file: string | null;
  sources: Readonly<Record<string, string>>;
}>;

type Options = Readonly<{
  /** Path of a settings file. Without it, the file of the systemd service of `program` is read, if one is installed. */
  envFile?: string | null;
  /** Command line prefix that runs this program. */
  program: readonly string[];
  root?: string;
}>;

/** Assignments of a settings file. */
type Variables = Readonly<Record<string, string>>;

/**
 * Reads the settings file, if there is one, and merges its variables into those of the process, which win. Throws
 * `SetupError` if the file is unreadable or invalid.
 */
export function loadEnvironment(own: Environment, { envFile, program, root = '/' }: Options): LoadedEnvironment {
  if (envFile) return merge(own, [[envFile, readVariables(envFile)]], envFile);
  return serviceEnvironment(own, program.join(' '), root) ?? { env: own, file: null, sources: {} };
}

/**
 * Returns the settings of the systemd service. Null without a service, if it runs another program, if DATA_DIR selects
 * another instance, and in the service itself, whose user cannot read the file.
 */
function serviceEnvironment(own: Environment, program: string, root: string): LoadedEnvironment | null {
  const unitFile = join(root, UNIT_FILE);
  const unit = parseUnit(readText(unitFile) ?? '');
  if (!unit || unit.program !== program) return null;
  const file = join(root, unit.envFile);
  let variables: Variables;
  try {
    variables = readVariables(file, true);
  } catch (error) {
    if (own.DATA_DIR) return null;
    throw error;
  }
  const dataDir = variables.DATA_DIR || unit.dataDir;
  if (own.DATA_DIR && resolve(own.DATA_DIR) !== resolve(dataDir)) return null;
  const layers: Array<[string, Variables]> = [
    [file, variables],
    [unitFile, { DATA_DIR: unit.dataDir }],
  ];
  return merge(own, layers, file);
}

/** Merges layers of variables, the strongest first. */
function merge(own: Environment, layers: ReadonlyArray<readonly [string, Variables]>, file: string): LoadedEnvironment {
  const env: Record<string, string | undefined> = { ...own };
  const sources: Record<string, string> = {};
  for (const [path, variables] of layers) {
    for (const [name, value] of Object.entries(variables)) {
      if (env[name] !== undefined) continue;
      env[name] = value;
      sources[name] = path;
    }
  }
  return { env, file, sources };
}

function readVariables(path: string, isOptional = false): Variables {
  const text = readText(path);
  if (text === null && !isOptional) throw new SetupError(`There is no settings file ${path}. Check the path.`);
  return parseVariables(text ?? '', path);
}

/** Reads a text file; null if it does not exist. Throws `SetupError` if it is unreadable. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    if (code === 'ENOENT') return null;
    throw new SetupError(
      `Could not read the settings in ${path} (${code}). Run this command with sudo, or make the file readable for your user.`,
    );
  }
}

const BLANK = /[ \t]*(?:[#;].*)?(?:\n|$)/y;
const ASSIGNMENT =
  /[ \t]*([A-Za-z_]\w*)=((?:[ \t]*(?:"(?:\\[\s\S]|[^"\\])*"|'[^']*'))*)((?:[ \t]*(?!["'\s])(?:\\[\s\S]|[^\\\n])*)?)[ \t]*(?:\n|$)/y;

/** Parses `NAME=value` lines by the rules of systemd: quotes, backslashes, and comments on separate lines. */
export function parseVariables(content: string, path: string): Variables {
  const text = content.replace(/\r\n?/g, '\n');
  const variables: Record<string, string> = {};
  for (let index = 0; index < text.length; ) {
    const match = matchAt(BLANK, text, index) ?? matchAt(ASSIGNMENT, text, index);
    if (!match) {
      const line = text.slice(0, index).split('\n').length;
      throw new SetupError(`${path} line ${line} must be NAME=value. Correct the line, or put # before it.`);
    }
    const [whole, name, quoted = '', rest = ''] = match;
    if (name) variables[name] = unquote(quoted) + rest.trim().replace(/\\([\s\S])/g, unescapeOne);
    index += whole.length;
  }
  return variables;
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

/** Joins quoted parts. In double quotes, a backslash escapes only quotes, backslashes, backticks and dollar signs. */
function unquote(quoted: string): string {
  const parts = quoted.matchAll(/"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'/g);
  return Array.from(parts, ([, double, single]) => {
    return single ?? (double ?? '').replace(/\\(["\\`$\n])/g, unescapeOne);
  }).join('');
}

const unescapeOne = (_: string, character: string): string => (character === '\n' ? '' : character);
