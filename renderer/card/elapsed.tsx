import { useEffect, useState } from 'react';
import { durationText } from '../ui/quantity-text.ts';

const tickMs = 100;

export interface ElapsedProps {
  /** Epoch milliseconds. */
  readonly since: number;
}

/** Time since a node started; ticks only while it is on screen. */
export function Elapsed({ since }: ElapsedProps) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  // Below a tenth of a second the text would flicker through milliseconds.
  return <span aria-hidden>{durationText(Math.max(tickMs, now - since))}</span>;
}
