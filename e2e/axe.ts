/** What axe says of a window. */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Those of axe's usual rules that ask for colours. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/**
 * Fails when axe finds something serious. What is looked at in the dark theme is looked at in the light one too, which
 * differs in its colours only: in the dark one, these are all that is judged.
 * @param state what is shown, for the message
 * @param part selector of the part that is judged, else all of the page is
 */
export async function expectNoSeriousProblem(page: Page, state: string, part?: string): Promise<void> {
  // Read once for each page: its half megabyte takes as long as most of its rules.
  const isThere = await page.evaluate(() => 'axe' in window);
  // What passes is counted only, not described: that takes as long as finding what does not.
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
  // While it looks, what a run has just told may set colours in motion again.
  await expect.poll(find, { message: `axe, ${state}`, timeout: 20_000 }).toEqual([]);
}

/** Colours that are on their way to others would be judged as they are in between. */
async function endTransitions(): Promise<void> {
  const passing = document
    .getAnimations()
    .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().iterations !== Infinity);
  await Promise.allSettled(passing.map(({ finished }) => finished));
}

/** The same in the light theme and in the dark one, which stays. */
export async function expectNoneInBothThemes(page: Page, state: string, part?: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectNoSeriousProblem(page, `${state}, ${colorScheme}`, part);
  }
}
