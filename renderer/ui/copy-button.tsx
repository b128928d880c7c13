import { Check, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { IconButton } from './button.tsx';
import { text as words } from './text.ts';

/** Milliseconds for which the check mark is shown. */
const confirmationMs = 2000;

interface CopyButtonProps {
  /** Label of the button, for example `Copy output`. */
  readonly label: string;
  /** Computed on demand, because it may be large. */
  readonly text: () => string;
  /** For a button beside another copy button. */
  readonly icon?: ReactNode;
}

/** Copies text to the clipboard and confirms it. */
export function CopyButton({ label, text, icon = <Copy aria-hidden size={14} /> }: CopyButtonProps) {
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
    <IconButton label={isDone ? words.copied : label} onClick={() => void copy()}>
      {isDone ? <Check aria-hidden size={14} /> : icon}
    </IconButton>
  );
}
