/**
 * A change that is on its way into the text, shown before the text is read anew.
 */
import { useEffect, useRef, useState } from 'react';
import { type JsonValue, jsonEquals } from '../../engine/isomorphic.ts';
import type { ChangeValue } from './form-scope.tsx';

interface Ahead {
  readonly value: JsonValue | undefined;
  /** The text has it; what is read of the text may still be older. */
  readonly isTaken: boolean;
  /** What may be read of the text until then: what it said at first, and all that was sent since. */
  readonly former: readonly (JsonValue | undefined)[];
}

/** How long a text that has a change may take to be read anew, in milliseconds. */
const longestReading = 5000;

function isSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left === right || (left !== undefined && right !== undefined && jsonEquals(left, right));
}

/**
 * Shows a change at once, until the text shows it: whoever clicks right after typing changes what they see, and not what
 * stood there before. A text is read some time after it was changed; what stood there before is not shown again meanwhile.
 */
export function useAhead(value: JsonValue | undefined, onChange: ChangeValue): [JsonValue | undefined, ChangeValue] {
  const [ahead, setAhead] = useState<Ahead | null>(null);
  const latest = useRef(0);
  const isShown =
    ahead !== null &&
    (!ahead.isTaken || (!isSame(value, ahead.value) && ahead.former.some((former) => isSame(former, value))));
  // As soon as the text shows it: an undo that comes next leads to what is awaited no more.
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
