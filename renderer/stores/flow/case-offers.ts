/**
 * Cases that a node can have for the values that are known of what it looks at, such as the labels that a model chooses from.
 */
import {
  type FlowDoc,
  isJsonList,
  isJsonMap,
  type JsonMap,
  type JsonValue,
  jsonEquals,
  type NodeDoc,
  type NodeTypeCatalog,
  pathText,
  type SchemaFiles,
  starterNode,
  textChoices,
} from '../../../engine/isomorphic.ts';
import { bindingFlowOf } from './binding-candidates.ts';
import { alternativesOf, knownKeys, partsOf } from './schema-fields.ts';
import { createValueSchemas } from './value-schemas.ts';

/** A change of a node's input that adds cases. */
export interface CaseOffer {
  /** Where the values are, for example `value.label`. */
  readonly path: string;
  /** Those that have no case yet. */
  readonly values: readonly string[];
  /** The input with their cases. */
  readonly input: JsonMap;
}

/** A text with known values. */
interface Choice {
  readonly path: readonly string[];
  readonly values: readonly string[];
}

/** Deeper fields are seldom what a way is chosen by. */
const deepest = 2;

/** The texts with known values in a value: the value itself, then its fields. */
function choicesIn(schema: JsonMap, path: readonly string[] = []): readonly Choice[] {
  const values = [schema, ...partsOf(schema)].map(textChoices).find((found) => found.length > 0);
  if (values !== undefined) return [{ path, values }];
  if (path.length >= deepest) return [];
  return knownKeys(alternativesOf(schema)).flatMap((key) => choicesIn(key.schema, [...path, key.name]));
}

interface CaseWorld {
  readonly doc: FlowDoc;
  readonly catalog: NodeTypeCatalog;
  readonly files?: SchemaFiles;
}

/**
 * The cases that can be added to a node: for what its value has; while its value has none and its cases are those that it began
 * with, for what the nodes before it give.
 */
export function caseOffers(node: NodeDoc, { doc, catalog, files }: CaseWorld): readonly CaseOffer[] {
  const spec = catalog.get(node.type);
  if (spec?.caseFor === undefined) return [];
  const { caseFor } = spec;
  const list = node.input['cases'];
  const cases: readonly JsonValue[] = list !== undefined && isJsonList(list) ? list : [];
  const begun = starterNode(spec, node.id, null).input['cases'] ?? [];
  const isUntouched = cases.every(isPlaceholder) || jsonEquals(cases, begun);
  const kept = isUntouched ? [] : cases;
  const flow = { ...bindingFlowOf(doc), ...(files === undefined ? {} : { files }) };
  const schemas = createValueSchemas(flow, catalog);
  const offer = ({ path, values }: Choice, below: readonly string[], value = node.input['value']): CaseOffer[] => {
    const made = values.map((one) => ({ one, added: caseFor(one, below) }));
    const missing = made.filter(({ added }) => !kept.some((other) => isSameCase(other, added)));
    const input = { ...node.input, ...(value === undefined ? {} : { value }) };
    const added = [...kept, ...missing.map((one) => one.added)];
    return missing.length === 0
      ? []
      : [{ path: pathText(path), values: missing.map(({ one }) => one), input: { ...input, cases: added } }];
  };
  const own = choicesIn(schemas.of(node.input['value'], node.id));
  if (own.length > 0)
    return own.flatMap((choice) => offer({ ...choice, path: ['value', ...choice.path] }, choice.path));
  if (!isUntouched) return [];
  const before = doc.edges.filter(({ to }) => to === node.id).map(({ from }) => from);
  return [...new Set(before)].flatMap((id) =>
    choicesIn(schemas.at([id], node.id)).flatMap((choice) => {
      const path = [id, ...choice.path];
      return offer({ ...choice, path }, [], `{{${pathText(path)}}}`);
    }),
  );
}

/** Whether two cases ask the same, whatever their ways are called. */
function isSameCase(left: JsonValue, right: JsonMap): boolean {
  const when = isJsonMap(left) ? left['when'] : undefined;
  return when !== undefined && right['when'] !== undefined && jsonEquals(when, right['when']);
}

/** The case of a new node when no values are known yet: any value matches it. */
function isPlaceholder(one: JsonValue): boolean {
  return isJsonMap(one) && isJsonMap(one['when']) && one['when']['exists'] === 'value';
}
