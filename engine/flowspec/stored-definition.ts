/**
 * What a run executes as the history keeps it: the text of a definition, and with it what the files held that it names. So
 * a run goes on with what it began with, whatever has become of them.
 */
import type { JsonMap } from './json-value.ts';
import type { NodeTypeData } from './node-type-spec.ts';
import type { CalledFlow, SchemaFile, SchemaFiles } from './schema-files.ts';

/** The text of a flow or an agent, with what the files hold that it names: schemas, node types, and flows that it calls. */
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

/** What `packDefinition` made one text of. */
export function unpackDefinition(stored: string): Definition {
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

/** A flow that is called as the history keeps it. */
export function calledDefinition({ text, files }: CalledFlow): string {
  return packDefinition({ text, schemas: new Map(files) });
}

/** The files that a definition of the history names. */
export function filesOf(stored: string): SchemaFiles {
  return unpackDefinition(stored).schemas;
}
