/** Tests agents that try to keep data for their next run, or outside their own step. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { scriptSection } from '../../testing/run-agent-file.ts';
import { type AgentWorkspace, createAgentWorkspace } from './test-agent-workspace.ts';
import { agentStep, moduleOf, pure, runAgain, runSteps, trusted } from './test-product-runs.ts';

// The first script of a process waits for its worker, on a machine shared with other tests.
vi.setConfig({ testTimeout: 30_000 });

let at: AgentWorkspace;
beforeEach(() => {
  at = createAgentWorkspace();
});
afterEach(() => at.close());

const keepingClass = `let kept = 0;
${moduleOf(`    const found = [kept, globalThis.kept, Planner.kept, Object.prototype.kept, Array.kept].filter(Boolean).length;
    kept = 1; globalThis.kept = 1; Planner.kept = 1; Object.prototype.kept = 1; Array.kept = 1;
    let wrote = 0;
    for (const part of [step, step.params, step.payload, step.artifacts, step.constraints]) {
      try { part.kept = 1; wrote++; } catch {}
    }
    const stores = ['require', 'process', 'fetch', 'localStorage', 'indexedDB', 'caches'].filter((name) => name in globalThis);
    return AgentResult.ok({ found, wrote, stores });`)}`;

const keepingFile =
  pure +
  scriptSection(
    'Output',
    `local found = 0
    for _, one in ipairs({ kept or 0, string.kept or 0, aip.kept or 0, CTX.kept or 0, package.loaded.kept or 0 }) do found = found + one end
    kept = 1; string.kept = 1; package.loaded.kept = 1
    pcall(function() aip.kept = 1 end)
    pcall(function() CTX.kept = 1 end)
    input.params.kept = 1
    local stores = {}
    for _, name in ipairs({ "file", "path", "cmd", "web", "agent" }) do if aip[name] ~= nil then stores[#stores + 1] = name end end
    return { found = found, wrote = 0, stores = table.concat(stores) }`,
  );

test.each([
  ['a class', 'all.mjs', keepingClass, []],
  ['an agent file', 'planner.aip', keepingFile, ''],
])(
  'MF-125 %s keeps nothing: neither for its next run, nor in its step, nor on disk',
  async (_what, file, text, stores) => {
    at.write(`workspace/products/shop/agents/${file}`, text);
    const steps = agentStep('shop.planner');
    const first = await runSteps(at, steps);
    const before = readdirSync(at.at('workspace'), { recursive: true }).map(String).sort();
    const second = await runAgain(at, first.engine, steps);
    // Nor in a second engine that reads what the first one left.
    const third = await runSteps(at, steps, trusted);
    for (const { given, end } of [first, second, third]) {
      expect(end.error).toBeUndefined();
      expect(given).toEqual({ found: 0, wrote: 0, stores });
    }
    const after = readdirSync(at.at('workspace'), { recursive: true }).map(String).sort();
    expect(after.filter((name) => !name.startsWith('.millrace'))).toEqual(
      before.filter((name) => !name.startsWith('.millrace')),
    );
    expect(readFileSync(at.at(`workspace/products/shop/agents/${file}`), 'utf8')).toBe(text);
    const input = second.events.find((event) => event.type === 'node:input');
    expect(input).toMatchObject({ input: { n: 2, who: 'Ada' } });
    expect(JSON.stringify(second.events)).not.toContain('"kept"');
  },
);
