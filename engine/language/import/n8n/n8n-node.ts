/**
 * What the mappings of all n8n node types have in common.
 */
import type { NodePolicy, WhenExpr } from '../../flow/flow-doc.ts';
import type { JsonMap } from '../../json/json-value.ts';
import type { ConvertedNode, MappingContext, TypeMapping } from '../mapping.ts';
import { isBlank, mapAt, numberAt, textAt } from '../read-json.ts';
import type { SourceNode } from '../source-flow.ts';
import { mainInput, N8nTexts } from './n8n-expressions.ts';

/** What a mapping can use. */
export interface N8nNode {
  readonly node: SourceNode;
  readonly params: JsonMap;
  readonly texts: N8nTexts;
  readonly context: MappingContext;
}

interface N8nMapping extends Omit<TypeMapping, 'map'> {
  /** Parameters that are imported, or that have no meaning in a flow. Others are reported. */
  readonly known: readonly string[];
  convert(node: N8nNode): ConvertedNode;
}

/** Creates the mapping of a type that becomes a node. */
export function n8nNode({ known, convert, ...rest }: N8nMapping): TypeMapping {
  return {
    when: errorRoute,
    ...rest,
    map(node, context) {
      const params = mapAt(node.settings, 'parameters');
      const texts = new N8nTexts(node, context);
      const converted = convert({ node, params, texts, context });
      if ('why' in converted) return { as: 'placeholder', why: converted.why };
      const lost = [...(converted.lost ?? []), ...texts.lost, ...unusedParameters(params, known), ...lostKey(node)];
      const policy = policyOf(node.settings);
      return { as: 'node', ...converted, ...(policy === undefined ? {} : { policy }), lost: [...new Set(lost)] };
    },
  };
}

/** Creates the mapping of a type with nodes that pass on the data that they receive. */
export function passingNode(mapping: N8nMapping): TypeMapping {
  return n8nNode({ passes: (_, node, context) => mainInput(node, context), ...mapping });
}

/** Returns a sentence about parameters with content that were not imported; no sentence if there are none. */
function unusedParameters(params: JsonMap, known: readonly string[]): readonly string[] {
  const names = Object.keys(params).filter((name) => !known.includes(name) && !isBlank(params[name]));
  return names.length === 0 ? [] : [`Not imported: ${names.join(', ')}.`];
}

function lostKey({ settings }: SourceNode): readonly string[] {
  const kinds = Object.keys(mapAt(settings, 'credentials'));
  return kinds.length === 0 ? [] : [`Not imported: the credentials ${kinds.join(', ')}. Use a secret.`];
}

function policyOf(settings: JsonMap): NodePolicy | undefined {
  const continues = /^continue/.test(textAt(settings, 'onError')) || settings['continueOnFail'] === true;
  const retries = settings['retryOnFail'] === true;
  if (!(continues || retries)) return undefined;
  const maxAttempts = Math.max(1, Math.round(numberAt(settings, 'maxTries') ?? 3));
  const backoffMs = Math.max(0, Math.round(numberAt(settings, 'waitBetweenTries') ?? 1000));
  return {
    ...(continues ? { continueOnError: true } : {}),
    ...(retries ? { retry: { maxAttempts, backoffMs } } : {}),
  };
}

/** With an output for errors, the second output of a node is that of its failure. */
function errorRoute(port: string, node: SourceNode, context: MappingContext): WhenExpr | undefined {
  if (textAt(node.settings, 'onError') !== 'continueErrorOutput') return undefined;
  const failed: WhenExpr = { equals: { var: `${context.idOf(node)}.failed`, value: true } };
  return port === '1' ? failed : { not: failed };
}
