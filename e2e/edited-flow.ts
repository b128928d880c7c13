/** Edits a flow on the canvas and checks the file. */
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

/** Creates a workspace with `hand.flow.yaml` and opens that flow. */
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

/** Saves until the file satisfies `isDone`, and returns its text. */
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

/**
 * Saves the effect of a gesture on `before`. Checks that undo restores the exact text and that redo works, and returns
 * the new text.
 */
export async function savedAndBack(canvas: Canvas, before: string): Promise<string> {
  const after = await saved(canvas, (text) => text !== before);
  await canvas.page.keyboard.press('Control+z');
  await saved(canvas, (text) => text === before);
  await canvas.page.keyboard.press('Control+Shift+z');
  await saved(canvas, (text) => text === after);
  return after;
}

/** Returns the lines of `after` that are not in `before`. */
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
