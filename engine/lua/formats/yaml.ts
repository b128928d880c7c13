/**
 * YAML 1.2 as scripts have it: a text is a list of documents.
 */
import { parseAllDocuments, stringify } from 'yaml';
import type { JsonValue } from '../../flowspec/json-value.ts';
import { scriptError } from '../script-error.ts';
import { causeText, plainValue } from './plain-value.ts';

/** One alias may stand for so many values in all; more is meant to fill the memory. */
const aliasLimit = 100;

/**
 * The documents of a text; an empty text has none, an empty document is null. Keys become text.
 * @throws EngineError `lua.refused-argument` with the place of what is no YAML; also for aliases of aliases without end
 */
export function parseYaml(text: string): JsonValue[] {
  try {
    return [...parseAllDocuments(text, { logLevel: 'error' })].map((document) => {
      const [error] = document.errors;
      if (error !== undefined) throw error;
      return plainValue(document.toJS({ maxAliasCount: aliasLimit }));
    });
  } catch (error) {
    throw scriptError(`Fail to parse yaml.\nCause: ${causeText(error)}`);
  }
}

/** A value as one document, ended by a newline. */
export function yamlText(value: JsonValue): string {
  return stringify(value, { lineWidth: 0, indentSeq: false, aliasDuplicateObjects: false });
}
