/**
 * Flows that a flow calls: which ones its nodes name, what those take and give, and what is wrong with a call.
 */
import { holdsBinding } from './bindings.ts';
import type { Finding } from './finding.ts';
import type { FlowDoc, NodeDoc } from './flow-doc.ts';
import { defaultInputs, inputMisfits, inputsSchemaOf } from './flow-interface.ts';
import { isJsonMap, type JsonMap } from './json-value.ts';
import { parseFlow } from './parse-flow.ts';
import { type CalledFlow, callKeysOf, type SchemaFile, type SchemaFiles } from './schema-files.ts';

/** So many flows may stand above one another: a circle of calls has to end somewhere. */
export const mostCallsDeep = 16;

/** What is wrong when a flow reaches itself. @param paths from the flow on, with itself at the end too */
export function callCircle(paths: readonly string[]): string {
  return `Flows call each other in a circle: ${paths.join(' -> ')}. Take one of these calls out.`;
}

/** The flow that a node calls, as far as it is known; undefined when only a run will know it, or it was not looked at. */
export function calledFileOf(node: Pick<NodeDoc, 'type' | 'input'>, files: SchemaFiles): SchemaFile | undefined {
  const [key] = callKeysOf(node);
  return key === undefined ? undefined : files.get(key);
}

/** All flows that a definition calls, and those that they call, without repeats. */
export function flowsBelow(files: Iterable<readonly [string, SchemaFile]>): readonly CalledFlow[] {
  const found = new Map<string, CalledFlow>();
  const collect = (below: Iterable<readonly [string, SchemaFile]>): void => {
    for (const [, file] of below) {
      if (!('flow' in file)) continue;
      found.set(file.flow.path, file.flow);
      collect(file.flow.files);
    }
  };
  collect(files);
  return [...found.values()];
}

/** What a flow says of itself to whoever calls it. */
export interface CalledInterface {
  readonly name: string;
  /** Its header, as far as it is about inputs. */
  readonly header: Pick<FlowDoc['flow'], 'input' | 'inputs'>;
  /** JSON Schema of the map of its inputs. */
  readonly inputs: JsonMap;
  /** Null when it cannot be read. */
  readonly doc: FlowDoc | null;
}

const known = new WeakMap<CalledFlow, CalledInterface>();

/** Read once for each object. */
export function interfaceOf(flow: CalledFlow): CalledInterface {
  let found = known.get(flow);
  if (found === undefined) {
    const { doc } = parseFlow(flow.text);
    const { name = flow.path, input, inputs } = doc?.flow ?? {};
    const header = { ...(input === undefined ? {} : { input }), ...(inputs === undefined ? {} : { inputs }) };
    found = { name, header, inputs: inputsSchemaOf(header), doc };
    known.set(flow, found);
  }
  return found;
}

/** What is wrong with a call; paths are below the node. */
export function callFindings(node: NodeDoc, files: SchemaFiles): readonly Finding[] {
  const file = calledFileOf(node, files);
  if (file === undefined) return [];
  if ('problem' in file) {
    return [{ code: 'flow.not-callable', severity: 'error', message: file.problem, path: ['input', 'flow'] }];
  }
  const given = node.input['input'] ?? {};
  // What is bound as a whole, only the run knows.
  if (!('flow' in file) || !isJsonMap(given)) return [];
  const { header } = interfaceOf(file.flow);
  const declared = {
    ...(header.inputs === undefined ? {} : { inputDocs: header.inputs }),
    inputs: defaultInputs(header),
  };
  return inputMisfits(declared, given).flatMap(({ name, message }): Finding[] => {
    const isGiven = Object.hasOwn(given, name);
    if (isGiven && Object.hasOwn(header.inputs ?? {}, name) && holdsBinding(given[name] ?? null)) return [];
    const path = ['input', 'input', ...(isGiven ? [name] : [])];
    const place: Pick<Finding, 'path' | 'field'> = isGiven ? { path } : { path: [], field: [...path, name] };
    return [
      {
        code: 'flow.bad-inputs',
        severity: 'error',
        message: `${message} It is an input of "${file.flow.path}".`,
        ...place,
      },
    ];
  });
}
