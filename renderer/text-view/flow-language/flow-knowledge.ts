/**
 * What the engine knows of flow files, in the form in which the text's help asks for it.
 */
import { flowJsonSchema, type JsonMap, type NodeTypeCatalog, outputJsonSchema } from '../../../engine/isomorphic.ts';
import type { FlowKnowledge } from './complete-flow.ts';

/** Gathers what is known of the types of a catalog. The schemas are made when they are first asked for. */
export function flowKnowledge(catalog: NodeTypeCatalog): FlowKnowledge {
  let schema: JsonMap | undefined;
  const outputs = new Map<string, JsonMap>();
  return {
    get schema() {
      schema ??= flowJsonSchema(catalog);
      return schema;
    },
    types: {
      titleOf: (type) => catalog.get(type)?.title,
      outputOf(type) {
        const spec = catalog.get(type);
        const output = outputs.get(type) ?? (spec === undefined ? undefined : outputJsonSchema(spec));
        if (output !== undefined) outputs.set(type, output);
        return output;
      },
    },
  };
}
