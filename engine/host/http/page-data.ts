/**
 * What the service sends to the script of a form page. The page has no other source, so it contains no secret, no prompt and
 * no path of the machine.
 */
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';

/** A field of the form. */
export interface PageField {
  readonly name: string;
  readonly label: string;
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly description?: string;
  /** The allowed values. */
  readonly choices?: readonly JsonValue[];
  readonly default?: JsonValue;
  readonly isRequired: boolean;
  /** For a file, or several with type array: endings of their names, or none for any file. Absent for other inputs. */
  readonly accept?: readonly string[];
}

/** The form of a flow. */
export interface PageForm {
  readonly title: string;
  readonly description?: string;
  readonly fields: readonly PageField[];
  /** Maximum size of a file, in bytes. */
  readonly mostBytes: number;
  /** Maximum number of files for an input. */
  readonly mostFiles: number;
}

/** A node of the flow that is not in a loop. */
export interface ReportedStep {
  readonly id: string;
  readonly label: string;
  readonly state:
    | 'idle'
    | 'running'
    | 'retrying'
    | 'suspended'
    | 'completed'
    | 'reused'
    | 'failed'
    | 'skipped'
    | 'cancelled';
  /** Epoch milliseconds. */
  readonly startedAt?: number;
  readonly durationMs?: number;
  /** For a loop: how many of its items are done, and of how many, if that is known. */
  readonly done?: number;
  readonly total?: number;
}

/** A question that the page answers. */
export interface PageQuestion {
  /** Full name of the waiting node. */
  readonly node: string;
  readonly key: string;
  readonly title: string;
  readonly message?: string;
  /** JSON Schema of the values, which is a map. */
  readonly schema: JsonMap;
  readonly defaults?: JsonMap;
}

/** The state of a run, as a whole. */
export interface PageRun {
  readonly status:
    | 'queued'
    | 'running'
    | 'suspended'
    | 'completed'
    | 'failed'
    | 'cancelled'
    | 'skipped'
    | 'interrupted';
  /** Epoch milliseconds; null before the start. */
  readonly startedAt: number | null;
  readonly durationMs?: number;
  /** The time of the service, in epoch milliseconds: the clock of the page may differ. */
  readonly now: number;
  /** Empty if the page shows no progress. */
  readonly steps: readonly ReportedStep[];
  /** The text that a step is writing. */
  readonly writing?: { readonly step: string; readonly text: string };
  /** A person has paused the run. */
  readonly isPaused?: true;
  readonly questions: readonly PageQuestion[];
  /** By name, once the run has completed. Absent if the page shows no outputs. */
  readonly outputs?: JsonMap;
  /** Why the run failed. */
  readonly problem?: string;
}
