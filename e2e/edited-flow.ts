/** A flow that is changed on the canvas, and judged by its file. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { drag, middleOf, type Point } from './pointer.ts';
import type { Files, Program } from './program.ts';
import { openFlow } from './window.ts';

/** A flow on a canvas, and its file. */
export interface Canvas {
  readonly page: Page;
  readonly file: string;
  readonly workspace: string;
}

/** Opens a workspace with `hand.flow.yaml`, and that. */
export async function openCanvas(program: Program, text: string, files: Files = {}): Promise<Canvas> {
  const workspace = await program.makeWorkspace({ 'hand.flow.yaml': text, ...files });
  const { page } = await program.open(workspace);
  await openFlow(page, 'hand');
  await expect(page.locator('.flow-canvas > .react-flow')).toBeFocused();
  return { page, workspace, file: path.join(workspace, 'hand.flow.yaml') };
}

export function cardOf(page: Page, id: string): Locator {
  return page.locator(`[data-card="${id}"]`);
}

/** The text of the file once it is saved, and is what it should be. */
export async function saved({ page, file }: Canvas, isDone: (text: string) => boolean): Promise<string> {
  let text = '';
  await expect
    .poll(async () => {
      await page.keyboard.press('Control+s');
      text = await readFile(file, 'utf8');
      return isDone(text) ? '' : text;
    })
    .toBe('');
  return text;
}

/** Saves what a gesture has made of `before`; taken back once it is gone to the byte, and it can be done again. */
export async function savedAndBack(canvas: Canvas, before: string): Promise<string> {
  const after = await saved(canvas, (text) => text !== before);
  await canvas.page.keyboard.press('Control+z');
  await saved(canvas, (text) => text === before);
  await canvas.page.keyboard.press('Control+Shift+z');
  await saved(canvas, (text) => text === after);
  return after;
}

/** Lines of `after` that `before` has not. */
export function newLines(before: string, after: string): string[] {
  const old = new Set(before.split('\n'));
  return after.split('\n').filter((line) => !old.has(line));
}

/** Drags a card. */
export async function move(page: Page, id: string, by: Point): Promise<void> {
  const { x, y } = await middleOf(cardOf(page, id));
  await drag(page, [
    { x, y },
    { x: x + by.x, y: y + by.y },
  ]);
}
