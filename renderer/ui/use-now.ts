import { useEffect, useState } from 'react';
import { inLiveFrame } from './live-frame.ts';

/** Returns the current time in epoch milliseconds, updated every `everyMs` while `isActive`. */
export function useNow(isActive: boolean, everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isActive) return;
    setNow(Date.now());
    let cancelUpdate = (): void => undefined;
    const timer = setInterval(() => {
      cancelUpdate();
      cancelUpdate = inLiveFrame(() => setNow(Date.now()));
    }, everyMs);
    return () => {
      clearInterval(timer);
      cancelUpdate();
    };
  }, [isActive, everyMs]);
  return now;
}
