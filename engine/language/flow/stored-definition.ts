/**
 * A definition as stored in the history: its text, and the content of the files that it references. A run therefore
 * continues with the content it started with, even if the files change.
 */
import type { JsonMap } from '../json/json-value.ts';
import type { NodeTypeData } from '../types/node-type-spec.ts';
import type { CalledFlow, SchemaFile, SchemaFiles } from './schema-files.ts';

/**
 * The text of a flow or agent, with the content of the files that it references: schemas, node types and called flows.
 */
export interface StoredDefinition {
  readonly text: string;
  readonly schemas: SchemaFiles;
}

/**
 * Starts a packed definition. Neither a flow nor an agent can start like this: `@` starts no value in YAML
 * (https://yaml.org/spec/1.2.2/#rule-c-reserved), and text before the first heading is not part of an agent.
 */
const mark = '@millrace-definition ';

/**
 * Packs a definition into one text, so that a single hash identifies all of it. Without files, it is the definition's
 * own text; otherwise, a line with the schemas as JSON precedes it.
 */
export function packDefinition({ text, schemas }: StoredDefinition): string {
  const isBare = ![...schemas.values()].some((file) => !('problem' in file));
  if (isBare && !text.startsWith(mark)) return text;
  const found = [...schemas].flatMap(([name, file]) => ('schema' in file ? [[name, file.schema]] : []));
  const types = [...schemas].flatMap(([, file]) => ('nodeType' in file ? [file.nodeType] : []));
  const flows = [...schemas].flatMap(([key, file]) => ('flow' in file ? [[key, file.flow]] : []));
  const held = {
    schemas: found,
    ...(types.length === 0 ? {} : { types }),
    ...(flows.length === 0 ? {} : { flows }),
  };
  return `${mark}${JSON.stringify(held)}\n${text}`;
}

interface HeldFiles {
  readonly schemas: readonly (readonly [string, JsonMap | boolean])[];
  readonly types?: readonly NodeTypeData[];
  readonly flows?: readonly (readonly [string, CalledFlow])[];
}

/** Unpacks the result of `packDefinition`. */
export function unpackDefinition(stored: string): StoredDefinition {
  if (!stored.startsWith(mark)) return { text: stored, schemas: new Map() };
  const end = stored.indexOf('\n');
  const { schemas, types = [], flows = [] } = JSON.parse(stored.slice(mark.length, end)) as HeldFiles;
  const files: [string, SchemaFile][] = [
    ...schemas.map(([name, schema]): [string, SchemaFile] => [name, { schema }]),
    ...types.map((nodeType): [string, SchemaFile] => [nodeType.type, { nodeType }]),
    ...flows.map(([key, flow]): [string, SchemaFile] => [key, { flow }]),
  ];
  return { text: stored.slice(end + 1), schemas: new Map(files) };
}

/** Returns a called flow in the form stored in the history. */
export function calledDefinition({ text, files }: CalledFlow): string {
  return packDefinition({ text, schemas: new Map(files) });
}

/** Returns the files that a stored definition references. */
export function filesOf(stored: string): SchemaFiles {
  return unpackDefinition(stored).schemas;
}
