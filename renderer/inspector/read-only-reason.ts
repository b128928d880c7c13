import type { SettledFlow } from '../stores/use-flow.ts';

/** Why the forms of a flow cannot be used; null = they can. */
export function readOnlyReason({ isOldVersion, readOnlyReason: reason, isDocStale, doc }: SettledFlow): string | null {
  if (isOldVersion) return 'This is the flow as an earlier run had it. Close the run to edit the file.';
  if (reason !== null) return reason;
  if (isDocStale || doc === null)
    return 'The text cannot be read as a flow just now. Mend it first; the problems say where.';
  return null;
}
