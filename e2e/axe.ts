/** Checks a window with axe. */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** The axe rules that depend on colors. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/**
 * Fails if axe finds a serious problem. In the dark theme, only color rules are checked, because every state is also
 * checked in the light theme and only the colors differ.
 * @param state description of what is shown, for the message
 * @param part selector of the part to check; the whole page if absent
 */
export async function expectNoSeriousProblem(page: Page, state: string, part?: string): Promise<void> {
  // Inject axe once per page: loading its half megabyte takes as long as most of its rules.
  const isThere = await page.evaluate(() => 'axe' in window);
  // Passes are only counted: describing them takes as long as finding violations.
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: ';' }) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] });
  if (part !== undefined) axe.include(part);
  if (await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)) axe.withRules(colorRules);
  const find = async (): Promise<string[]> => {
    await page.evaluate(endTransitions);
    const { violations } = await axe.analyze();
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    return serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  };
  // New events of a run can start color transitions again during the check.
  await expect.poll(find, { message: `axe, ${state}`, timeout: 20_000 }).toEqual([]);
}

/** Waits for color transitions to end, because axe would check intermediate colors. */
async function endTransitions(): Promise<void> {
  const passing = document
    .getAnimations()
    .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().iterations !== Infinity);
  await Promise.allSettled(passing.map(({ finished }) => finished));
}

/** Runs the check in the light theme and then in the dark one, which stays active. */
export async function expectNoneInBothThemes(page: Page, state: string, part?: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectNoSeriousProblem(page, `${state}, ${colorScheme}`, part);
  }
}
