/**
 * Takes the pictures of the gallery: the file that each example opens, without the panels around it.
 */
import { cp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { parse } from 'yaml';
import { encodeSmallPicture } from './encode.ts';

const gallery = path.join(import.meta.dirname, '../../resources/gallery');
/** A window in which the canvas has room for a whole example. */
export const gallerySize = { width: 1880, height: 980 };

/** Copies all examples into a workspace. */
export async function copyGallery(workspace: string): Promise<void> {
  await cp(gallery, workspace, { recursive: true });
}

/** Returns the part of the window that shows the open file, as wide as the canvas and in its proportions of 16 to 9. */
async function areaOf(page: Page) {
  const canvas = page.locator('.react-flow').first();
  const isFlow = (await canvas.count()) > 0;
  const box = await (isFlow ? canvas : page.getByRole('main')).boundingBox();
  if (box === null) throw new Error('The file is not visible.');
  const height = (box.width * 9) / 16;
  // The toolbar is at the bottom of the canvas, and the tabs are at the top of other files.
  const y = isFlow ? box.y + Math.max(0, (box.height - height) / 2) : box.y + 40;
  return { x: box.x, y, width: box.width, height };
}

/** Opens a file. The tree has more rows than it draws. */
async function openByName(page: Page, file: string): Promise<void> {
  await page.keyboard.press('Control+p');
  await page.getByRole('combobox').fill(file);
  await page.keyboard.press('Enter');
}

/** Writes the pictures of all examples in each theme. */
export async function takeGallery(page: Page, themes: readonly ('light' | 'dark')[]): Promise<void> {
  await page.locator('[role="tree"] [data-tree-row]').first().waitFor();
  for (const id of await readdir(gallery)) {
    const { opens } = parse(await readFile(path.join(gallery, id, 'about.yaml'), 'utf8'));
    await openByName(page, `${id}/${opens}`);
    await expect(page.getByRole('main', { name: path.basename(opens) })).toBeVisible();
    await page.mouse.move(1400, 970);
    await page.waitForTimeout(1000);
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      const picture = await page.screenshot({ animations: 'disabled', clip: await areaOf(page) });
      await encodeSmallPicture(picture, path.join(gallery, id, `picture-${theme}.webp`));
    }
  }
}
