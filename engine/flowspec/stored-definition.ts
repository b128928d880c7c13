/**
 * What a run executes as the history keeps it: the text of a definition, and with it what the files held that it names. So
 * a run goes on with what it began with, whatever has become of them.
 */
import type { JsonMap } from './json-value.ts';
import type { NodeTypeData } from './node-type-spec.ts';
import type { SchemaFile, SchemaFiles } from './schema-files.ts';

/** The text of a flow or an agent, with the schemas and the node types of the files that it names. */
export interface Definition {
  readonly text: string;
  readonly schemas: SchemaFiles;
}

/**
 * Begins what is more than a text. Neither a flow nor an agent can begin like this: `@` begins no value in YAML
 * (https://yaml.org/spec/1.2.2/#rule-c-reserved), and what stands before the first heading is no part of an agent.
 */
const mark = '@millrace-definition ';

/**
 * One text for a definition, whose hash stands for all of it. Without files it is the definition's own text; otherwise a
 * line with the schemas as JSON stands before that.
 */
export function packDefinition({ text, schemas }: Definition): string {
  if (schemas.size === 0 && !text.startsWith(mark)) return text;
  const found = [...schemas].flatMap(([name, file]) => ('schema' in file ? [[name, file.schema]] : []));
  const types = [...schemas].flatMap(([, file]) => ('nodeType' in file ? [file.nodeType] : []));
  const held = types.length === 0 ? { schemas: found } : { schemas: found, types };
  return `${mark}${JSON.stringify(held)}\n${text}`;
}

/** What `packDefinition` made one text of. */
export function unpackDefinition(stored: string): Definition {
  if (!stored.startsWith(mark)) return { text: stored, schemas: new Map() };
  const end = stored.indexOf('\n');
  const { schemas, types = [] } = JSON.parse(stored.slice(mark.length, end)) as {
    readonly schemas: readonly (readonly [string, JsonMap | boolean])[];
    readonly types?: readonly NodeTypeData[];
  };
  const files: [string, SchemaFile][] = [
    ...schemas.map(([name, schema]): [string, SchemaFile] => [name, { schema }]),
    ...types.map((nodeType): [string, SchemaFile] => [nodeType.type, { nodeType }]),
  ];
  return { text: stored.slice(end + 1), schemas: new Map(files) };
}
