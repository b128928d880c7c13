/**
 * Starts a run that continues until it is ended, for tests of closing, crashing and canceling.
 */
import { expect } from '@playwright/test';
import { slowFlow } from './flows.ts';
import type { Files, Program, RunningProgram } from './program.ts';
import { card, openFlow, run } from './window.ts';

/** Opens a workspace with the flow `slow` and runs it until `first` has completed and `pause` is running. */
export async function startSlowRun(
  program: Program,
  otherFiles: Files = {},
): Promise<RunningProgram & { readonly workspace: string }> {
  const workspace = await program.makeWorkspace({ 'slow.flow.yaml': slowFlow, ...otherFiles });
  const running = await program.start(['--workspace', workspace]);
  await openFlow(running.page, 'slow');
  await run(running.page);
  await expect(card(running.page, 'pause')).toHaveAccessibleName(/running/);
  return { ...running, workspace };
}
