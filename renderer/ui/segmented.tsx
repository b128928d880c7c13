import { ToggleGroup } from 'radix-ui';
import { passFocusOn } from './roving-focus.ts';
import './segmented.css';

interface SegmentedProps<Value extends string> {
  /** Label of the choice for screen readers. */
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly onChange: (value: Value) => void;
}

/** A choice from a few visible options. Arrow keys move between them. */
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
        // Selecting the current option again would deselect it, but one option must always be selected.
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
