/**
 * Completes paths in bindings, conditions and template tags, one segment at a time.
 */
import {
  type ConditionScope,
  conditionSightsOf,
  type FieldScope,
  formJsonSchema,
  isJsonMap,
  type JsonMap,
  type NodeTypeCatalog,
  pathText,
  readPath,
  type SchemaFiles,
} from '../../../engine/isomorphic.ts';
import {
  type BindingFlow,
  type BindingPathStep,
  type Candidate,
  type CandidateContext,
  firstSteps,
  nextPathSteps,
} from '../../stores/flow/binding-candidates.ts';
import { type BindingPlace, nodesBefore } from '../../stores/flow/binding-places.ts';
import { type FieldScopeRequest, seenAt, stepsSeen } from '../../stores/flow/field-sights.ts';
import { membersAt } from '../../stores/flow/schema-fields.ts';
import { type GivingStep, namesBefore } from '../../stores/flow/step-candidates.ts';
import { createValueSchemas } from '../../stores/flow/value-schemas.ts';
import { entryAt, entryPath, jsonAt, scalarAt, type YamlEntry } from './entry.ts';
import { edgeAt, type FlowIndex, isStepText, nodeAt } from './flow-index.ts';
import type { CompletionSuggestion } from './suggestion.ts';
import type { Cursor } from './yaml-cursor.ts';

