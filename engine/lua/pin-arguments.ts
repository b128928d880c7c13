/**
 * The arguments of `aip.run.pin` and `aip.task.pin`: `(iden, content)` or `(iden, priority, content)`.
 */
import { asMap, isNil } from './api-arguments.ts';
import type { LuaValue } from './api-module.ts';
import { scriptError } from './script-error.ts';

export interface PinArguments {
  readonly iden: string;
  readonly priority?: number;
  readonly label: string;
  readonly content: string;
}

const defaultLabel = 'Pin:';
const defaultContent = 'No Content';

function textOr(value: LuaValue, fallback: string): string {
  if (isNil(value)) return fallback;
  if (typeof value !== 'object') return String(value);
  throw scriptError('aip...pin(...) – expected <string> or { label, content } for parameter `content`.');
}

function readContent(value: LuaValue): Pick<PinArguments, 'label' | 'content'> {
  const map = asMap(value);
  if (map === undefined) return { label: defaultLabel, content: textOr(value, defaultContent) };
  return { label: textOr(map['label'], defaultLabel), content: textOr(map['content'], defaultContent) };
}

/** @throws EngineError `lua.refused-argument` */
export function readPinArguments(args: readonly LuaValue[]): PinArguments {
  if (args.length !== 2 && args.length !== 3) {
    throw scriptError('aip...pin(...) – expected 2 or 3 parameters: (iden, content) or (iden, priority, content).');
  }
  const [iden] = args;
  if (typeof iden !== 'string') {
    throw scriptError('aip...pin(iden, content) – expected <string> for parameter `iden`.');
  }
  if (args.length === 2) return { iden, ...readContent(args[1]) };
  const priority = args[1];
  if (typeof priority !== 'number') {
    throw scriptError('aip...pin(iden, priority, content) – expected <number> for parameter `priority`.');
  }
  return { iden, priority, ...readContent(args[2]) };
}
