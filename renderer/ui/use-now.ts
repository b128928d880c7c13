import { useEffect, useState } from 'react';

/** Returns the current time in epoch milliseconds, updated every `everyMs` while `isActive`. */
export function useNow(isActive: boolean, everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isActive) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [isActive, everyMs]);
  return now;
}
