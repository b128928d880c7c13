import './chip.css';

interface ChipProps {
  /** A value set by the user: a path, a model, a binding. The tooltip shows it in full if it is truncated. */
  readonly text: string;
}

/** A value inside a sentence, in a monospace font on a muted background. */
export function Chip({ text }: ChipProps) {
  return (
    <code className="chip" title={text}>
      {text}
    </code>
  );
}
