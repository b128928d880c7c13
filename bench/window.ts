/**
 * What the window costs, each figure beside a yardstick of the same run:
 * panning a large graph against plain React Flow, and program start to first card against an empty Electron window.
 * Arguments: the program's executable, a bare Electron executable, the folder of built yardstick pages.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { gridFlow } from './graphs.ts';
import { serveFolder } from './static-server.ts';
import { median, percentile, report } from './statistics.ts';

const panNodes = 1_000;
const panFrames = 240;
const rounds = 5;

const [programPath, electronPath, yardsticks] = process.argv.slice(2);
if (programPath === undefined || electronPath === undefined || yardsticks === undefined) {
  throw new Error('Usage: window PROGRAM ELECTRON YARDSTICK_FOLDER');
}
const emptyMain = path.join(yardsticks, 'empty-main.mjs');
const pages = await serveFolder(yardsticks);
const scratch = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
let launches = 0;

/** Every launch has user data of its own, so that none profits from an earlier one. */
async function launch(executablePath: string, args: readonly string[]): Promise<ElectronApplication> {
  const userData = path.join(scratch, `user-data-${launches++}`);
  return await _electron.launch({ executablePath, args: [`--user-data-dir=${userData}`, ...args] });
}

async function makeWorkspace(name: string, nodeCount: number): Promise<string> {
  const folder = path.join(scratch, name);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'grid.flow.yaml'), gridFlow(nodeCount));
  return folder;
}

/** Milliseconds between frames while the canvas is panned a little in each. */
async function panSamples(page: Page): Promise<number[]> {
  return await page.evaluate(async (frames) => {
    const pane = document.querySelector('.react-flow__pane');
    if (pane === null) throw new Error('No canvas');
    const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const samples: number[] = [];
    let last = await nextFrame();
    for (let i = 0; i < frames; i++) {
      pane.dispatchEvent(
        new WheelEvent('wheel', { deltaX: 24, deltaY: 6, clientX: 500, clientY: 400, bubbles: true, cancelable: true }),
      );
      const now = await nextFrame();
      samples.push(now - last);
      last = now;
    }
    return samples;
  }, panFrames);
}

async function panOurs(workspace: string): Promise<number[]> {
  const app = await launch(programPath as string, ['--workspace', workspace]);
  const page = await app.firstWindow();
  await page.getByText('grid.flow.yaml').first().click();
  await page.locator('.react-flow__node').first().waitFor();
  // First the start of the flow is shown, from further away.
  await page.getByRole('button', { name: /^Zoom is \d\d percent/ }).click();
  await page.getByRole('button', { name: /^Zoom is 100 percent/ }).waitFor();
  const before = await page.locator('.react-flow__viewport').getAttribute('style');
  const samples = await panSamples(page);
  const after = await page.locator('.react-flow__viewport').getAttribute('style');
  if (before === after || !after?.includes('scale(1)')) throw new Error(`The canvas did not pan at 100 %: ${after}`);
  await app.close();
  return samples;
}

async function panPlain(): Promise<number[]> {
  const address = `${pages.origin}/plain-canvas/index.html?nodes=${panNodes}`;
  const app = await launch(electronPath as string, [emptyMain, address]);
  const page = await app.firstWindow();
  await page.locator('.react-flow__node').first().waitFor();
  const samples = await panSamples(page);
  await app.close();
  return samples;
}

async function startOurs(workspace: string): Promise<number> {
  const startedAt = performance.now();
  const app = await launch(programPath as string, ['--workspace', workspace]);
  const page = await app.firstWindow();
  await page.locator('.react-flow__node').first().waitFor();
  const startMs = performance.now() - startedAt;
  await app.close();
  return startMs;
}

async function startEmpty(): Promise<number> {
  const startedAt = performance.now();
  const app = await launch(electronPath as string, [emptyMain, `${pages.origin}/empty.html`]);
  const page = await app.firstWindow();
  await page.locator('main').waitFor();
  const startMs = performance.now() - startedAt;
  await app.close();
  return startMs;
}

const large = await makeWorkspace('large', panNodes);
const small = await makeWorkspace('small', 12);
const pan = { ours: [] as number[], plain: [] as number[] };
const start = { ours: [] as number[], empty: [] as number[] };
for (let round = 0; round < rounds; round++) {
  start.empty.push(await startEmpty());
  start.ours.push(await startOurs(small));
  pan.plain.push(percentile(await panPlain(), 0.95));
  pan.ours.push(percentile(await panOurs(large), 0.95));
}
pages.close();
await rm(scratch, { recursive: true });

console.log(`median of ${rounds} rounds, software rendering`);
report({
  what: `pan at 100 %, ${panNodes} nodes, frame p95`,
  ours: median(pan.ours),
  yardstick: { name: 'plain React Flow', value: median(pan.plain) },
  unit: 'ms',
});
report({
  what: 'start to first card',
  ours: median(start.ours),
  yardstick: { name: 'empty window', value: median(start.empty) },
  unit: 'ms',
});
