/**
 * What a run gave, for people.
 */
import { isJsonMap, type JsonValue } from '../../isomorphic.ts';
import { printable } from '../terminal.ts';

/** A heading for each name of the output, with its value below: text as it is, all else as JSON. */
export function outputText(output: JsonValue | undefined): string {
  if (output === undefined) return '';
  if (!isJsonMap(output) || isHandle(output)) return `\n${valueText(output)}\n`;
  return Object.entries(output)
    .map(([name, value]) => `\n${name}:\n${indented(valueText(value))}\n`)
    .join('');
}

function valueText(value: JsonValue): string {
  if (typeof value === 'string') return printable(value);
  if (isJsonMap(value)) {
    if (isHandle(value)) return handleText(value);
    const [only, ...others] = Object.entries(value);
    if (only?.[0] === 'text' && others.length === 0) return valueText(only[1]);
  }
  return printable(JSON.stringify(value, undefined, 2));
}

interface Handle {
  readonly $value: string;
  readonly bytes: JsonValue;
  readonly preview: JsonValue;
}

/** Stands for a value that was too large for an event. */
function isHandle(value: {
  readonly [key: string]: JsonValue;
}): value is { readonly [key: string]: JsonValue } & Handle {
  return typeof value['$value'] === 'string' && 'bytes' in value && 'preview' in value;
}

function handleText({ $value, bytes, preview }: Handle): string {
  return `${printable(String(preview))}…\n(${String(bytes)} bytes; all of it: millrace runs value ${$value})`;
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}
