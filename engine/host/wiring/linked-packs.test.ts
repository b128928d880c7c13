/** Tests workspace packs that are links out of the workspace: what they may do with and without trust. */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import type { Engine } from '../../index.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';
import { type AgentWorkspace, createAgentWorkspace } from './test-agent-workspace.ts';

const custom = 'workspace/.aipack/pack/custom';
const manifest = '[pack]\nnamespace = "evil"\nname = "kit"\nversion = "1.0.0"\n';
const flow = 'flow: { name: Out }\nnodes:\n  - { id: a, type: echo, input: { text: LOOT } }\nedges: []\n';
const tool = `tool_id: loot\ndescription: d\ninput_schema: { type: object }\nidempotent: true\nrisk: low\nrequires_approval: false\naccesses_private_data: false\nreceives_untrusted_input: false\ncommunicates_externally: false\nrun: { js: 'return "LO" + "OT"' }\n`;

let at: AgentWorkspace;
beforeEach(() => {
  at = createAgentWorkspace();
});
afterEach(() => at.close());

function writePack(folder: string): void {
  at.write(`${folder}/pack.toml`, manifest);
  at.write(`${folder}/README.md`, 'LOOT');
  at.write(`${folder}/main.aip`, scriptSection('After All', 'return "LOOT"'));
  at.write(`${folder}/ask.aip`, '# Options\n```toml\nmodel = "scripted::talk.yaml"\n```\n# User\nHello\n');
  at.write(`${folder}/talk.yaml`, 'replies: [{ match: ".*", reply: LOOT }]');
  at.write(`${folder}/out.flow.yaml`, flow);
  at.write(`${folder}/tools/loot.tool.yaml`, tool);
}

/** Ways in which a pack of the workspace can lead to the pack in `outside`. */
const ways: Readonly<Record<string, () => void>> = {
  'a link to it': () => link(`${custom}/evil/kit`, at.at('outside/evil/kit')),
  'a namespace that is a link': () => link(`${custom}/evil`, at.at('outside/evil')),
  'a folder of packs that is a link': () => link(custom, at.at('outside')),
  'a chain of links': () => {
    link(`${custom}/evil/kit`, '../hop');
    link(`${custom}/hop`, at.at('outside/evil/kit'));
  },
};

function link(place: string, target: string): void {
  mkdirSync(path.dirname(at.at(place)), { recursive: true });
  symlinkSync(target, at.at(place));
}

/** Attempts to use such a pack; each returns its result. */
const tries: Readonly<Record<string, (engine: Engine) => Promise<unknown>>> = {
  'a flow that calls a flow of it': (engine) =>
    ended(engine, '{ id: c, type: flow, input: { flow: evil@kit/out.flow.yaml } }'),
  'a flow that runs an agent of it': (engine) => ended(engine, '{ id: c, type: agent, input: { agent: evil@kit } }'),
  'a flow that calls a tool of it': (engine) =>
    ended(engine, '{ id: c, type: tool, config: { tool: kit.loot }, input: {} }'),
  'a script that runs an agent of it': async (engine) => {
    at.write('workspace/m.aip', scriptSection('After All', 'return aip.agent.run("evil@kit").after_all'));
    return (await at.run(engine, { agent: 'm.aip' })).end;
  },
  'a script that reads a file of it': async (engine) => {
    at.write('workspace/m.aip', scriptSection('After All', 'return aip.file.load("evil@kit/README.md").content'));
    return (await at.run(engine, { agent: 'm.aip' })).end;
  },
  'the list of tools': async (engine) =>
    (await engine.listTools()).filter(({ name }) => name.includes('loot')).map(() => 'LOOT'),
};

async function ended(engine: Engine, node: string): Promise<unknown> {
  const text = `flow: { name: F }\nnodes:\n  - ${node}\nedges: []\n`;
  const { runId } = await engine.startRun({ path: 'f.flow.yaml', text, inputs: {} });
  await engine.whenEnded(runId);
  return (await engine.readEvents(runId, -1, 1000)).map(({ event }) => event);
}

