/** Kills `millrace mcp` with -9 while it stores proposals, and `millrace import` and `millrace diff` while they work. */
import { type FSWatcher, mkdirSync, readdirSync, readFileSync, rmSync, watch } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEngine } from '../index.ts';
import { helloFlow, setUpBuiltCli } from '../testing/cli-fixture.ts';
import type { StartedCli } from '../testing/cli-program.ts';
import { mcpCall, mcpGreeting } from '../testing/mcp-lines.ts';
import { testRounds } from '../testing/test-rounds.ts';

const cli = setUpBuiltCli();

/** In milliseconds. A round starts a process. */
const roundLimit = 60_000;
const [mcpRounds, importRounds, diffRounds] = [testRounds(8), testRounds(4), testRounds(2)];

const file = 'hello.flow.yaml';
/** Large enough that writing it takes a while. */
const polite = `${helloFlow.replace('"hello', '"good day')}\n${'# More words\n'.repeat(10_000)}`;

interface Kill {
  readonly folder: string;
  /** Number of changes in the folder. */
  readonly changes: number;
  /** The program is killed at the latest when it prints this. */
  readonly printed: string;
}

/** Starts a program and kills it. */
async function killed({ folder, changes, printed }: Kill, start: () => StartedCli): Promise<void> {
  let left = changes;
  let watcher: FSWatcher | undefined;
  const seen = new Promise<void>((resolve) => {
    watcher = watch(folder, () => {
      left--;
      if (left === 0) resolve();
    });
  });
  const { child, result, whenPrinted } = start();
  // The pipe breaks when the program is killed.
  child.stdin?.on('error', () => undefined);
  await Promise.race([seen, whenPrinted(printed).catch(() => undefined)]);
  child.kill('SIGKILL');
  await result;
  watcher?.close();
}

function read(name: string): string {
  return readFileSync(path.join(cli.folder, name), 'utf8');
}

test(
  '13.7 an MCP server that is killed leaves whole proposals or none, and an unchanged workspace',
  async () => {
    cli.write(file, helloFlow);
    const engine = await createEngine({ workspace: cli.folder, homeFolder: cli.folder, storeFile: ':memory:' });
    const folder = path.join(cli.folder, '.millrace/proposals');
    mkdirSync(folder, { recursive: true });
    let stored = 0;
    const edit = { file, title: 'Be polite', text: polite };
    const calls = Array.from({ length: 3 }, (_, index) => mcpCall(index + 1, 'propose_edit', edit)).join('');
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), async (changes) => {
        await killed({ folder, changes, printed: '"id":3' }, () => {
          const started = cli.start(['mcp']);
          started.child.stdin?.write(mcpGreeting + calls);
          return started;
        });
        const { proposals, problems } = await engine.listProposals();
        expect(problems).toEqual([]);
        for (const { id } of proposals) expect((await engine.readProposal(id)).text).toBe(polite);
        expect(readdirSync(cli.folder).sort()).toEqual(['.millrace', file]);
        expect(read(file)).toBe(helloFlow);
        stored += proposals.length;
        for (const name of readdirSync(folder)) rmSync(path.join(folder, name));
      }),
      { numRuns: mcpRounds },
    );
    expect(stored).toBeGreaterThan(0);
    const { id } = await engine.addProposal({ ...edit, by: 'test' });
    expect(await engine.readProposal(id)).toMatchObject({ status: 'pending' });
    await engine.close();
  },
  roundLimit * mcpRounds,
);

/** An n8n workflow with many nodes. */
const workflow = JSON.stringify({
  name: 'Orders',
  connections: {},
  nodes: Array.from({ length: 400 }, (_, index) => ({
    name: `Wait ${index}`,
    type: 'n8n-nodes-base.unknown',
    typeVersion: 1,
    position: [index, 0],
    parameters: { words: 'many words '.repeat(100) },
  })),
});

test(
  'an import that is killed leaves a whole flow or none',
  async () => {
    cli.write('orders.json', workflow);
    await cli.call(['import', 'orders.json', '--out', 'whole']);
    const whole = read('whole.flow.yaml');
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), async (changes) => {
        const kill = { folder: cli.folder, changes, printed: 'Wrote' };
        await killed(kill, () => cli.start(['import', 'orders.json', '--out', 'cut']));
        expect(read('orders.json')).toBe(workflow);
        expect(read('whole.flow.yaml')).toBe(whole);
        const flows = readdirSync(cli.folder).filter((name) => name === 'cut.flow.yaml');
        for (const name of flows) expect(read(name)).toBe(whole.replace('name: whole', 'name: cut'));
        for (const name of readdirSync(cli.folder)) if (/cut|tmp/.test(name)) rmSync(path.join(cli.folder, name));
      }),
      { numRuns: importRounds },
    );
  },
  roundLimit * importRounds,
);

test(
  'a comparison that is killed changes nothing',
  async () => {
    cli.write(file, helloFlow);
    cli.write('other.flow.yaml', polite);
    for (let round = 0; round < diffRounds; round++) {
      const { child, result, whenPrinted } = cli.start(['diff', file, 'other.flow.yaml', '--json']);
      if (round % 2 === 0) await whenPrinted('{');
      child.kill('SIGKILL');
      await result;
      expect(readdirSync(cli.folder).sort()).toEqual([file, 'other.flow.yaml']);
      expect([read(file), read('other.flow.yaml')]).toEqual([helloFlow, polite]);
    }
  },
  roundLimit * diffRounds,
);
