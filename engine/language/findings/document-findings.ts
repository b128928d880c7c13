/** Finds problems in a flow document's structure, based on the file's schema and on the rules between its parts. */
import { strangeSignHint } from '../../base/strange-signs.ts';
import { FLOW_VERSION, flowDocSchema, reservedNodeIds } from '../flow/flow-doc.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import { type SchemaMismatch, type ValuePath, valueAt } from '../schema/schema-problems.ts';
import { knownKeysAt } from '../schema/schema-shape.ts';
import type { DiagnosticCode } from './diagnostic.ts';
import type { Finding } from './finding.ts';
import { didYouMean } from './nearest.ts';

/** Converts a schema error into a finding with its code and a suggested fix. */
export function findingOf(problem: SchemaMismatch, root: JsonMap): Finding {
  const { path } = problem;
  const severity = path[0] === 'layout' ? 'warning' : 'error';
  if (problem.kind === 'unknown-key') return { ...unknownKey(path, root), severity, path, focus: 'key' };
  const value = valueAt(root, path);
  if (path.join('.') === 'flow.version' && typeof value === 'number' && value > FLOW_VERSION) {
    const message = `The file uses version ${value} of the format, but this program supports only version ${FLOW_VERSION}. Update Millrace.`;
    return { code: 'flow.newer-version', severity, message, path };
  }
  const name = nameOf(path);
  const hint = value === undefined || value === null ? (emptyHints[String(path.at(-1))] ?? '') : '';
  const message = problem.kind === 'missing' ? `The key ${name} is missing.` : `${name} ${problem.message}.`;
  return { code: codeOf(problem), severity, message: message + hint, path };
}

/** Returns problems between a document's parts: IDs and edge ends. */
export function structureFindings(root: JsonMap): readonly Finding[] {
  const nodes = isJsonList(root['nodes']) ? root['nodes'] : [];
  const edges = isJsonList(root['edges']) ? root['edges'] : [];
  const ids = nodes.map((node) => textAt(node, 'id'));
  return [...nodeIdFindings(ids), ...edgeEndFindings(edges, ids), ...edgeIdFindings(edges)];
}

const emptyHints: Readonly<Record<string, string>> = {
  edges: ' Write edges: [] if there are none.',
  nodes: ' Write nodes: [] if there are none.',
  input: ' Write input: {} if there is none.',
};

const kindCodes = {
  missing: 'flow.missing-key',
  'wrong-type': 'flow.wrong-type',
  'bad-value': 'flow.bad-value',
  'unknown-key': 'flow.unknown-key',
} as const;

function codeOf({ path, kind }: SchemaMismatch): DiagnosticCode {
  const [list, , key] = path;
  if (key === 'when' && (list === 'nodes' || list === 'edges')) return 'when.bad-shape';
  return list === 'nodes' && key === 'id' && path.length === 3 && kind === 'bad-value'
    ? 'node.bad-id'
    : kindCodes[kind];
}

function unknownKey(path: ValuePath, root: JsonMap): Pick<Finding, 'code' | 'message'> {
  const key = String(path.at(-1));
  const owner = path.slice(0, -1);
  const known = knownKeysAt(flowDocSchema, owner);
  return {
    code: codeOf({ path, kind: 'unknown-key', message: '' }),
    message: known.includes(key)
      ? besideAnother(key, valueAt(root, owner))
      : `Unknown key "${key}".${placeOf(key, owner) || didYouMean(key, known) || ` Known keys: ${known.join(', ')}.`}${strangeSignHint(key)}`,
  };
}

/** Returns the sentence about a key that excludes another one. Only conditions have such forms. */
function besideAnother(key: string, owner: JsonValue | undefined): string {
  const other = Object.keys(isJsonMap(owner) ? owner : {}).find((name) => name !== key) ?? '';
  return `A condition has one key, so "${key}" and "${other}" cannot be combined. Join conditions with { and: [...] }.`;
}

/** Returns where a key belongs that other programs write at the top of a file. */
function placeOf(key: string, owner: ValuePath): string {
  return owner.length === 0 && knownKeysAt(flowDocSchema, ['flow']).includes(key) ? ' Move it under "flow".' : '';
}

/** Returns a path's name in a sentence: its key, or its index in a named list. */
export function nameOf(path: ValuePath): string {
  const last = path.at(-1);
  return typeof last === 'number' ? `Entry ${last + 1} of ${nameOf(path.slice(0, -1))}` : `"${last ?? 'flow'}"`;
}

function nodeIdFindings(ids: readonly (string | undefined)[]): readonly Finding[] {
  const seen = new Set<string>();
  return ids.flatMap((id, index): Finding[] => {
    if (id === undefined) return [];
    const place = { severity: 'error', path: ['nodes', index, 'id'] } as const;
    if (reservedNodeIds.has(id)) {
      const message = `The id "${id}" is reserved because it has a special meaning in bindings. Choose another id.`;
      return [{ ...place, code: 'node.reserved-id', message }];
    }
    if (seen.has(id)) {
      return [{ ...place, code: 'node.duplicate-id', message: `Another node already has the id "${id}". Rename one.` }];
    }
    seen.add(id);
    return [];
  });
}

function edgeEndFindings(edges: readonly JsonValue[], ids: readonly (string | undefined)[]): readonly Finding[] {
  const known = [...new Set(ids.filter((id) => id !== undefined))];
  const isKnown = new Set(known);
  return edges.flatMap((edge, index) =>
    ['from', 'to'].flatMap((end): Finding[] => {
      const id = textAt(edge, end);
      if (id === undefined || isKnown.has(id)) return [];
      const message = `No node has the id "${id}".`;
      const mistyped = { word: id, known };
      return [{ code: 'edge.unknown-node', severity: 'error', message, path: ['edges', index, end], mistyped }];
    }),
  );
}

function edgeIdFindings(edges: readonly JsonValue[]): readonly Finding[] {
  const seen = new Set<string>();
  return edges.flatMap((edge, index): Finding[] => {
    const id = textAt(edge, 'id');
    if (id === undefined || !seen.has(id)) {
      if (id !== undefined) seen.add(id);
      return [];
    }
    const message = `Another edge already has the id "${id}". Rename one.`;
    return [{ code: 'edge.duplicate-id', severity: 'error', message, path: ['edges', index, 'id'] }];
  });
}

function textAt(value: JsonValue, key: string): string | undefined {
  const text = isJsonMap(value) ? valueAt(value, [key]) : undefined;
  return typeof text === 'string' ? text : undefined;
}
