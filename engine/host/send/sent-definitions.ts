/**
 * Reads the definitions in the file of a run that someone sent: that of the run, and those of the flows and agents that
 * it called. They are shown under plain relative paths, whatever paths the file names.
 */
import { z } from 'zod';
import { contentHash } from '../../history/store/large-value.ts';
import { MAX_FLOW_TEXT_LENGTH } from '../../language/flow/flow-limits.ts';
import type { SchemaFile } from '../../language/flow/schema-files.ts';
import { packDefinition, type StoredDefinition, unpackDefinition } from '../../language/flow/stored-definition.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';

/** The definitions of a run. */
export interface SentDefinitions {
  /** Path of the run's own definition. */
  readonly sourcePath: string;
  /** Definitions by path; the first one is that of the run. */
  readonly definitions: ReadonlyMap<string, StoredDefinition>;
  /** Returns an event with the path under which its definition is shown. */
  placed(event: EventEnvelope['event']): EventEnvelope['event'];
}

interface DefinedRun {
  readonly name: string;
  readonly sourcePath: string | undefined;
  readonly events: readonly EventEnvelope[];
}

const anyMap = z.custom<JsonMap>((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
const schema = z.union([anyMap, z.boolean()]);
const text = z.string().max(MAX_FLOW_TEXT_LENGTH);
const nodeType = z.looseObject({ type: z.string(), title: z.string(), description: z.string(), input: anyMap });
const schemaFile = z.union([
  z.strictObject({ schema }),
  z.strictObject({ nodeType }),
  z.strictObject({
    flow: z.strictObject({
      path: z.string(),
      text,
      get files() {
        return z.array(z.tuple([z.string(), schemaFile]));
      },
    }),
  }),
]) as z.ZodType<SchemaFile>;
const schemaFiles = z.array(z.tuple([z.string(), schemaFile]));
const schemaMap = z.record(z.string(), schema);

/** @param problems receives a sentence for each definition that cannot be used */
export function readSentDefinitions(
  fields: Readonly<Record<string, unknown>>,
  { name, sourcePath, events }: DefinedRun,
  problems: string[],
): SentDefinitions {
  const own = ownDefinition(fields, name, problems);
  const called = calledDefinitions(fields['called'], problems);
  const paths = new Map<string, string>();
  const definitions = new Map<string, StoredDefinition>();
  const place = (shown: string, definition: StoredDefinition): string => {
    const path = unusedPath(plainPath(shown), definitions, definition);
    definitions.set(path, definition);
    return path;
  };
  const ownPath = place(sourcePath ?? 'run.flow.yaml', own);
  let isOther = false;
  for (const { event, rootRunId } of events) {
    if (event.type !== 'run:start') continue;
    const { definitionHash: hash, sourcePath: shown } = event;
    if (rootRunId === undefined) isOther ||= hash !== contentHash(packDefinition(own));
    else if (!paths.has(hash)) paths.set(hash, place(shown, called.get(hash) ?? missing(event.name)));
  }
  if (isOther) problems.push('The text of the flow was changed after the run.');
  const lost = [...paths.keys()].filter((hash) => !called.has(hash)).length;
  if (lost > 0) problems.push(`Flows and agents that the run called, without their definitions: ${lost}.`);
  return {
    ...{ sourcePath: ownPath, definitions },
    placed(event) {
      if (event.type !== 'run:start') return event;
      const path = paths.get(event.definitionHash) ?? ownPath;
      const stored = definitions.get(path) ?? own;
      return { ...event, sourcePath: path, definitionHash: contentHash(packDefinition(stored)) };
    },
  };
}

function ownDefinition(fields: Readonly<Record<string, unknown>>, name: string, problems: string[]): StoredDefinition {
  const found = text.safeParse(fields['definition']);
  if (!found.success) {
    problems.push('The text of the flow is missing or damaged, so its canvas is empty.');
    return missing(name);
  }
  const files = schemaFiles.optional().safeParse(fields['files']);
  // An export has only the schemas.
  const schemas = schemaMap.optional().safeParse(fields['schemas']);
  if (!files.success || !schemas.success) problems.push('Files to which the flow refers are damaged and left out.');
  const own = Object.entries(schemas.data ?? {}).map(([key, one]): [string, SchemaFile] => [key, { schema: one }]);
  return { text: found.data, schemas: new Map([...(files.data ?? []), ...own]) };
}

/** Returns the definitions by their hash. */
function calledDefinitions(list: unknown, problems: string[]): ReadonlyMap<string, StoredDefinition> {
  const found = new Map<string, StoredDefinition>();
  let bad = 0;
  for (const packed of Array.isArray(list) ? list : []) {
    const definition = typeof packed === 'string' ? unpacked(packed) : undefined;
    if (definition === undefined) bad += 1;
    else found.set(contentHash(packed), definition);
  }
  if (bad > 0) problems.push(`Flows and agents that the run called, with damaged definitions: ${bad}.`);
  return found;
}

function unpacked(packed: string): StoredDefinition | undefined {
  try {
    const definition = unpackDefinition(packed);
    const files = schemaFiles.safeParse([...definition.schemas]);
    return text.safeParse(definition.text).success && files.success ? definition : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a flow without nodes in place of a definition that is missing. */
function missing(name: string): StoredDefinition {
  return { text: `flow: { name: ${JSON.stringify(name)} }\nnodes: []\nedges: []\n`, schemas: new Map() };
}

/** Returns a relative path without parent folders, drives and invisible characters. */
function plainPath(shown: string): string {
  const names = shown
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .split(/[\\/]/)
    .map((name) => name.replace(/:/g, ''))
    .filter((name) => name !== '' && name !== '.' && name !== '..');
  return names.length === 0 ? 'run.flow.yaml' : names.join('/').slice(-300);
}

function unusedPath(path: string, taken: ReadonlyMap<string, StoredDefinition>, definition: StoredDefinition): string {
  const isFree = (one: string): boolean => {
    const other = taken.get(one);
    return other === undefined || packDefinition(other) === packDefinition(definition);
  };
  if (isFree(path)) return path;
  for (let count = 2; ; count++) {
    const other = path.replace(/(?=\.[^/]*$)|$/, ` (${count})`);
    if (isFree(other)) return other;
  }
}
