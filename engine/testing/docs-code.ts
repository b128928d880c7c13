/**
 * Checks the syntax of code blocks in documentation, by language.
 */
// The program of the Lua worker is bundled on first import.
import 'virtual:lua-worker';
import { parse as parseToml } from 'smol-toml';
import { parseSync } from 'vite';
import { parseAllDocuments } from 'yaml';
import { createLuaRuntime, type LuaRuntime } from '../world/lua/lua-runtime.ts';
import { probeScripts } from '../world/lua/probe-scripts.ts';

/** Shared by all blocks; its workers end with the process. */
let lua: LuaRuntime | undefined;

type Check = (code: string) => string | undefined | Promise<string | undefined>;

const checks: Readonly<Record<string, Check>> = {
  yaml: (code) => parseAllDocuments(code).flatMap(({ errors }) => errors)[0]?.message,
  json: (code) => failureOf(() => parseJson(code)),
  jsonl: (code) => failureOf(() => parseJsonLines(code)),
  toml: (code) => failureOf(() => parseToml(code)),
  lua: (code) => luaProblem(code),
  js: (code) => scriptProblem(code, 'js'),
  ts: (code) => scriptProblem(code, 'ts'),
  // Any text is valid.
  text: () => undefined,
  md: () => undefined,
  html: () => undefined,
  diff: () => undefined,
};

/** Returns the first syntax error in the code; undefined if there is none. The error says if the language is unknown. */
export async function findSyntaxError(language: string, code: string): Promise<string | undefined> {
  const check = checks[language];
  if (check !== undefined) return await check(code);
  return `Blocks in "${language}" can't be checked. Use ${Object.keys(checks).join(', ')} or sh, or add skip="why".`;
}

/** Whether `findSyntaxError` knows the language. */
export function isCheckedLanguage(language: string): boolean {
  return language in checks;
}

function failureOf(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Accepts one value, and one value on each line. */
function parseJson(code: string): void {
  try {
    JSON.parse(code);
  } catch (error) {
    if (failureOf(() => parseJsonLines(code)) !== undefined) throw error;
  }
}

function parseJsonLines(code: string): void {
  for (const line of code.split('\n')) if (line.trim() !== '') JSON.parse(line);
}

/** Accepts modules, and scripts of nodes, which can return a value. */
function scriptProblem(code: string, lang: 'js' | 'ts'): string | undefined {
  const asModule = parseSync(`block.${lang}`, code, { lang, sourceType: 'module' }).errors[0]?.message;
  if (asModule === undefined) return undefined;
  const asBody = parseSync(`block.${lang}`, `async function script() {${code}\n}`, { lang }).errors;
  return asBody.length === 0 ? undefined : asModule;
}

async function luaProblem(code: string): Promise<string | undefined> {
  lua ??= createLuaRuntime();
  return (await probeScripts(lua, [code], [])).syntax[0]?.message;
}
