/**
 * A program for tests: another process that uses the store. `spawn-store-child.ts` bundles and starts it.
 */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { systemClock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import { asRunId } from '../base/ids.ts';
import { openDb, type TxDb } from '../history/store/db.ts';
import { openWorkspaceStore } from '../history/store/open-workspace-store.ts';
import { currentOwner } from '../history/store/owner.ts';
import type { RunStore } from '../history/store/run-store.ts';
import { loadSqlite } from '../history/store/sqlite-driver.ts';
import { openRunStore } from '../history/store/sqlite-run-store.ts';
import { envelope, newRun, runCompleted, runStart } from './run-samples.ts';
import type { StoreCommand } from './spawn-store-child.ts';

const context = { clock: systemClock, owner: currentOwner() };

/** Commands, called as `<name> <path> <argument>`. */
const commands: Readonly<Record<StoreCommand, (path: string, argument: string) => Promise<void>>> = {
  /** Writes a complete run of 200 events, one transaction each. */
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
  /** Writes an endless run; prints each number once it is durable. */
  async 'write-forever'(file, runId) {
    const store = await openRunStore({ file, ...context });
    store.createRun(newRun(runId));
    say(context.owner);
    for (let seq = 0; ; seq += 1) {
      appendText(store, runId, seq);
      say(seq);
    }
  },
  /** Opens 20 new histories in a folder, each at the same time as the other processes with the same start time. */
  async 'open-many'(folder, startAt) {
    await loadSqlite();
    for (let index = 0; index < 20; index += 1) {
      waitUntil(Number(startAt) + index * 20);
      const store = await openRunStore({ file: `${folder}/${index}.db`, ...context });
      store.close();
    }
  },
  /** Claims the runs `r0` to `r19` once signaled, prints each outcome, and keeps them until it is signaled to end. */
  async 'claim-many'(file) {
    const store = await openRunStore({ file, ...context });
    await beTold();
    for (let index = 0; index < 20; index += 1) {
      say(outcomeOf(() => store.claim(asRunId(`r${index}`))));
    }
    await beTold();
    store.close();
    process.stdin.destroy();
  },
  /** Once signaled: records 20 firings, starts a run for each, and prints the outcomes. */
  async 'fire-many'(file, name) {
    const store = await openRunStore({ file, ...context });
    await beTold();
    process.stdin.destroy();
    for (let index = 0; index < 20; index += 1) {
      const at = { flow: 'a.flow.yaml', trigger: 'hourly', key: `k${index}`, createdAt: index };
      const { firing } = store.firings.add({ ...at, event: {}, priority: 0, state: 'waiting' });
      const run = newRun(`${name}-${index}`, { firing: { id: firing.id } });
      say(outcomeOf(() => void store.createRun(run)));
      letOthers();
    }
    store.close();
  },
  /**
   * Once signaled: increments the table `counter` 200 times, and inserts as many batches of five rows into `item`;
   * every fifth batch fails.
   */
  async 'count-and-add'(file, name) {
    const db = await openDb(file);
    await beTold();
    process.stdin.destroy();
    for (let batch = 0; batch < 200; batch += 1) {
      db.execTx((tx) => {
        const { n } = tx.get<{ n: number }>('SELECT n FROM counter') ?? { n: Number.NaN };
        tx.run('UPDATE counter SET n = ?', n + 1);
      });
      outcomeOf(() => db.execTx((tx) => addBatch(tx, name, batch)));
      letOthers();
    }
    db.close();
  },
  /** Opens a history that the user named, as another user, and prints the outcome. */
  async 'open-named-as'(file, userId) {
    await becomeUser(userId);
    try {
      (await openRunStore({ file, ...context })).close();
      say('opened');
    } catch (error) {
      say(EngineError.is(error) ? { code: error.code, message: error.message } : String(error));
    }
  },
  /** Opens a workspace's store as another user (who owns nothing here), and prints the outcome. */
  async 'open-as'(workspace, userId) {
    await becomeUser(userId);
    const { store, notices } = await openWorkspaceStore({ workspace, ...context });
    store.createRun(newRun('r1'));
    say({ file: store.file, notices, runs: store.listRuns({ limit: 10 }).length });
    store.close();
  },
};

/** Loads everything required, then drops to the permissions of another user. An empty id keeps the current user. */
async function becomeUser(userId: string): Promise<void> {
  await loadSqlite();
  if (userId !== '') {
    process.setgid?.(Number(userId));
    process.setuid?.(Number(userId));
  }
}

/** Prints that it is ready, and waits for a line. */
async function beTold(): Promise<void> {
  say('ready');
  await once(process.stdin, 'data');
}

/** Otherwise the process that released the lock would acquire it again before the waiting ones check it. */
function letOthers(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
}

/** Busy-waits, because a timer would wake each process at a different time. */
function waitUntil(moment: number): void {
  while (Date.now() < moment) {
    // Busy-wait.
  }
}

/** Returns 'done', or the code of the error. */
function outcomeOf(work: () => void): string {
  try {
    work();
    return 'done';
  } catch (error) {
    if (!EngineError.is(error)) {
      throw error;
    }
    return error.code;
  }
}

function addBatch(tx: TxDb, name: string, batch: number): void {
  for (let place = 0; place < 5; place += 1) {
    tx.execTx((inner) => inner.run('INSERT INTO item (writer, batch, place) VALUES (?, ?, ?)', name, batch, place));
  }
  if (batch % 5 === 4) {
    throw new EngineError({ code: 'test.refused', message: 'This batch is not wanted.' });
  }
}

function appendText(store: RunStore, id: string, seq: number): void {
  const { runId } = newRun(id);
  store.append(runId, [envelope(runId, { type: 'agent:text', content: `piece ${seq}` }, seq)]);
}

/**
 * Prints one JSON line synchronously before the next statement runs, so that it is true even if the process is killed.
 */
function say(value: unknown): void {
  writeSync(1, `${JSON.stringify(value)}\n`);
}

const [name = '', path = '', argument = ''] = process.argv.slice(2);
// Only `spawn-store-child.ts` starts this program, with a valid name.
await commands[name as StoreCommand](path, argument);
