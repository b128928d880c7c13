/** Tests navigating a flow that is larger than its canvas. */
import { expect } from '@playwright/test';
import { test } from './program.ts';
import { openFlow } from './window.ts';

const nodes = Array.from({ length: 60 }, (_, i) => `  - { id: n${i}, type: echo, input: { text: x } }`);
const wideFlow = ['flow: { name: Wide }', 'nodes:', ...nodes, 'edges: []', ''].join('\n');

test('shows a minimap of a large flow and moves to where it is clicked', { tag: '@thorough' }, async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'wide.flow.yaml': wideFlow });
  const { page } = await program.open(workspace);
  await openFlow(page, 'wide');
  const viewport = page.locator('.react-flow__viewport');
  const map = page.getByRole('img', { name: 'Overview map' });
  await map.click({ position: { x: 84, y: 30 } });
  const above = await viewport.getAttribute('style');
  await map.click({ position: { x: 84, y: 90 } });
  await expect(viewport).not.toHaveAttribute('style', above ?? '');
});
