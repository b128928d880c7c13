/**
 * Reads and edits the text view of a file as a user does.
 */
import type { Locator, Page } from '@playwright/test';
import { openFlow } from './window.ts';

/** Opens only the text of a flow. */
export async function showText(page: Page, name: string): Promise<void> {
  await openFlow(page, name);
  await page.getByRole('radio', { name: 'Text', exact: true }).click();
  await page.locator('.monaco-editor').first().waitFor();
}

/** Types at the end of the text. */
export async function type(page: Page, text: string): Promise<void> {
  await page.locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
}

/** Returns the visible lines of the text. */
export function lines(page: Page): Locator {
  return page.locator('.monaco-editor .view-lines').first();
}
