/**
 * Shows a pending change of the text before the new text is parsed.
 */
import { useEffect, useRef, useState } from 'react';
import { type JsonValue, jsonEquals } from '../../../engine/isomorphic.ts';
import type { ChangeValue } from './form-scope.tsx';

interface Ahead {
  readonly value: JsonValue | undefined;
  /** Whether the text contains the change. The parsed value may still be older. */
  readonly isTaken: boolean;
  /** Values that may be parsed until then: the initial value, and all values sent since. */
  readonly former: readonly (JsonValue | undefined)[];
}

/** Maximum time to parse a changed text, in milliseconds. */
const longestReading = 5000;

function isSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left === right || (left !== undefined && right !== undefined && jsonEquals(left, right));
}

/**
 * Shows a change at once, until the parsed text contains it. A click right after typing then applies to the visible
 * value and not to the previous one. A text is parsed some time after it was changed; the previous value is not shown
 * again meanwhile.
 */
export function useAhead(value: JsonValue | undefined, onChange: ChangeValue): [JsonValue | undefined, ChangeValue] {
  const [ahead, setAhead] = useState<Ahead | null>(null);
  const latest = useRef(0);
  const isShown =
    ahead !== null &&
    (!ahead.isTaken || (!isSame(value, ahead.value) && ahead.former.some((former) => isSame(former, value))));
  // Cleared as soon as the text shows the change. Otherwise a following undo would restore a value that is no longer
  // pending.
  if (ahead?.isTaken === true && !isShown) setAhead(null);
  useEffect(() => {
    if (ahead === null || !ahead.isTaken) return;
    const timer = setTimeout(() => setAhead(null), longestReading);
    return () => clearTimeout(timer);
  }, [ahead]);
  const change: ChangeValue = async (next, mergeKey) => {
    const own = ++latest.current;
    setAhead((now) => ({ value: next, isTaken: false, former: [...(now?.former ?? [value]), next] }));
    const isThere = await onChange(next, mergeKey);
    if (latest.current === own) setAhead((now) => (isThere && now !== null ? { ...now, isTaken: true } : null));
    return isThere;
  };
  return [isShown ? ahead.value : value, change];
}
