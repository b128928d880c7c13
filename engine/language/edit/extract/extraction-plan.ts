/**
 * Collects all information about an extraction before either flow is built.
 */
import type { Extraction } from '../flow-change.ts';
import type { CrossingValues } from './crossing-values.ts';
import type { EntryGates } from './entry-gates.ts';
import type { FlowLevels } from './flow-levels.ts';
import type { ExtractSelection } from './selection.ts';

/** The plan of an extraction that is known to be possible. */
export interface ExtractionPlan extends Extraction {
  readonly nodeId: string;
  readonly levels: FlowLevels;
  readonly taken: ExtractSelection;
  readonly values: CrossingValues;
  readonly gates: EntryGates;
  /** The flow's last nodes that provide its output, including extracted ones; empty if its output needs no change. */
  readonly ends: readonly string[];
}
