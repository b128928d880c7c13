/**
 * What the engine knows of flow files, in the form in which the text's help asks for it.
 */
import { flowJsonSchema, type JsonMap, type NodeTypeCatalog } from '../../../engine/isomorphic.ts';
import type { FlowKnowledge } from './complete-flow.ts';

/** Gathers what is known of the types of a catalog. The schema is made when it is first asked for. */
export function flowKnowledge(catalog: NodeTypeCatalog): FlowKnowledge {
  let schema: JsonMap | undefined;
  return {
    get schema() {
      schema ??= flowJsonSchema(catalog);
      return schema;
    },
    catalog,
  };
}
