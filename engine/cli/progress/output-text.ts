/**
 * Formats a run's output for people.
 */
import { isJsonMap, isValueHandle, type JsonValue, type ValueHandle } from '../../isomorphic.ts';
import { printable } from '../terminal.ts';
import { oneLine } from './phrases.ts';

/**
 * Formats the output: each name as a heading with its value below it. Text is unchanged; all other values are shown as
 * JSON.
 */
export function outputText(output: JsonValue | undefined): string {
  if (output === undefined) return '';
  if (!isJsonMap(output) || isValueHandle(output)) return `\n${valueText(output)}\n`;
  return Object.entries(output)
    .map(([name, value]) => `\n${oneLine(name)}:\n${indented(valueText(value))}\n`)
    .join('');
}

function valueText(value: JsonValue): string {
  if (typeof value === 'string') return printable(value);
  if (isValueHandle(value)) return handleText(value);
  if (isJsonMap(value)) {
    const [only, ...others] = Object.entries(value);
    if (only?.[0] === 'text' && others.length === 0) return valueText(only[1]);
  }
  return printable(JSON.stringify(value, undefined, 2));
}

function handleText({ $value, bytes, preview }: ValueHandle): string {
  return `${printable(preview)}…\n(${bytes} bytes; all of it: millrace runs value ${$value})`;
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}
