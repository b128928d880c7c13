/**
 * Offers cases for the known values of a node's input, such as the labels that a model chooses from.
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
  /** Path of the value, for example `value.label`. */
  readonly path: string;
  /** The values without a case. */
  readonly values: readonly string[];
  /** The input with the new cases. */
  readonly input: JsonMap;
}

/** A string with known values. */
interface CaseValueChoice {
  readonly path: readonly string[];
  readonly values: readonly string[];
}

/** Branches rarely depend on deeper fields. */
const deepest = 2;

/** Returns the strings with known values: the value itself, then its fields. */
function choicesIn(schema: JsonMap, path: readonly string[] = []): readonly CaseValueChoice[] {
  const values = [schema, ...partsOf(schema)].map(textChoices).find((found) => found.length > 0);
  if (values !== undefined) return [{ path, values }];
  if (path.length >= deepest) return [];
  return knownKeys(alternativesOf(schema)).flatMap((key) => choicesIn(key.schema, [...path, key.name]));
}

interface OfferWorld {
  readonly doc: FlowDoc;
  readonly catalog: NodeTypeCatalog;
  readonly files?: SchemaFiles;
}

/**
 * Returns the cases that can be added to a node: for its bound value, or, while that has no known values and the node
 * has only its initial cases, for the outputs of the nodes before it.
 */
export function caseOffers(node: NodeDoc, { doc, catalog, files }: OfferWorld): readonly CaseOffer[] {
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
  const offer = (
    { path, values }: CaseValueChoice,
    below: readonly string[],
    value = node.input['value'],
  ): CaseOffer[] => {
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

/** Returns whether two cases have the same condition, regardless of the names of their branches. */
function isSameCase(left: JsonValue, right: JsonMap): boolean {
  const when = isJsonMap(left) ? left['when'] : undefined;
  return when !== undefined && right['when'] !== undefined && jsonEquals(when, right['when']);
}

/** Returns whether this is the initial case of a new node, which matches any value. */
function isPlaceholder(one: JsonValue): boolean {
  return isJsonMap(one) && isJsonMap(one['when']) && one['when']['exists'] === 'value';
}
