import { queryInTurns } from '../../../language/json/json-path/query-in-turns.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { jsonQueryType } from './json-query-type.ts';

export const jsonQueryNode = defineNodeType(jsonQueryType, {
  capabilities: [],
  run: async ({ input, config, clock, signal }) => ({
    value: await queryInTurns(config.path, input.value, { clock, signal }),
  }),
});
