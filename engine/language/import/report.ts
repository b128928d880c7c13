/**
 * The report of an import: what each node of the file became.
 */

/** A node of the imported file. */
export interface ImportLine {
  /** Name of the node in the imported file. */
  readonly name: string;
  /** Type of the node in the imported file. */
  readonly type: string;
  /** `missing` if it became nothing. */
  readonly status: 'mapped' | 'partly' | 'placeholder' | 'missing';
  /** Node type, or part of the flow, that it became. */
  readonly became: string;
  /** ID of the node in the flow; absent if it became something else. */
  readonly id?: string;
  /** What was lost, as sentences; empty if nothing was. */
  readonly lost: readonly string[];
}

/** A flow made from a graph of the imported file. */
export interface ImportedFlow {
  readonly name: string;
  /** Name of the new file. */
  readonly file: string;
  readonly text: string;
  readonly lines: readonly ImportLine[];
  /** What was lost that belongs to no node, as sentences. */
  readonly remarks: readonly string[];
}

/** Returns the number of nodes with each status. */
export function countLines(lines: readonly ImportLine[]): Readonly<Record<ImportLine['status'], number>> {
  const counts = { mapped: 0, partly: 0, placeholder: 0, missing: 0 };
  for (const { status } of lines) counts[status] += 1;
  return counts;
}
