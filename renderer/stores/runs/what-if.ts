/**
 * Simulates what another autonomy level would have paused in a shown run.
 */
import type { StoreApi } from 'zustand/vanilla';
import { type AutonomyLevel, autonomyLevels, baseNodeId, type RunId } from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import type { WindowNotices } from '../window/notices.ts';

type HeldAct = EngineResult<'simulateAutonomy'>['acts'][number];

/** What would have been held back at one node: how, and how often. */
export interface HeldMark {
  readonly kind: HeldAct['kind'];
  readonly count: number;
}

/** A simulation shown over a run. */
export interface WhatIf extends EngineResult<'simulateAutonomy'> {
  /** By the ID of a node of the flow itself, including what would have been held back in its child runs. */
  readonly marks: ReadonlyMap<string, HeldMark>;
  /** Index of the action being shown. Null before the first one. */
  readonly at: number | null;
}

/** Simulations shown over runs. */
export interface WhatIfs {
  /** @param whatIf null to remove it */
  setWhatIf(runId: RunId, whatIf: WhatIf | null): void;
}

/** Display names of the levels. */
export const autonomyLevelLabels: Readonly<Record<AutonomyLevel, string>> = {
  suggest_only: 'Suggest only',
  semi_auto: 'Semi-auto',
  full_auto: 'Full auto',
};

/** Returns the levels below the one that a flow declares, or those that hold something back if it declares none. */
export function lowerLevels(declared: AutonomyLevel | undefined): readonly AutonomyLevel[] {
  return autonomyLevels.slice(0, autonomyLevels.indexOf(declared ?? 'full_auto'));
}

/** Returns the path of an action among the nodes of the run itself. */
export function placeOfAct({ nodeId }: Pick<HeldAct, 'nodeId'>): string {
  const [own = nodeId] = nodeId.split('/');
  return own;
}

/** Returns the text on a card: `would pause`, `would suggest, 3 times`. */
export function heldActionText({ kind, count }: HeldMark): string {
  const words = kind === 'pause' ? 'would pause' : 'would suggest';
  return count === 1 ? words : `${words}, ${count} times`;
}

/** Summarizes a simulation in one sentence. */
export function whatIfText(whatIf: WhatIf): string {
  const { level, ranAt, pauses, suggestions, unknown = [], refused, notPredicted } = whatIf;
  const at = autonomyLevelLabels[level];
  if (refused !== undefined) return `${at}: ${refused}`;
  const parts = [
    ...(pauses === 0 ? [] : [`it would have paused ${pauses === 1 ? 'once' : `${pauses} times`}`]),
    ...(suggestions === 0
      ? []
      : [`it would have made ${suggestions === 1 ? 'a suggestion' : `${suggestions} suggestions`}`]),
  ];
  const held = parts.length === 0 ? 'nothing would have been held back' : parts.join(' and ');
  const rest = unknown.length === 0 ? '' : ` Not known: what ${unknown.join(', ')} would have done with another input.`;
  const after = notPredicted === undefined ? '' : ` ${notPredictedText(notPredicted)}`;
  return `${at}: ${held}. It ran ${ranAt === null ? 'without a level' : `at ${autonomyLevelLabels[ranAt]}`}.${rest}${after}`;
}

function notPredictedText({ why, nodes }: NonNullable<WhatIf['notPredicted']>): string {
  const what = nodes.length === 0 ? 'what follows from a suggestion' : `what ${nodes.join(', ')} would have done`;
  return `Not predicted: ${what}, because ${why}.`;
}

function marksOf(acts: readonly HeldAct[]): ReadonlyMap<string, HeldMark> {
  const marks = new Map<string, HeldMark>();
  for (const act of acts) {
    const nodeId = baseNodeId(placeOfAct(act));
    const before = marks.get(nodeId);
    // If any action would pause, the node is shown as paused, even if others would only be suggested.
    const kind = before?.kind === 'pause' ? 'pause' : act.kind;
    marks.set(nodeId, { kind, count: (before?.count ?? 0) + 1 });
  }
  return marks;
}

export interface WhatIfActions {
  /** Shows what a level would have held back in a run. Null hides it. */
  showWhatIf(runId: RunId, level: AutonomyLevel | null): Promise<void>;
}

interface WhatIfContext {
  readonly engine: EngineClient;
  /** The store that shows simulations. */
  readonly liveRuns: { getState(): WhatIfs };
  readonly notices: StoreApi<WindowNotices>;
}

export function createWhatIf({ engine, liveRuns, notices }: WhatIfContext): WhatIfActions {
  /** The last request by run. Only its result is shown. */
  const wanted = new Map<RunId, AutonomyLevel | null>();
  return {
    async showWhatIf(runId, level) {
      wanted.set(runId, level);
      if (level === null) {
        liveRuns.getState().setWhatIf(runId, null);
        return;
      }
      try {
        const report = await engine.call('simulateAutonomy', { runId, level });
        if (wanted.get(runId) !== level) return;
        liveRuns.getState().setWhatIf(runId, { ...report, marks: marksOf(report.acts), at: null });
      } catch (error) {
        notices.getState().addError('The run could not be looked at', error);
      }
    },
  };
}
