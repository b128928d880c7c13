/**
 * What a user does and sees in a window. Each function is named after the action or element.
 */
import { expect, type Locator, type Page } from '@playwright/test';

/** Returns the workspace's file tree. */
export function fileTree(page: Page): Locator {
  return page.getByRole('tree', { name: 'Workspace files' });
}

/**
 * Returns a file or a folder that is expanded in the tree. Markers (has errors, changed, not in git) follow the name.
 */
export function fileRow(page: Page, name: string): Locator {
  return fileTree(page).getByRole('treeitem', { name: new RegExp(`^${name.replaceAll('.', '\\.')}(,|$)`) });
}

/** Opens a file of the workspace and the folders that contain it, in a window of any language. */
export async function openFile(page: Page, path: string): Promise<void> {
  const row = (target: string): Locator => page.locator(`[role="tree"] [data-tree-row="${target}"]`);
  const folders = path.split('/').slice(0, -1);
  for (const [index] of folders.entries()) {
    const folder = row(folders.slice(0, index + 1).join('/'));
    if ((await folder.getAttribute('aria-expanded')) === 'false') await folder.click();
  }
  await row(path).click();
}

export async function openFlow(page: Page, name: string): Promise<void> {
  await fileRow(page, `${name}.flow.yaml`).click();
  await expect(page.getByRole('main', { name: `${name}.flow.yaml` })).toBeVisible();
}

/** Returns the card of a node. Its accessible name contains type and state. */
export function card(page: Page, name: string): Locator {
  return page.locator('.react-flow__node').getByRole('button', { name: new RegExp(`^${name}, `) });
}

export async function run(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Run Ctrl ⏎' }).first().click();
}

/** Brings the list of the open flow's problems to the front and returns it. */
export async function showProblems(page: Page): Promise<Locator> {
  await page.keyboard.press('Control+Shift+M');
  return page.getByRole('tabpanel', { name: /Problems/ });
}

/** Returns the open flow's problems, each as `line:column severity code message`. */
export async function readProblems(page: Page): Promise<string[]> {
  const rows = page.getByRole('list', { name: 'Problems' }).getByRole('listitem');
  return rows.evaluateAll((items) =>
    items.map((item) => {
      const textOf = (part: string): string => item.querySelector(`.problem-${part}`)?.textContent ?? '';
      const severity = item.querySelector('.problem-icon')?.getAttribute('aria-label');
      return `${textOf('place')} ${severity} ${textOf('code')} ${textOf('message')}`;
    }),
  );
}

/** Waits until the run header shows this state. */
export async function expectRun(page: Page, state: string): Promise<void> {
  await expect(runHeader(page)).toContainText(new RegExp(state, 'i'));
}

/** Returns the line that shows the state of the current run. */
export function runHeader(page: Page): Locator {
  return page.getByRole('region', { name: 'Run', exact: true });
}

export function inspector(page: Page): Locator {
  return page.getByRole('complementary', { name: 'Inspector' });
}

/** Opens the first request of the shown run, and approves it. */
export async function approveRequest(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Review' }).first().click();
  await inspector(page)
    .getByRole('button', { name: /^Approve/ })
    .click();
}

export async function showRuns(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Side panel' }).getByRole('button', { name: /^Runs/ }).click();
}

export function runList(page: Page): Locator {
  return page.getByRole('complementary', { name: 'Runs' });
}

/** Runs a command by its title from the command palette. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type(title);
  await page.keyboard.press('Enter');
}
