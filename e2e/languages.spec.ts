/** Tests that all text of the window can be translated and has room to grow, and that a window can be German. */
import { expect } from '@playwright/test';
import { test } from './program.ts';
import { findHardCodedText, findMisfits } from './shown-text.ts';
import { smallWindow, startIn, walkSurfaces } from './surfaces.ts';

test('shows no hard-coded text and cuts none off in the pseudo-language', async ({ program }) => {
  const { page } = await startIn(program, 'pseudo', smallWindow);
  await walkSurfaces(page, async (surface) => {
    expect.soft(await findHardCodedText(page), `text on ${surface} that is not in a table`).toEqual([]);
    // The canvas may still be moving to show a node.
    const fits = expect.configure({ soft: true }).poll(() => findMisfits(page), `text on ${surface} that does not fit`);
    await fits.toEqual([]);
  });
});

test('shows the panels, a dialog and the menus of a German window in German', async ({ program }) => {
  const { app, page } = await startIn(program, 'de', smallWindow);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.locator('.rail').getByRole('button', { name: 'Läufe' })).toBeVisible();
  await expect(page.locator('.segmented').first()).toHaveText(/Zeichenfläche.*Text/);
  await expect(page.locator('.inspector')).toContainText('Beschreibung');
  await expect(page.getByRole('contentinfo')).toContainText('Engine bereit');
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('dialog', { name: 'Einstellungen' })).toContainText('Verbindung testen');
  expect(await findMisfits(page)).toEqual([]);
  const menus = await app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label));
  expect(menus?.map((label) => label.replace('&', ''))).toContain('Datei');
});
