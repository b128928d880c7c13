/**
 * The texts of `.env` files: names and values as `node --env-file` reads them (https://nodejs.org/api/util.html#utilparseenvcontent).
 */
import { parseEnv } from 'node:util';
import { EngineError } from '../base/engine-error.ts';

/** The values of a text, by name. What is no assignment says nothing. */
export function readEnvText(text: string): ReadonlyMap<string, string> {
  const entries = Object.entries(parseEnv(text));
  return new Map(entries.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]])));
}

/**
 * The text with one value set, or taken out; all other lines stay as they are.
 * @param value undefined = it is taken out
 * @throws EngineError `secret.not-writable` for a value that no such file can hold
 */
export function setInEnvText(text: string, name: string, value: string | undefined): string {
  const kept = withoutName(text, name);
  if (value === undefined) return kept;
  const before = kept === '' || kept.endsWith('\n') ? kept : `${kept}\n`;
  for (const quote of quotesFor(value)) {
    const changed: string = `${before}${name}=${quote}${value}${quote}\n`;
    if (readEnvText(changed).get(name) === value && hasSameOthers(changed, kept, name)) return changed;
  }
  throw new EngineError({
    code: 'secret.not-writable',
    message: `The value of ${name} cannot be written to a .env file, because it has every kind of quotation mark in it. Set the environment variable MILLRACE_SECRET_${name} instead.`,
  });
}

function quotesFor(value: string): readonly string[] {
  return /^[\w./:@+=-]+$/.test(value) ? ['', "'", '`', '"'] : ["'", '`', '"'];
}

function hasSameOthers(changed: string, kept: string, name: string): boolean {
  const others = [...readEnvText(kept)].filter(([one]) => one !== name);
  const values = readEnvText(changed);
  return others.every(([one, value]) => values.get(one) === value);
}

/** A value in quotation marks may stand on several lines. */
function withoutName(text: string, name: string): string {
  const assignment = new RegExp(
    `^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=[ \\t]*(?:"[^"]*"|'[^']*'|\`[^\`]*\`|[^\\n]*)[^\\n]*(?:\\n|$)`,
    'gm',
  );
  return text.replace(assignment, '');
}
