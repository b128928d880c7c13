import { ToggleGroup } from 'radix-ui';
import { passFocusOn } from './roving-focus.ts';
import './segmented.css';

interface SegmentedProps<Value extends string> {
  /** What is chosen here, for screen readers. */
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly onChange: (value: Value) => void;
}

/** One of a few, all in view; arrow keys move between them. */
export function Segmented<Value extends string>({ label, value, options, onChange }: SegmentedProps<Value>) {
  return (
    <ToggleGroup.Root
      type="single"
      className="segmented"
      aria-label={label}
      onFocus={passFocusOn}
      value={value}
      onValueChange={(next) => {
        const option = options.find((candidate) => candidate.value === next);
        // Choosing the chosen one again asks for none; there is always one.
        if (option !== undefined) onChange(option.value);
      }}
    >
      {options.map((option) => (
        <ToggleGroup.Item key={option.value} value={option.value} className="segmented-item">
          {option.text}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
