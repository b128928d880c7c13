/**
 * What of a flow is on screen: its file, or the definition of a run that is looked at.
 */

import type { OpenFlow } from '../text/file.ts';
import type { LiveRun, LiveRuns } from './live-runs.ts';

/** The run that is shown over a flow. */
export function selectShownRun({ runs, shown }: LiveRuns, path: string): LiveRun | undefined {
  const current = shown.get(path);
  return current === undefined ? undefined : runs.get(current.runId);
}

/**
 * What a flow is while a run of an older version of it is looked at: that version.
 */
export function flowOnScreen(flow: OpenFlow | undefined, definition: LiveRun['definition']): OpenFlow | undefined {
  if (flow === undefined || definition === null || definition.text === flow.text) return flow;
  if (flow.status === 'loading') return flow;
  return { ...flow, ...definition, status: 'ready', isOldVersion: true, readOnlyReason: oldVersionReason };
}

const oldVersionReason = 'You see the text that the run executes. Go back to the file to change it.';

/**
 * The text of the run that is shown over a flow. Null when that is the person's own to see: what they do to it must always
 * be what they see.
 */
export function selectShownDefinition(state: LiveRuns, path: string): LiveRun['definition'] {
  const shown = state.shown.get(path);
  return shown === undefined || shown.isLoose ? null : (state.runs.get(shown.runId)?.definition ?? null);
}
