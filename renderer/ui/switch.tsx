import { Switch as Parts } from 'radix-ui';
import type { ComponentProps } from 'react';
import './switch.css';

/** On or off, at once. Needs a label of its own or around it. */
export function Switch(props: Omit<ComponentProps<typeof Parts.Root>, 'className' | 'children'>) {
  return (
    <Parts.Root {...props} className="switch">
      <Parts.Thumb className="switch-thumb" />
    </Parts.Root>
  );
}
