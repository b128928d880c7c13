import { defineNodeType } from '../../flow/node-type.ts';
import { fileWriteType } from './file-write-type.ts';

export const fileWriteNode = defineNodeType(fileWriteType, {
  effectsOf: ({ mode }) => (mode === 'append' ? 'external' : 'idempotent'),
  writes: () => true,
  capabilities: ['files'],
  run: async ({ input, config, can }) => await can.files.writeText(input.path, input.text, config.mode),
});
