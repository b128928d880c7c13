import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import colors from 'picocolors';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEngine, type Engine, systemClock } from '../index.ts';
import type { RunId } from '../isomorphic.ts';
import { onSignals } from './cancel-on-signals.ts';
import type { CliContext } from './cli-context.ts';
import { followRun } from './follow-run.ts';

let folder: string;
let engine: Engine;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-follow-'));
  engine = await createEngine({ workspace: folder });
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

const long = 'flow: { name: Long }\nnodes: [{ id: pause, type: control.wait, input: { ms: 60000 } }]\nedges: []';

/** Starts a long run and resolves once it has started. */
async function begin(): Promise<{ runId: RunId }> {
  const begun = new Promise<void>((resolve) => {
    const stop = engine.subscribe(() => {
      stop();
      resolve();
    });
  });
  const started = await engine.startRun({ path: 'long.flow.yaml', text: long, inputs: {} });
  await begun;
  return started;
}

/** Follows a run and presses Ctrl-C at the given times, in milliseconds: before it starts, or afterwards. */
async function press(
  start: (pressAll: () => void) => Promise<{ runId: RunId } | undefined>,
  ...times: readonly number[]
): Promise<{ code: number; quits: readonly number[]; left: () => number }> {
  let now = 0;
  const quits: number[] = [];
  const context: CliContext = {
    terminal: {
      out() {},
      json() {},
      err() {},
      isLive: false,
      columns: () => 80,
      rows: () => 24,
      colors: colors.createColors(false),
      control: (sequence) => sequence,
    },
    clock: { ...systemClock, now: () => now },
    folder,
    builtInPacks: undefined,
    command: [],
    settings: undefined,
    quit(code) {
      quits.push(code);
      throw new Error('quit');
    },
  };
  const before = process.listeners('SIGINT');
  const pressAll = (): void => {
    const pressed = process.listeners('SIGINT').filter((listener) => !before.includes(listener));
    for (const time of times) {
      now = time;
      for (const listener of pressed) {
        try {
          listener('SIGINT');
        } catch {
          // The process would have exited here.
        }
      }
    }
  };
  const code = await followRun(context, { engine, json: undefined }, () => start(pressAll));
  const left = (): number => process.listeners('SIGINT').length - before.length;
  return { code, quits, left };
}

const onceBegun = async (pressAll: () => void): Promise<{ runId: RunId }> => {
  const started = await begin();
  pressAll();
  return started;
};

test('the first press cancels; its second signal may arrive after the end and is also ignored', async () => {
  const { code, quits, left } = await press(onceBegun, 0);
  expect({ code, left: left() }).toEqual({ code: 130, left: 1 });
  process.emit('SIGINT');
  expect(quits).toEqual([]);
  await expect.poll(left).toBe(0);
});

test('without a press, no listener remains', async () => {
  const before = process.listeners('SIGTERM').length;
  onSignals(() => {})();
  expect(process.listeners('SIGTERM').length).toBe(before);
});

test('a second press exits immediately, but not a duplicate of the first', async () => {
  expect((await press(onceBegun, 0, 20, 290)).quits).toEqual([]);
  expect((await press(onceBegun, 0, 20, 400)).quits).toEqual([130]);
});

test('the first press exits immediately while a run is being prepared, for example while agents are being listed', async () => {
  const listing = async (pressAll: () => void): Promise<undefined> => {
    pressAll();
    return undefined;
  };
  expect(await press(listing, 0)).toMatchObject({ quits: [130] });
});
