import { Check, ChevronDown } from 'lucide-react';
import { Select as Parts } from 'radix-ui';
import { useId, useRef, useState } from 'react';
import type { ControlProps } from './field.tsx';
import './field.css';
import './menu.css';
import './select.css';

export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly text: string;
  /** Muted text on the right. */
  readonly hint?: string | undefined;
  /** Why it cannot be selected, shown below it. Undefined if it can. */
  readonly whyNot?: string | undefined;
  /** Heading of the group that contains it and adjacent options. */
  readonly group?: string | undefined;
}

interface SelectProps<Value extends string> extends Partial<ControlProps> {
  /** Accessible name of a select without a visible label. */
  readonly 'aria-label'?: string;
  readonly options: readonly SelectOption<Value>[];
  readonly value: Value;
  /** Shown while no option has the value. */
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly onChange: (value: Value) => void;
  readonly onFocus?: () => void;
}

/**
 * Lists up to this length are also rendered while closed, so that typing the beginning of a name selects it. Longer
 * ones are rendered when they open.
 */
const maxDrawnClosed = 50;

/** A choice from a list, opened by a button. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { options, value, placeholder = '', disabled, onChange, onFocus, ...control } = props;
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const shown = options.find((option) => option.value === value)?.text ?? placeholder;
  const labels = [...(button.current?.labels ?? [])].map(({ textContent }) => textContent).join(' ');
  return (
    <Parts.Root
      value={value}
      disabled={disabled === true}
      open={isOpen}
      onOpenChange={setIsOpen}
      onValueChange={(next) => {
        const chosen = options.find((option) => option.value === next);
        if (chosen !== undefined && chosen.value !== value) onChange(chosen.value);
      }}
    >
      <Parts.Trigger {...control} ref={button} className="field-input select" onFocus={onFocus}>
        <span className="select-text" title={shown}>
          {shown}
        </span>
        <ChevronDown aria-hidden size={14} />
      </Parts.Trigger>
      <Parts.Portal>
        <Parts.Content
          className="menu select-list"
          aria-label={control['aria-label'] ?? labels}
          position="popper"
          sideOffset={4}
          collisionPadding={8}
        >
          <Parts.Viewport className="select-rows">
            {isOpen || options.length <= maxDrawnClosed ? <Groups options={options} /> : null}
          </Parts.Viewport>
        </Parts.Content>
      </Parts.Portal>
    </Parts.Root>
  );
}

/** Adjacent options with the same heading form a group. */
function Groups({ options }: { options: readonly SelectOption<string>[] }) {
  const groups: { readonly heading: string | undefined; readonly options: SelectOption<string>[] }[] = [];
  for (const option of options) {
    const last = groups.at(-1);
    if (last !== undefined && last.heading === option.group) last.options.push(option);
    else groups.push({ heading: option.group, options: [option] });
  }
  return groups.map(({ heading, options: members }) => {
    const rows = members.map((option) => <Row key={option.value} option={option} />);
    if (heading === undefined) return rows;
    return (
      <Parts.Group key={`${heading} ${members[0]?.value}`}>
        <Parts.Label className="menu-label">{heading}</Parts.Label>
        {rows}
      </Parts.Group>
    );
  });
}

function Row({ option: { value, text, hint, whyNot } }: { option: SelectOption<string> }) {
  const aboutId = useId();
  const about = whyNot ?? hint;
  return (
    <Parts.Item
      className="menu-item select-row"
      value={value}
      disabled={whyNot !== undefined}
      aria-describedby={about === undefined ? undefined : aboutId}
    >
      <span className="menu-icon">
        <Parts.ItemIndicator>
          <Check aria-hidden size={14} />
        </Parts.ItemIndicator>
      </span>
      <span className="menu-text" title={text}>
        <Parts.ItemText>{text}</Parts.ItemText>
      </span>
      {about === undefined ? null : (
        <span id={aboutId} className={whyNot === undefined ? 'menu-hint' : 'select-why-not'}>
          {about}
        </span>
      )}
    </Parts.Item>
  );
}
