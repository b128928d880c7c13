/**
 * Takes the pictures of the documentation from the running program, light and dark. `npm run docs:pictures` writes them
 * to `docs/images`; otherwise each one is compared with the file, so that the documentation shows the real program.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { differenceOf } from './pictures/compare.ts';
import { encodeAnimation, encodePicture } from './pictures/encode.ts';
import { copyGallery, gallerySize, takeGallery } from './pictures/gallery.ts';
import { record } from './pictures/recording.ts';
import { pictureSize, type Scene, scenes, varyingParts } from './pictures/scenes.ts';
import { type Program, type RunningProgram, test } from './program.ts';

const folder = path.join(import.meta.dirname, '../docs/images');
/** Names the engine that drew the pictures. Another one draws text and shadows slightly differently. */
const engineFile = path.join(folder, 'pictures.json');
const isWriting = process.env['MILLRACE_PICTURES'] === 'write';
const maxDifference = 0.005;
const themes = ['light', 'dark'] as const;

async function start(program: Program, args: readonly string[] = [], size = pictureSize): Promise<RunningProgram> {
  const settings = { windowBounds: { x: 0, y: 0, ...size, isMaximized: false } };
  await mkdir(program.folders.userData, { recursive: true });
  await writeFile(path.join(program.folders.userData, 'settings.json'), JSON.stringify(settings));
  const running = await program.start(args);
  await running.app.evaluate(({ BrowserWindow }, { width, height }) => {
    for (const window of BrowserWindow.getAllWindows()) window.setContentSize(width, height);
  }, size);
  return running;
}

/** Returns the engine that draws the pages, and the system. */
async function engineOf({ app }: RunningProgram) {
  return app.evaluate(() => ({ chromium: process.versions['chrome'], system: `${process.platform} ${process.arch}` }));
}

async function take(page: Page, { name }: Scene): Promise<void> {
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    const picture = await page.screenshot({ animations: 'disabled' });
    const file = path.join(folder, `${name}-${theme}.webp`);
    if (isWriting) await encodePicture(picture, file);
    else {
      const difference = await differenceOf(page, await readFile(file), picture, varyingParts.join(', '));
      expect.soft(difference, `share of changed pixels in ${path.basename(file)}`).toBeLessThanOrEqual(maxDifference);
    }
  }
}

// Takes longer on a busy machine than the other tests.
test.setTimeout(600_000);

test('the pictures in the documentation show what the program shows', { tag: '@thorough' }, async ({ program }) => {
  const running = await start(program);
  const engine = await engineOf(running);
  if (isWriting) await writeFile(engineFile, `${JSON.stringify(engine, null, 2)}\n`);
  const drawnBy: unknown = JSON.parse(await readFile(engineFile, 'utf8'));
  const isAlike = JSON.stringify(drawnBy) === JSON.stringify(engine);
  // biome-ignore lint/suspicious/noSkippedTests: another engine draws text differently.
  test.skip(!isAlike, `the pictures were drawn by ${JSON.stringify(drawnBy)}, and this is ${JSON.stringify(engine)}`);
  for (const scene of scenes) {
    await test.step(scene.name, async () => {
      await scene.show(running.page);
      await take(running.page, scene);
    });
  }
});

if (isWriting) {
  test('record a run', async ({ program }) => {
    for (const theme of themes) {
      const { app, page } = await start(program);
      await page.emulateMedia({ colorScheme: theme });
      const frames = await record(page);
      await encodeAnimation(frames, path.join(folder, `run-${theme}.webp`));
      await app.close();
    }
  });

  test('take the pictures of the gallery', async ({ program }) => {
    const workspace = await program.makeTrustedWorkspace({});
    await copyGallery(workspace);
    const { page } = await start(program, ['--workspace', workspace], gallerySize);
    await takeGallery(page, themes);
  });
}
