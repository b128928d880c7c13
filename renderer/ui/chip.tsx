import './chip.css';

interface ChipProps {
  /** A value of the user's: a path, a model, a binding. Shown whole in the tooltip when it is cut off. */
  readonly text: string;
}

/** A real value inside a sentence, set apart by mono type on a quiet ground. */
export function Chip({ text }: ChipProps) {
  return (
    <code className="chip" title={text}>
      {text}
    </code>
  );
}
