/**
 * Parses a JSON Schema file's text.
 */
import type { SchemaFile } from '../flow/schema-files.ts';
import { findJson } from './find-json.ts';
import { type JsonSchema, schemaProblems } from './json-schema.ts';

/** Parses a schema. @param name file name, for messages */
export function readSchemaText(text: string, name: string): SchemaFile {
  const found = findJson(text, 'whole');
  if ('unreadable' in found) {
    const { line, column, problem } = found.unreadable;
    return { problem: `${name} is not a JSON Schema: line ${line}, column ${column}. ${problem}` };
  }
  const [first, ...others] = schemaProblems(found.value);
  // A value without problems is a schema.
  if (first === undefined) return { schema: found.value as JsonSchema };
  const where = first.path.length === 0 ? '' : ` at ${first.path.join('.')}`;
  const more = others.length === 0 ? '' : ` And ${others.length} more ${others.length === 1 ? 'problem' : 'problems'}.`;
  return { problem: `${name} is not a valid JSON Schema${where}: ${first.message}${more}` };
}
