/** Counts user actions: clicks, keys, and texts that are typed or pasted. */
import { expect, type Locator, type Page } from '@playwright/test';
import { card } from './window.ts';

export class Hand {
  actions = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async click(target: Locator): Promise<void> {
    this.actions++;
    await target.click();
  }

  async fill(field: Locator, text: string): Promise<void> {
    this.actions++;
    await field.fill(text);
  }

  async press(key: string): Promise<void> {
    this.actions++;
    await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.actions++;
    await this.#page.keyboard.type(text);
  }

  /** Opens the palette with a "+" of a card. A newly added card may still be moving. */
  async plus(node: string, way: string = node): Promise<void> {
    this.actions++;
    await openPalette(this.#page, `Add a node after ${way}`, node);
  }
}

/**
 * Clicks a "+" until the palette is open. The "+" of a card, used when `node` is given, is only visible while the
 * pointer is on the card.
 */
export async function openPalette(page: Page, name: string, node?: string): Promise<void> {
  await expect(async () => {
    if (node !== undefined) await card(page, node).hover({ timeout: 2000 });
    await page.getByRole('button', { name }).first().click({ timeout: 2000 });
    await expect(page.getByRole('combobox', { name: 'Search node types' })).toBeVisible({ timeout: 2000 });
  }).toPass();
}
