/**
 * Test helper: a workspace with agents in real files, and an engine opened in the same way as by programs.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunId } from '../../base/ids.ts';
import { createEngine, type Engine, type EngineOptions, type StartAgent } from '../../index.ts';
import type { RunEndEvent } from '../../runtime/kernel/events/run-event.ts';

export interface EndedAgent {
  readonly runId: RunId;
  readonly end: RunEndEvent;
}

export interface AgentWorkspace {
  /** Absolute path; contains `workspace`, `base` and files outside both. */
  readonly root: string;
  at(name: string): string;
  /** Writes a file in `root` and returns its absolute path. */
  write(name: string, content: string | Uint8Array): string;
  /** Opens an engine on `workspace` with the base folder `base`. It is closed with the workspace. */
  open(options?: Partial<EngineOptions>): Promise<Engine>;
  /** Starts an agent and waits for its end. */
  run(engine: Engine, request: StartAgent): Promise<EndedAgent>;
  close(): Promise<void>;
}

/** Creates the folders. */
export function createAgentWorkspace(): AgentWorkspace {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'millrace-agents-')));
  const at = (name: string): string => path.join(root, name);
  const engines: Engine[] = [];
  mkdirSync(at('workspace'));
  return {
    root,
    at,
    write(name, content) {
      mkdirSync(path.dirname(at(name)), { recursive: true });
      writeFileSync(at(name), content);
      return at(name);
    },
    async open(options = {}) {
      const engine = await createEngine({ workspace: at('workspace'), homeFolder: at('base'), ...options });
      engines.push(engine);
      return engine;
    },
    async run(engine, request) {
      const accepted = await engine.startAgent(request);
      if ('work' in accepted) throw new Error('It waits for work.');
      await engine.whenEnded(accepted.runId);
      return { runId: accepted.runId, end: await endOf(engine, accepted.runId) };
    },
    async close() {
      await Promise.all(engines.map((engine) => engine.close()));
      rmSync(root, { recursive: true });
    },
  };
}

/** Returns how a run ended. */
export async function endOf(engine: Engine, runId: RunId): Promise<RunEndEvent> {
  const last = (await engine.readEvents(runId, -1, 5000)).at(-1)?.event;
  if (last?.type !== 'run:end') throw new Error(`Run ${runId} has no end.`);
  return last;
}

/** Returns the result of After All. */
export function afterAllOf({ output }: RunEndEvent): unknown {
  return (output as { after_all: unknown } | undefined)?.after_all;
}
