import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestFolder, type TestFolder } from '../../world/files/testing/test-folder.ts';
import { listStepAgents } from './list-agents.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

const agents = 'products/shop/agents';

test('finds product agents by their files, and classes by their declared names regardless of the file name', async () => {
  folder.write('products/shop/agents/writer.aip', '# User\n');
  folder.write(
    'products/shop/agents/all.mjs',
    `import { AgentResult, BaseAgent } from 'millrace';
import { twice } from './words.mjs';
throw new Error('Nobody may run this');
export class Planner extends BaseAgent {
  name = 'shop.planner';
  async run(step) { const name = twice(step.params.n); return AgentResult.ok({ name }); }
}
// name = 'shop.former';
export class Bare extends BaseAgent { name = "judge"; async run() {} }
export class Foreign extends BaseAgent {
  name = 'bank.clerk';
}
`,
  );
  folder.write(
    'products/shop/agents/words.mjs',
    "export const name = 'shop.words';\nexport const twice = (n) => n * 2;\n",
  );
  folder.write('products/bank/agents/clerk.aip', '# User\n');
  expect(await listStepAgents(folder.path)).toEqual([
    { name: 'bank.clerk', path: 'products/bank/agents/clerk.aip' },
    { name: 'shop.judge', path: `${agents}/all.mjs` },
    { name: 'shop.planner', path: `${agents}/all.mjs` },
    { name: 'shop.writer', path: `${agents}/writer.aip` },
  ]);
});

test('returns nothing without products', async () => {
  expect(await listStepAgents(folder.path)).toEqual([]);
});
