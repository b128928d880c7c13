/**
 * Measures the window, comparing each value with a baseline from the same run: panning and zooming large flows with
 * plain React Flow on a canvas of the same size, and opening and typing with the screen's frame time. Arguments: the
 * program's executable, a bare Electron executable, the folder of the built baseline pages.
 */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { _electron, type ElectronApplication } from '@playwright/test';
import {
  type CanvasFrames,
  type Drill,
  type Opening,
  openFlow,
  ourFrames,
  plainFrames,
  prepareProgram,
  streamingFrames,
  typingFrames,
} from './canvas-program.ts';
import { dagFlow, gridFlow } from './graphs.ts';
import { serveFolder } from './static-server.ts';
import { median, percentile, report } from './statistics.ts';
import { startTokenServer, streamFlow, tokenSettings } from './token-server.ts';

/** The largest grid is slow in plain React Flow: it draws only a few frames per second. */
const drills: readonly Drill[] = [
  { nodeCount: 200, frames: 120 },
  { nodeCount: 1_000, frames: 120 },
  { nodeCount: 5_000, frames: 30 },
];
/** The screen's frame time, in milliseconds. */
const frameMs = 1000 / 60;

const [programPath, electronPath, yardsticks] = process.argv.slice(2);
if (programPath === undefined || electronPath === undefined || yardsticks === undefined) {
  throw new Error('Usage: window PROGRAM ELECTRON YARDSTICK_FOLDER');
}
const emptyMain = path.join(yardsticks, 'empty-main.mjs');
const pages = await serveFolder(yardsticks);
const scratch = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
const home = path.join(scratch, 'home');
let launches = 0;

/** Starts a program with a new data folder, so that no launch benefits from an earlier one. */
async function launch(executablePath: string, args: readonly string[]): Promise<ElectronApplication> {
  const userData = path.join(scratch, `user-data-${launches++}`);
  const env = { ...process.env, MILLRACE_HOME: home };
  return await _electron.launch({ executablePath, args: [`--user-data-dir=${userData}`, ...args], env });
}

async function makeWorkspace(name: string, flows: Readonly<Record<string, string>>): Promise<string> {
  const folder = path.join(scratch, name);
  await mkdir(folder, { recursive: true });
  for (const [flow, text] of Object.entries(flows)) await writeFile(path.join(folder, `${flow}.flow.yaml`), text);
  return folder;
}

interface Round {
  readonly opening: Opening;
  /** Timings for a flow that needs automatic layout. */
  readonly layout: Opening;
  readonly ours: CanvasFrames;
  readonly plain: CanvasFrames;
  readonly typing: readonly number[];
}

async function measure(workspace: string, drill: Drill): Promise<Round> {
  const app = await launch(programPath as string, ['--workspace', workspace]);
  const page = await prepareProgram(app);
  const layout = await openFlow(page, 'layers');
  const opening = await openFlow(page, 'grid');
  const { size, ...ours } = await ourFrames(page, drill);
  const typing = await typingFrames(page);
  // The typed text is unsaved, so closing the window would show a question.
  await app.evaluate(({ app: program }) => program.exit(0)).catch(() => undefined);
  const address = `${pages.origin}/plain-canvas/index.html?nodes=${drill.nodeCount}`;
  const yardstick = await launch(electronPath as string, [emptyMain, `${address}&view=fit`]);
  const plain = await plainFrames(yardstick, address, { ...drill, size });
  await yardstick.close();
  return { opening, layout, ours, plain, typing };
}

/** Number of cards that show streams, words per second on each card, and duration. */
const streams = { count: 20, rate: 200, forMs: 4_000 } as const;

async function measureStreams(): Promise<readonly number[]> {
  const { count, rate, forMs } = streams;
  const { address, stop } = await startTokenServer();
  // Longer than the measurement, so that the run is still in progress when it ends.
  const prompt = `STREAM ${(rate * forMs * 3) / 1000} ${rate}`;
  const text = streamFlow(count, { prompt, isChain: false, maxParallel: count });
  const workspace = await makeWorkspace('of-streams', { first: gridFlow(2), streams: text });
  await mkdir(path.join(home, 'millrace'), { recursive: true });
  await writeFile(path.join(home, 'config-user.toml'), tokenSettings(address));
  const trusted = { version: 1, workspaces: [await realpath(workspace)] };
  await writeFile(path.join(home, 'millrace', 'trusted.json'), JSON.stringify(trusted));
  const app = await launch(programPath as string, ['--workspace', workspace]);
  const page = await prepareProgram(app);
  await openFlow(page, 'streams');
  const frames = await streamingFrames(page, forMs);
  await app.evaluate(({ app: program }) => program.exit(0)).catch(() => undefined);
  stop();
  return frames;
}

const gestures: Readonly<Record<keyof CanvasFrames, string>> = {
  panAtFit: 'pan, all in view',
  zoomAtFit: 'zoom in and out, from all in view',
  panAt100: 'pan at 100 %',
  zoomAt100: 'zoom out and in, from 100 %',
  dragOne: 'drag of one node',
  dragFifty: 'drag of 50 nodes',
};

function mean(samples: readonly number[]): number {
  return samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
}

function reportRound({ opening, layout, ours, plain, typing }: Round): void {
  const screen = { name: 'a frame of the screen', value: frameMs };
  const unit = 'ms';
  report({ what: 'open, to the first frame', ours: opening.drawnMs, yardstick: screen, unit });
  report({ what: 'the same with layout', ours: layout.drawnMs, yardstick: screen, unit });
  report({ what: 'longest frame of that', ours: layout.longestFrameMs, yardstick: screen, unit });
  for (const gesture of Object.keys(gestures) as (keyof CanvasFrames)[]) {
    for (const [name, figure] of Object.entries(figures)) {
      report({
        what: `${gestures[gesture]}, frame ${name}`,
        ours: figure(ours[gesture]),
        yardstick: { name: 'plain React Flow', value: figure(plain[gesture]) },
        unit,
      });
    }
  }
  for (const [name, figure] of Object.entries(figures)) {
    report({
      what: `typing next to the canvas, frame ${name}`,
      ours: figure(typing),
      yardstick: screen,
      unit,
    });
  }
}

const figures: Readonly<Record<string, (samples: readonly number[]) => number>> = {
  mean,
  p50: median,
  p95: (samples) => percentile(samples, 0.95),
};

console.log('software rendering');
for (const drill of drills) {
  const { nodeCount } = drill;
  const flows = { first: gridFlow(2), grid: gridFlow(nodeCount), layers: dagFlow(nodeCount) };
  const workspace = await makeWorkspace(`of-${nodeCount}`, flows);
  const taken = await measure(workspace, drill);
  console.log(`flow of ${nodeCount} nodes`);
  reportRound(taken);
}
const streaming = await measureStreams();
console.log(`${streams.count} cards with ${streams.rate} words per second each`);
for (const [name, figure] of Object.entries(figures)) {
  const screen = { name: 'a frame of the screen', value: frameMs };
  report({ what: `frame ${name}`, ours: figure(streaming), yardstick: screen, unit: 'ms' });
}
pages.close();
// Chromium may still write files while it exits.
await rm(scratch, { recursive: true, maxRetries: 10 });
