/**
 * Running a node alone: the values requested from the user, and the values passed to the run.
 */
import { type FlowDoc, isJsonMap, type JsonMap, type JsonValue, pathText } from '../../../engine/isomorphic.ts';
import { bindingFlowOf } from '../flow/binding-candidates.ts';
import { nodeTypes } from '../flow/node-types.ts';
import { createValueSchemas } from '../flow/value-schemas.ts';
import type { NodePlan } from './plan-actions.ts';
import { fieldsOf, type InputField, readInputs, schemaField } from './run-inputs.ts';

/** A field, and the destination of its value, as in `NodePlan.missing`. */
export interface RequestedField {
  readonly field: InputField;
  readonly path: readonly string[];
}

/** Returns the missing values, and inputs that the flow requires for any run. */
export function requestedFields(doc: FlowDoc, nodeId: string, plan: NodePlan): readonly RequestedField[] {
  const schemas = createValueSchemas(bindingFlowOf(doc), nodeTypes);
  const inputFields = new Map(fieldsOf(doc.flow).map((field) => [field.key, field]));
  const asked = plan.missing.map((path): RequestedField => {
    const [root = '', ...rest] = path;
    const key = pathText(path);
    const input = root === 'flow' ? inputFields.get(rest[1] ?? '') : undefined;
    if (input?.doc !== undefined)
      return { path, field: { ...input, key, mayBeAbsent: false, doc: { ...input.doc, required: true } } };
    const known = rest.length === 0 ? plan.known[root] : memberOf(plan.known[root], rest[0]);
    return { path, field: schemaField(key, schemas.at(path, nodeId), known, true) };
  });
  const paths = new Set(plan.missing.map(pathText));
  const unfit = [...inputFields.values()].flatMap((field): RequestedField[] => {
    const path = ['flow', 'input', field.key];
    return field.doc === undefined || paths.has(pathText(path)) || isGiven(field, plan.inputs)
      ? []
      : [{ path, field: { ...field, key: pathText(path) } }];
  });
  return [...asked, ...unfit];
}

function memberOf(value: JsonValue | undefined, key = ''): JsonValue | undefined {
  return isJsonMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Returns whether the existing input, or its default, is valid. */
function isGiven(field: InputField, inputs: JsonMap): boolean {
  const value = inputs[field.key];
  const draft = typeof value === 'string' && field.kind === 'text' ? value : JSON.stringify(value);
  return readInputs([field], value === undefined ? {} : { [field.key]: draft ?? '' }).inputs !== null;
}

/** Returns the values for the run of the node: by name for the flow, and by node. */
export function nodeRunInputs(
  asked: readonly RequestedField[],
  values: Readonly<Record<string, JsonValue>>,
  plan: NodePlan,
): { readonly inputs: JsonMap; readonly given: JsonMap } {
  const inputs: Record<string, JsonValue> = { ...plan.inputs };
  const given: Record<string, JsonValue> = {};
  for (const { field, path } of asked) {
    const [root = '', name, last = ''] = path;
    const value = values[field.key];
    // Also removes values of the latest run that are no longer valid.
    if (root === 'flow') delete inputs[last];
    if (value === undefined) continue;
    if (root === 'flow') inputs[last] = value;
    else given[root] = name === undefined ? value : withField(given[root] ?? plan.known[root], name, value);
  }
  return { inputs, given };
}

function withField(known: JsonValue | undefined, name: string, value: JsonValue): JsonMap {
  return { ...(isJsonMap(known) ? known : {}), [name]: value };
}
