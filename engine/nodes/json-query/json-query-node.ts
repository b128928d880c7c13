import { defineNodeType } from '../../flow/node-type.ts';
import { queryInTurns } from '../../flowspec/json-path/query-in-turns.ts';
import { jsonQueryType } from './json-query-type.ts';

export const jsonQueryNode = defineNodeType(jsonQueryType, {
  capabilities: [],
  run: async ({ input, config, clock, signal }) => ({
    value: await queryInTurns(config.path, input.value, { clock, signal }),
  }),
});
