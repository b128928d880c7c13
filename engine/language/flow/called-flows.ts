/**
 * Determines the flows that a flow calls, their inputs and outputs, and errors in calls.
 */
import { holdsBinding } from '../bindings/bindings.ts';
import type { Finding } from '../findings/finding.ts';
import { isJsonMap, type JsonMap } from '../json/json-value.ts';
import type { FlowDoc, NodeDoc } from './flow-doc.ts';
import { defaultInputs, inputMisfits, inputsSchemaOf } from './flow-interface.ts';
import { parseFlow } from './parse-flow.ts';
import { type CalledFlow, callKeysOf, type SchemaFile, type SchemaFiles } from './schema-files.ts';

/** Maximum depth of nested calls, so that recursion ends. */
export const mostCallsDeep = 16;

/**
 * Returns the message for a flow that calls itself. @param paths starting with the flow, which is also the last path
 */
export function callCircle(paths: readonly string[]): string {
  return `The flows call each other in a cycle: ${paths.join(' -> ')}. Remove one of these calls.`;
}

/** Returns the file of the flow that a node calls; undefined if it is known only at run time or was not loaded. */
export function calledFileOf(node: Pick<NodeDoc, 'type' | 'input'>, files: SchemaFiles): SchemaFile | undefined {
  const [key] = callKeysOf(node);
  return key === undefined ? undefined : files.get(key);
}

/** Returns all flows that a definition calls, directly or indirectly, without duplicates. */
export function collectCalledFlows(files: Iterable<readonly [string, SchemaFile]>): readonly CalledFlow[] {
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

/** A flow's interface for its callers. */
export interface CalledInterface {
  readonly name: string;
  /** The parts of the flow's header that concern inputs. */
  readonly header: Pick<FlowDoc['flow'], 'input' | 'inputs'>;
  /** JSON Schema of its inputs, as a map. */
  readonly inputs: JsonMap;
  /** Null if the flow cannot be parsed. */
  readonly doc: FlowDoc | null;
}

const known = new WeakMap<CalledFlow, CalledInterface>();

/** Returns a flow's interface, parsed once per object. */
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

/** Returns a call's errors; paths are relative to the node. */
export function callFindings(node: NodeDoc, files: SchemaFiles): readonly Finding[] {
  const file = calledFileOf(node, files);
  if (file === undefined) return [];
  if ('problem' in file) {
    return [{ code: 'flow.not-callable', severity: 'error', message: file.problem, path: ['input', 'flow'] }];
  }
  const given = node.input['input'] ?? {};
  // Inputs bound as a whole are known only at run time.
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
