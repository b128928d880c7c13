/** The benches, built like the program's Node part, into a folder that `npm run bench` runs them from. */
import { defineConfig } from 'vite';
import nodeConfig from './vite.node.config.ts';

export default defineConfig({
  ...nodeConfig,
  build: {
    ...nodeConfig.build,
    outDir: '.cache/bench',
    rolldownOptions: {
      ...nodeConfig.build?.rolldownOptions,
      input: {
        'agent-file': 'bench/agent-file.ts',
        agents: 'bench/agents.ts',
        'bare-restate': 'bench/bare-restate.ts',
        calls: 'bench/calls.ts',
        evaluation: 'bench/evaluation.ts',
        chain: 'bench/chain.ts',
        'cli-start': 'bench/cli-start.ts',
        diff: 'bench/diff.ts',
        durable: 'bench/durable.ts',
        edit: 'bench/edit.ts',
        fold: 'bench/fold.ts',
        foreach: 'bench/foreach.ts',
        'history-postgres': 'bench/history-postgres.ts',
        'run-graphs': 'bench/run-graphs.ts',
        javascript: 'bench/javascript.ts',
        live: 'bench/live.ts',
        load: 'bench/load.ts',
        lua: 'bench/lua.ts',
        'mcp-calls': 'bench/mcp-calls.ts',
        'tool-calls': 'bench/tool-calls.ts',
        conversations: 'bench/conversations.ts',
        'node-types': 'bench/node-types.ts',
        scale: 'bench/scale.ts',
        'serve-idle': 'bench/serve-idle.ts',
        start: 'bench/start.ts',
        streams: 'bench/streams.ts',
        policies: 'bench/policies.ts',
        'secrets-and-answers': 'bench/secrets-and-answers.ts',
        webhooks: 'bench/webhooks.ts',
        window: 'bench/window.ts',
      },
      external: ['@photostructure/sqlite', '@playwright/test', /^node:/],
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
});
