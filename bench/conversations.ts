/**
 * Measures how conversations scale: the cost of opening one and of processing a turn, after 10 turns and after 1,000,
 * with a catalog of 64 flows under seven intents. The policies are constants in memory. The baseline is a run of the
 * same flow outside a conversation.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createEngine, type Engine } from '../engine/index.ts';
import { median, report } from './statistics.ts';

const sizes = [10, 1_000];
const sampledTurns = 10;

const flow =
  'flow: { name: Give }\nnodes:\n  - { id: out, type: constant, input: { value: { reply: done } } }\nedges: []\n';
const names = Array.from({ length: 64 }, (_, index) => `flow_${index}`);
const intents = ['Read', 'Change', 'Plan', 'Converse', 'Prepare', 'Schedule', 'Report'];

function catalogue(): string {
  const flows = names.map((name, index) => {
    const intent = intents.filter((one) => one !== 'Plan')[index % (intents.length - 1)];
    return `  - { name: ${name}, intent: ${intent}, description: Does ${index}., policy: { flow: give.flow.yaml } }`;
  });
  return `nlu: { script: nlu.yaml }\nintents: { ${intents.map((one) => `${one}: {}`).join(', ')} }\nflows:\n${flows.join('\n')}\n`;
}

/** A turn that selects no flow shows the base cost of a turn. */
const script = [
  ...names.map((name) => `- { match: "^${name}$", flow: ${name} }`),
  '- { match: "nothing", intent: Read }',
];

async function open(workspace: string): Promise<Engine> {
  return await createEngine({ workspace, homeFolder: path.join(workspace, 'home'), isTrusted: true, env: {} });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

type SessionId = Awaited<ReturnType<Engine['startConversation']>>['sessionId'];

async function say(engine: Engine, sessionId: SessionId, text: string): Promise<void> {
  await engine.sayInConversation({ sessionId, text });
  await engine.whenConversationRests(sessionId);
}

async function measure(turns: number): Promise<void> {
  const workspace = mkdtempSync(path.join(tmpdir(), 'millrace-bench-'));
  mkdirSync(path.join(workspace, 'home'));
  writeFileSync(path.join(workspace, 'give.flow.yaml'), flow);
  writeFileSync(path.join(workspace, 'desk.dialogue.yaml'), catalogue());
  writeFileSync(path.join(workspace, 'nlu.yaml'), script.join('\n'));
  const engine = await open(workspace);
  const { sessionId } = await engine.startConversation({ path: 'desk.dialogue.yaml' });
  for (let turn = 0; turn < turns - 2 * sampledTurns; turn++)
    await say(engine, sessionId, turn % 5 === 0 ? (names[turn % names.length] ?? '') : 'nothing');
  const own: number[] = [];
  const withRun: number[] = [];
  for (let turn = 0; turn < sampledTurns; turn++) {
    own.push(await timed(() => say(engine, sessionId, 'nothing')));
    withRun.push(await timed(() => say(engine, sessionId, names[turn] ?? '')));
  }
  const alone: number[] = [];
  for (let run = 0; run < sampledTurns; run++)
    alone.push(
      await timed(async () => {
        const { runId } = await engine.startRun({ path: 'give.flow.yaml', text: flow, inputs: {} });
        await engine.whenEnded(runId);
      }),
    );
  await engine.close();
  const again = await open(workspace);
  await again.listConversations();
  const opening = await timed(() => again.openConversation(sessionId));
  const reading = await timed(() => again.readConversation({ sessionId, seq: 100 }));
  await again.close();
  rmSync(workspace, { recursive: true, force: true });
  const allowed = (value: number) => ({ name: 'the allowed time', value });
  report({ what: `a turn's own work, after ${turns} turns`, ours: median(own), yardstick: allowed(5), unit: 'ms' });
  const run = { name: 'the run alone', value: median(alone) };
  report({ what: `a turn with a run, after ${turns} turns`, ours: median(withRun), yardstick: run, unit: 'ms' });
  report({ what: `opening a conversation of ${turns} turns`, ours: opening, yardstick: allowed(300), unit: 'ms' });
  report({ what: `an early state of ${turns} turns`, ours: reading, yardstick: allowed(300), unit: 'ms' });
}

for (const turns of sizes) await measure(turns);
