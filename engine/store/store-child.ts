/**
 * A program for tests: another process that uses the store. `spawn-store-child.ts` bundles and starts it.
 */
import { writeSync } from 'node:fs';
import { systemClock } from '../base/clock.ts';
import { openWorkspaceStore } from './open-workspace-store.ts';
import { currentOwner } from './owner.ts';
import { envelope, newRun, runCompleted, runStart } from './run-samples.ts';
import type { RunStore } from './run-store.ts';
import { loadSqlite } from './sqlite-driver.ts';
import { openRunStore } from './sqlite-run-store.ts';

const context = { clock: systemClock, owner: currentOwner() };

/** Each is a command: `<name> <path> <argument>`. */
const commands: Readonly<Record<string, (path: string, argument: string) => Promise<void>>> = {
  /** A whole run of 200 events, one transaction each. */
  async 'write-run'(file, runId) {
    const store = await openRunStore({ file, ...context });
    const run = newRun(runId);
    store.createRun(run);
    store.append(run.runId, [envelope(run.runId, runStart, 0)]);
    for (let seq = 1; seq < 199; seq += 1) {
      appendText(store, runId, seq);
    }
    store.append(run.runId, [envelope(run.runId, runCompleted, 199)]);
    store.close();
  },
  /** A run without end; says each number once it is durable. */
  async 'write-forever'(file, runId) {
    const store = await openRunStore({ file, ...context });
    store.createRun(newRun(runId));
    say(context.owner);
    for (let seq = 0; ; seq += 1) {
      appendText(store, runId, seq);
      say(seq);
    }
  },
  /** Opens 20 fresh histories in a folder, each at the same moment as the other processes that got the same start. */
  async 'open-many'(folder, startAt) {
    await loadSqlite();
    for (let index = 0; index < 20; index += 1) {
      const moment = Number(startAt) + index * 20;
      while (Date.now() < moment) {
        // Spinning, for a timer would wake each process at its own time.
      }
      const store = await openRunStore({ file: `${folder}/${index}.db`, ...context });
      store.close();
    }
  },
  /** Opens a workspace's store as another user (who owns nothing here), and says what came of it. */
  async 'open-as'(workspace, userId) {
    await loadSqlite();
    if (userId !== '') {
      process.setgid?.(Number(userId));
      process.setuid?.(Number(userId));
    }
    const { store, notices } = await openWorkspaceStore({ workspace, ...context });
    store.createRun(newRun('r1'));
    say({ file: store.file, notices, runs: store.listRuns({ limit: 10 }).length });
    store.close();
  },
};

function appendText(store: RunStore, id: string, seq: number): void {
  const { runId } = newRun(id);
  store.append(runId, [envelope(runId, { type: 'agent:text', content: `piece ${seq}` }, seq)]);
}

/** One JSON line, written before the next statement runs: what was said has happened even if the process is killed. */
function say(value: unknown): void {
  writeSync(1, `${JSON.stringify(value)}\n`);
}

const [name = '', path = '', argument = ''] = process.argv.slice(2);
await commands[name]?.(path, argument);
