/**
 * Test helper: a workspace in which flows change files, and undo is called on their runs.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import type { Engine, EngineOptions } from '../../index.ts';
import { createAgentWorkspace } from '../wiring/test-agent-workspace.ts';

/** A node that writes a file. */
export function write(path: string, text: string, mode = 'overwrite'): object {
  return { type: 'file.write', input: { path, text }, config: { mode } };
}

/** A node that runs Lua. */
export function lua(code: string): object {
  return { type: 'script.lua', config: { code }, input: {} };
}

/** Creates the workspace with a trusting engine. */
export async function createUndoWorkspace() {
  const at = createAgentWorkspace();
  const open = (options: Partial<EngineOptions> = {}): Promise<Engine> =>
    at.open({ isTrusted: true, env: { ...process.env, XDG_DATA_HOME: at.at('data') }, ...options });
  const engine = await open();
  const file = (path: string): string => at.at(`workspace/${path}`);
  const put = (path: string, text: string | Uint8Array): string => at.write(`workspace/${path}`, text);
  const changes = async (runId: RunId) => (await engine.changedFiles(runId)).files;
  return {
    ...at,
    engine,
    open,
    file,
    put,
    read: (path: string): string => readFileSync(file(path), 'utf8'),
    /** Runs nodes one after the other, which all must complete. */
    async runNodes(nodes: readonly object[], of = engine): Promise<RunId> {
      const named = nodes.map((node, index) => ({ id: `n${index}`, ...node }));
      const edges = named.slice(1).map(({ id }, index) => ({ from: `n${index}`, to: id }));
      const text = JSON.stringify({ flow: { name: 'F' }, nodes: named, edges });
      put('f.flow.yaml', text);
      const { runId } = await of.startRun({ path: 'f.flow.yaml', text, inputs: {} });
      await of.whenEnded(runId);
      expect(await of.getRun(runId)).toMatchObject({ status: 'completed' });
      return runId;
    },
    changes,
    /** Returns the changes in short form, such as `changed a.txt as-left`. */
    listed: async (runId: RunId): Promise<readonly string[]> =>
      (await changes(runId)).map(({ change, path, state, isLost }) =>
        [change, path, state, ...(isLost === true ? ['lost'] : [])].join(' '),
      ),
    /** Puts back all files of a run that have not changed since. */
    undo: async (runId: RunId): ReturnType<Engine['undoFiles']> =>
      await engine.undoFiles({ runId, files: (await changes(runId)).map(({ path }) => ({ path })) }),
  };
}

export type UndoWorkspace = Awaited<ReturnType<typeof createUndoWorkspace>>;

/** Returns the outcomes by path. */
export async function outcomes(undone: ReturnType<Engine['undoFiles']>): Promise<object> {
  return Object.fromEntries((await undone).files.map(({ path, outcome }) => [path, outcome]));
}
