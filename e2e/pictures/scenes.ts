/**
 * The scenes of the documentation's pictures, in one session with the program: each continues where the one before ended.
 */
import { expect, type Page } from '@playwright/test';
import { card, expectRun, inspector, openFile, openFlow, run, runCommand } from '../window.ts';

export interface Scene {
  /** Name of the files in `docs/images`, without theme and extension. */
  readonly name: string;
  /** Brings the window into the state of the picture. */
  show(page: Page): Promise<void>;
}

export const pictureSize = { width: 1440, height: 900 };

/** Selectors of parts that depend on the time or on the speed of the machine. */
export const varyingParts = [
  '.run-dock',
  '.run-header',
  '.node-card-header',
  '.react-flow__minimap',
  '.status-bar',
  '.inspector-top',
  '.monaco-editor .cursor',
  '.gallery-picture',
];

/** Waits until nothing moves and nothing is loading. */
async function settle(page: Page): Promise<void> {
  await page.mouse.move(700, 885);
  await page.waitForTimeout(800);
}

export const scenes: readonly Scene[] = [
  {
    name: 'first-screen',
    async show(page) {
      await expect(card(page, 'Save')).toBeVisible();
      await expect(page.getByRole('contentinfo')).toContainText('Engine ready');
      await settle(page);
    },
  },
  {
    name: 'question',
    async show(page) {
      await run(page);
      await page.getByRole('main').getByRole('button', { name: 'Review' }).first().click();
      await expect(inspector(page).getByRole('button', { name: /^Approve/ })).toBeVisible();
      await settle(page);
    },
  },
  {
    name: 'run-done',
    async show(page) {
      await inspector(page)
        .getByRole('button', { name: /^Approve/ })
        .click();
      await expectRun(page, 'completed');
      await card(page, 'Long letter').click();
      await inspector(page).getByRole('tab', { name: 'Output' }).click();
      await settle(page);
    },
  },
  {
    name: 'change-output',
    async show(page) {
      await inspector(page).getByRole('button', { name: 'Change output…' }).click();
      await settle(page);
    },
  },
  {
    name: 'past',
    async show(page) {
      await inspector(page).getByRole('button', { name: 'Cancel' }).click();
      const playhead = page.getByRole('slider', { name: 'Moment of the run' });
      await playhead.focus();
      for (let steps = 0; steps < 4; steps++) await page.keyboard.press('Shift+ArrowLeft');
      await expect(page.locator('.flow-canvas')).toHaveAttribute('data-past', 'true');
      await settle(page);
    },
  },
  {
    name: 'send-run',
    async show(page) {
      await page.getByRole('slider', { name: 'Moment of the run' }).press('End');
      await expect(page.locator('.flow-canvas')).not.toHaveAttribute('data-past', 'true');
      await runCommand(page, 'Send run…');
      await expect(page.getByRole('dialog').getByRole('button', { name: 'Save…' })).toBeEnabled();
      await settle(page);
    },
  },
  {
    name: 'breakpoint',
    async show(page) {
      await page.keyboard.press('Escape');
      await card(page, 'Save').click();
      await page.keyboard.press('F9');
      await run(page);
      await page.getByRole('main').getByRole('button', { name: 'Review' }).first().click();
      await inspector(page)
        .getByRole('button', { name: /^Approve/ })
        .click();
      await expectRun(page, 'paused');
      await card(page, 'Save').click();
      await settle(page);
    },
  },
  {
    name: 'text',
    async show(page) {
      await page.keyboard.press('F9');
      await runCommand(page, 'Continue the paused run');
      await expectRun(page, 'completed');
      await page.getByRole('radio', { name: 'Split' }).click();
      await expect(page.locator('.monaco-editor .view-lines')).toContainText('team_letter');
      await settle(page);
    },
  },
  {
    name: 'loop',
    async show(page) {
      await page.getByRole('radio', { name: 'Canvas' }).click();
      await page.getByRole('button', { name: 'Show or hide the dock' }).click();
      await openFlow(page, 'feedback');
      await card(page, 'Apologize').click();
      await settle(page);
    },
  },
  {
    name: 'gallery',
    async show(page) {
      await runCommand(page, 'Start from an example');
      await expect(page.getByRole('dialog')).toBeVisible();
      await settle(page);
    },
  },
  {
    name: 'agent',
    async show(page) {
      await page.keyboard.press('Escape');
      await openFile(page, 'reply-drafts.aip');
      await expect(page.getByText('The export of my notes stops at page 3.', { exact: true })).toBeVisible();
      await settle(page);
    },
  },
  {
    name: 'conversation',
    async show(page) {
      await openFile(page, 'support-desk/support.dialogue.yaml');
      await settle(page);
    },
  },
];
