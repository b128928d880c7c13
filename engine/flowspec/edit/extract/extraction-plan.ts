/**
 * What is known of an extraction before either flow is made.
 */
import type { Extraction } from '../flow-change.ts';
import type { CrossingValues } from './crossing-values.ts';
import type { EntryGates } from './entry-gates.ts';
import type { FlowLevels } from './flow-levels.ts';
import type { Taken } from './selection.ts';

/** All that is known once it is clear that the nodes can be taken. */
export interface ExtractionPlan extends Extraction {
  readonly nodeId: string;
  readonly levels: FlowLevels;
  readonly taken: Taken;
  readonly values: CrossingValues;
  readonly gates: EntryGates;
  /** Last nodes of the flow whose outputs it gives, taken ones among them; none when what it gives needs no change. */
  readonly ends: readonly string[];
}