/** Matches braces and the part of a path after them. The last segment may be an unfinished one in brackets. */
export const openBinding =
  /(?<!\\)\{\{\s*\??\s*((?:[^\s|{}[\]"']|\[(?:\d+|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\])*(?:\[(?:\d*|"[^"]*|'[^']*))?)$/;

interface PathCompletionRequest extends CandidateContext {
  readonly cursor: Cursor;
  readonly catalog: NodeTypeCatalog;
}

/** Returns the completions of a path, or undefined if the offset is not in a path. */
export function completePath(
  index: FlowIndex,
  offset: number,
  wish: PathCompletionRequest,
): readonly CompletionSuggestion[] | undefined {
  const { cursor } = wish;
  const sight = sightAt(index, offset, wish);
  if (sight?.sees === 'input') return tagSuggestions(index.text, offset, sight);
  const path = pathBefore(index, offset, cursor);
  if (path === undefined) return undefined;
  if (isStepText(index.root)) return templateSuggestions(index, offset, path);
  const steps = (begun: readonly string[]): readonly BindingPathStep[] =>
    sight === undefined ? stepsAfter(index, offset, begun, wish) : sight.steps(begun);
  return pathSuggestions(index.text, offset, { path, steps });
}

/** Returns the completions in a step template: whole paths, because keys in outputs of steps can contain dots. */
function templateSuggestions(index: FlowIndex, offset: number, begun: string): readonly CompletionSuggestion[] {
  const step = nodeAt(index, offset);
  const steps = index.nodes.map(
    ({ id, type, entry }): GivingStep => ({ id, type, input: mapAt(entry, 'params'), config: settingsAt(entry) }),
  );
  const place = step === undefined ? -1 : index.nodes.indexOf(step);
  const rest = /^[\w.-]*/.exec(index.text.slice(offset))?.[0] ?? '';
  return namesBefore(place === -1 ? steps : steps.slice(0, place), steps).map(({ path, detail, description }) => ({
    label: path,
    kind: 'field',
    detail,
    description,
    insert: path,
    start: offset - begun.length,
    end: offset + rest.length,
  }));
}

function settingsAt(entry: YamlEntry): JsonMap {
  const settings = ['tool', 'agent'].flatMap((key) => {
    const value = scalarAt(entry, key);
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(settings);
}

/** Returns the path being written in a binding or a condition, or undefined. */
function pathBefore(index: FlowIndex, offset: number, { entry, role, word }: Cursor): string | undefined {
  const { text } = index;
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const binding = openBinding.exec(text.slice(lineStart, offset));
  if (binding !== null) return binding[1] ?? '';
  const isCondition = role === 'value' && (entry.key?.text === 'var' || entry.key?.text === 'exists');
  const way = entryPath(entry);
  if (!isCondition || !(way.includes('when') || inputConditionAt(index, offset, way) !== undefined)) return undefined;
  return text.slice(word.start, offset).replace(/^["']/, '');
}

/**
 * Returns the scope of a condition in a node's input, if the condition can use the flow and the path leads into it.
 */
function inputConditionAt(
  index: FlowIndex,
  offset: number,
  [list, , section, key]: readonly (string | number)[],
): ConditionScope | undefined {
  if (list !== 'nodes' || section !== 'input') return undefined;
  const sights = conditionSightsOf(nodeAt(index, offset)?.type ?? '');
  return Object.hasOwn(sights, String(key)) ? sights[String(key)] : undefined;
}

interface PathWish {
  readonly path: string;
  /** Returns the segments that can follow the segments before the one being written. */
  readonly steps: (path: readonly string[]) => readonly BindingPathStep[];
}

function pathSuggestions(
  text: string,
  offset: number,
  { path, steps: stepsBehind }: PathWish,
): readonly CompletionSuggestion[] {
  const { steps, begun, isBracketed } = begunPath(path);
  const before = text.slice(0, offset);
  const rest = (isBracketed ? /^[^\n\]}]*\]?/ : /^[\w$@-]*/).exec(text.slice(offset))?.[0] ?? '';
  return stepsBehind(steps).map(({ name, detail, description }) => {
    const step = pathText(['', name]);
    const isPlain = step.startsWith('.') && !isBracketed;
    // A key in brackets also replaces the dot.
    const start = offset - begun.length - (isPlain || isBracketed || steps.length === 0 ? 0 : 1);
    return {
      label: name,
      kind: steps.length === 0 ? ('node' as const) : ('field' as const),
      detail,
      description,
      insert: isPlain || steps.length === 0 ? name : keyInBrackets(name, before),
      filter: text.slice(start, offset - begun.replace(/^\[["']?/, '').length) + name,
      start,
      end: offset + rest.length,
    };
  });
}

/** The names available in a setting that cannot use the flow. */
interface PathCompletionScope {
  readonly sees: FieldScopeRequest['sees'];
  /** For plain paths: returns the segments that can follow. */
  steps(path: readonly string[]): readonly BindingPathStep[];
  /** For a template tag: returns the available names. */
  tags(wish: Omit<FieldScopeRequest, 'sees'>): readonly Candidate[];
}

/** Returns undefined if the setting uses the flow. */
function sightAt(
  index: FlowIndex,
  offset: number,
  { cursor, catalog, files }: PathCompletionRequest,
): PathCompletionScope | undefined {
  const [list, , section, ...path] = entryPath(cursor.entry);
  const place = nodeAt(index, offset);
  const spec = catalog.get(place?.type ?? '');
  if (list !== 'nodes' || place === undefined || spec === undefined) return undefined;
  const schema = section === 'config' ? spec.configSchema : section === 'input' ? spec.inputSchema : undefined;
  const sees = schema === undefined ? undefined : sightIn(formJsonSchema(schema), path);
  const flow = bindingFlowOf(index, files);
  const node = flow.nodes.find(({ id }) => id === place.id);
  if (sees === undefined || sees === 'body' || node === undefined) return undefined;
  const values = createValueSchemas(flow, catalog);
  return {
    sees,
    steps: (steps) => stepsSeen(node, values, { sees, path: steps }),
    tags: (wish) => seenAt(node, values, { sees, ...wish }),
  };
}

/** Returns the scope defined by the innermost schema along a path. */
function sightIn(schema: JsonMap, [step, ...rest]: readonly (string | number)[]): FieldScope | undefined {
  const own = schema['sees'] as FieldScope | undefined;
  if (step === undefined) return own;
  const inner = membersAt(schema, step).map((member) => sightIn(member, rest));
  return inner.find((sees) => sees !== undefined) ?? own;
}

/** Matches an unfinished tag of a Handlebars template. */
const openTag = /(?<!\\)\{\{\{?~?\s*(?:[^{}!][^{}]*)?$/;

function tagSuggestions(text: string, offset: number, sight: PathCompletionScope): readonly CompletionSuggestion[] {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  if (!openTag.test(before.slice(lineStart))) return [];
  const begun = /[^\s({=]*$/.exec(before)?.[0] ?? '';
  const rest = /^[\w@./-]*/.exec(text.slice(offset))?.[0] ?? '';
  return sight.tags({ begun, before: before.slice(0, offset - begun.length) }).map(({ path, detail, description }) => ({
    label: path,
    kind: 'field',
    detail,
    description,
    insert: path,
    start: offset - begun.length,
    end: offset + rest.length,
  }));
}

/** Splits a path being written into its completed segments and the beginning of the last one. */
function begunPath(path: string): { steps: readonly string[]; begun: string; isBracketed: boolean } {
  const { segments, spans, end } = readPath(path, 0) ?? { segments: [], spans: [], end: 0 };
  const rest = path.slice(end);
  if (rest.startsWith('[')) return { steps: segments, begun: rest, isBracketed: true };
  if (rest !== '' || path.endsWith(']')) return { steps: segments, begun: rest.replace(/^\./, ''), isBracketed: false };
  const [start = 0] = spans.at(-1) ?? [];
  return { steps: segments.slice(0, -1), begun: path.slice(start), isBracketed: false };
}

/** Uses quotes that are valid inside the quotes of the surrounding text. */
function keyInBrackets(key: string, before: string): string {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const around = line.replace(/\[["'][^\]]*(?:\]|$)|\\./g, '');
  const isQuoted = around.split('"').length % 2 === 0;
  return isQuoted && !/['\\]/.test(key) ? `['${key}']` : `[${JSON.stringify(key)}]`;
}

/** Maximum length of an input's value shown beside its name. */
const longestDetail = 40;

/** Returns the segments that can follow `path` at an offset. */
function stepsAfter(
  index: FlowIndex,
  offset: number,
  path: readonly string[],
  { catalog, cursor, files, secrets }: PathCompletionRequest,
): readonly BindingPathStep[] {
  const flow = bindingFlowOf(index, files);
  const place = placeAt(index, offset, cursor);
  const known = { flow, catalog, values: createValueSchemas(flow, catalog), place, secrets };
  if (path.length > 0) return nextPathSteps(known, path);
  const steps = firstSteps(known);
  if (place === null || nodesBefore(flow, place).length > 0) return steps;
  // Edges come last in a file, so a node without edges may still be connected to any other node.
  const own = Object.values(place)[0];
  const all = firstSteps({ ...known, place: null }).filter(({ name, kind }) => kind === 'node' && name !== own);
  const inputs = steps.findIndex(({ kind }) => kind === 'flow');
  return [...steps.slice(0, inputs), ...all, ...steps.slice(inputs)];
}

function placeAt(index: FlowIndex, offset: number, { entry }: Cursor): BindingPlace {
  const node = nodeAt(index, offset)?.id;
  if (node !== undefined) {
    return inputConditionAt(index, offset, entryPath(entry)) === 'body' ? { bodyOf: node } : { node };
  }
  const edgeFrom = edgeAt(index, offset)?.from;
  return edgeFrom === undefined ? null : { edgeFrom };
}

function bindingFlowOf({ root, nodes, edges, loopOf }: FlowIndex, files: SchemaFiles | undefined): BindingFlow {
  const flow = entryAt(root, ['flow']) ?? root;
  const failFast = mapAt(flow, 'policy')['failFast'] !== false;
  return {
    nodes: nodes
      .filter(({ id }) => id !== '')
      .map(({ id, type, entry }) => ({
        id,
        type,
        name: scalarAt(entry, 'name'),
        // Computed on demand, because only few of the nodes are inspected.
        get input() {
          return mapAt(entry, 'input');
        },
        get config() {
          return mapAt(entry, 'config');
        },
        get keepsFailure() {
          const policy = mapAt(entry, 'policy')['continueOnError'];
          return typeof policy === 'boolean' ? policy : !failFast;
        },
      })),
    ...(files === undefined ? {} : { files }),
    edges,
    ownerOf: new Map([...loopOf].map(([id, loop]) => [id, loop.id])),
    flowInput: mapAt(flow, 'input'),
    flowInputs: mapAt(flow, 'inputs'),
    inputsAt(path) {
      const found = entryAt(root, ['flow', 'input', ...path]);
      const entries = found?.kind === 'map' ? found.children : [];
      return entries.flatMap(({ key, value }) =>
        key === null ? [] : { name: key.text, detail: value?.text.slice(0, longestDetail) ?? '' },
      );
    },
  };
}

function mapAt(entry: YamlEntry, key: string): JsonMap {
  const found = entryAt(entry, [key]);
  const value = found === undefined ? null : jsonAt(found);
  return isJsonMap(value) ? value : {};
}