async function whatCame(attempt: (engine: Engine) => Promise<unknown>, engine: Engine): Promise<string> {
  return JSON.stringify(await attempt(engine).catch(toErrorRecord));
}

describe.skipIf(process.platform === 'win32')('a workspace pack that leads outside', () => {
  beforeEach(() => writePack('outside/evil/kit'));

  test('provides nothing without trust, and everything with trust', async () => {
    ways['a link to it']?.();
    const engine = await at.open();
    for (const [what, attempt] of Object.entries(tries))
      expect(await whatCame(attempt, engine), what).not.toContain('LOOT');
    const trusting = await at.open({ isTrusted: true });
    for (const [what, attempt] of Object.entries(tries))
      expect(await whatCame(attempt, trusting), what).toContain('LOOT');
  });

  test('provides nothing in whichever way it leads outside', async () => {
    const engine = await at.open();
    for (const [way, lead] of Object.entries(ways)) {
      rmSync(at.at('workspace/.aipack'), { recursive: true, force: true });
      lead();
      for (const what of ['a flow that calls a flow of it', 'a flow that runs an agent of it', 'the list of tools'])
        expect(await whatCame(tries[what] as (typeof tries)[string], engine), `${way}: ${what}`).not.toContain('LOOT');
    }
  });

  test('is neither shown nor run in the window without trust', async () => {
    ways['a link to it']?.();
    const engine = await at.open({ confinesReading: true });
    const codes = [];
    for (const attempt of [
      () => engine.readAgent('evil@kit'),
      () => engine.startAgent({ agent: 'evil@kit' }),
      () => engine.readPackReadme('evil@kit'),
    ]) {
      codes.push(
        await attempt().then(
          () => 'done',
          (error: unknown) => toErrorRecord(error).code,
        ),
      );
    }
    expect(codes).toEqual(['files.outside', 'files.outside', 'pack.not-found']);
    expect((await engine.listPacks()).filter(({ ref }) => ref === 'evil@kit')).toMatchObject([
      {
        agents: [],
        flows: [],
        hasReadme: false,
        problem: expect.stringContaining('is a link to a folder outside the workspace'),
      },
    ]);
  });

  test('provides no scripted models', async () => {
    ways['a link to it']?.();
    const { end } = await at.run(await at.open(), { agent: 'evil@kit/ask', inputs: ['a'] });
    expect([end.status, JSON.stringify(end)]).toEqual(['failed', expect.not.stringContaining('LOOT')]);
  });

  test('cannot read data of the installed pack with its name', async () => {
    at.write('base/support/pack/evil/kit/kept.txt', 'kept');
    at.write(
      'outside/evil/kit/main.aip',
      scriptSection('After All', 'aip.file.save("evil@kit$base/kept.txt", "taken")'),
    );
    ways['a link to it']?.();
    const { end } = await at.run(await at.open(), { agent: 'evil@kit' });
    expect(end.error?.message).toContain('(rule write-outside)');
  });
});

describe.skipIf(process.platform === 'win32')('a workspace pack that is a link to an installed pack', () => {
  test('is denied if the team does not allow the installed pack', async () => {
    writePack('base/pack/installed/evil/kit');
    link(`${custom}/our/own`, at.at('base/pack/installed/evil/kit'));
    at.write('team.yaml', `team: { name: T }\npacks: { allowed: [{ pack: our@own, sha256: "${'0'.repeat(64)}" }] }\n`);
    const engine = await at.open({ env: { ...process.env, MILLRACE_TEAM_FILE: at.at('team.yaml') } });
    await expect(engine.startAgent({ agent: 'our@own' })).rejects.toMatchObject({
      code: 'pack.not-allowed',
      message: expect.stringContaining('evil@kit'),
    });
  });
});
