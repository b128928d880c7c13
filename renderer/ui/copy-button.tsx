import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from './button.tsx';

/** Milliseconds the tick stays. */
const confirmationMs = 1500;

interface CopyButtonProps {
  /** What the copy is of, for example `Copy output`. */
  readonly label: string;
  /** Made when it is asked for: it may be large. */
  readonly text: () => string;
}

/** Puts a text on the clipboard and confirms it. */
export function CopyButton({ label, text }: CopyButtonProps) {
  const [isDone, setIsDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setIsDone(false), confirmationMs);
    return () => clearTimeout(timer);
  }, [isDone]);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text());
    setIsDone(true);
  };
  return (
    <IconButton label={isDone ? 'Copied' : label} onClick={() => void copy()}>
      {isDone ? <Check aria-hidden size={14} /> : <Copy aria-hidden size={14} />}
    </IconButton>
  );
}
