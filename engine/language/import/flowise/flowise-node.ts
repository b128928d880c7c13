/**
 * What the mappings of all Flowise node types have in common.
 */
import type { JsonMap } from '../../json/json-value.ts';
import type { ConvertedNode, MappingContext, TypeMapping } from '../mapping.ts';
import type { SourceNode } from '../source-flow.ts';
import { FlowiseTexts } from './flowise-texts.ts';

/** What a mapping can use. */
export interface FlowiseNode {
  readonly node: SourceNode;
  readonly settings: JsonMap;
  readonly texts: FlowiseTexts;
  readonly context: MappingContext;
}

interface FlowiseMapping extends Omit<TypeMapping, 'map'> {
  convert(node: FlowiseNode): ConvertedNode;
}

/** Creates the mapping of a type that becomes a node. */
export function flowiseNode({ convert, ...rest }: FlowiseMapping): TypeMapping {
  return {
    ...rest,
    map(node, context) {
      const texts = new FlowiseTexts(node, context);
      const converted = convert({ node, settings: node.settings, texts, context });
      if ('why' in converted) return { as: 'placeholder', why: converted.why };
      return { as: 'node', ...converted, lost: [...new Set([...(converted.lost ?? []), ...texts.lost])] };
    },
  };
}

/** Returns the number of an output, which is the last part of its port's name. */
export function placeOf(port: string): number {
  return Number(/(\d+)$/.exec(port)?.[1] ?? 0);
}
