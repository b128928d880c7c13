/**
 * Simulates what another autonomy level would have paused in a shown run.
 */
import type { StoreApi } from 'zustand/vanilla';
import { type AutonomyLevel, autonomyLevels, baseNodeId, type RunId } from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import type { WindowNotices } from '../window/notices.ts';
import { text } from './text.ts';

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
  suggest_only: text.autonomy.suggestOnly,
  semi_auto: text.autonomy.semiAuto,
  full_auto: text.autonomy.fullAuto,
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
  return kind === 'pause' ? text.whatIf.wouldPause({ count }) : text.whatIf.wouldSuggest({ count });
}

/** Summarizes a simulation in a few sentences. */
export function whatIfText(whatIf: WhatIf): string {
  const { ranAt, pauses, suggestions, unknown = [], refused, notPredicted } = whatIf;
  const level = autonomyLevelLabels[whatIf.level];
  if (refused !== undefined) return text.whatIf.refused({ level, reason: refused });
  const isHeld = pauses + suggestions > 0;
  return [
    isHeld ? text.whatIf.held({ level, pauses, suggestions }) : text.whatIf.nothing({ level }),
    ranAt === null ? text.whatIf.ranWithout : text.whatIf.ranAt({ level: autonomyLevelLabels[ranAt] }),
    ...(unknown.length === 0 ? [] : [text.whatIf.unknown({ nodes: unknown.join(', ') })]),
    ...(notPredicted === undefined ? [] : [notPredictedText(notPredicted)]),
  ].join(' ');
}

function notPredictedText({ why, nodes }: NonNullable<WhatIf['notPredicted']>): string {
  const { notPredicted, nextNotPredicted } = text.whatIf;
  return nodes.length === 0
    ? nextNotPredicted({ reason: why })
    : notPredicted({ nodes: nodes.join(', '), reason: why });
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
        notices.getState().addError(text.whatIf.failed, error);
      }
    },
  };
}
