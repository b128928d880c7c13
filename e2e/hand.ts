/** Counts what a person does: clicks, keys, and texts that are typed or pasted. */
import type { Locator, Page } from '@playwright/test';

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
}
