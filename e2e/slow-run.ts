/**
 * A run that goes on until somebody ends it: where tests of closing, crashing and cancelling start from.
 */
import { expect } from '@playwright/test';
import { slowFlow } from './flows.ts';
import type { Files, Program, RunningProgram } from './program.ts';
import { card, openFlow, run } from './window.ts';

/** A program on a workspace with the flow `slow`, whose node `pause` is running; `first` has ended. */
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
