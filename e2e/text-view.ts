/**
 * What a person does and sees in the text of a file.
 */
import type { Locator, Page } from '@playwright/test';
import { openFlow } from './window.ts';

/** Opens a flow's text alone. */
export async function showText(page: Page, name: string): Promise<void> {
  await openFlow(page, name);
  await page.getByRole('radio', { name: 'Text', exact: true }).click();
  await page.locator('.monaco-editor').first().waitFor();
}

/** Writes at the end of the text. */
export async function type(page: Page, text: string): Promise<void> {
  await page.locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
}

/** What can be seen of the text. */
export function lines(page: Page): Locator {
  return page.locator('.monaco-editor .view-lines').first();
}
