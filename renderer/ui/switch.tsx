import { Switch as Parts } from 'radix-ui';
import type { ComponentProps } from 'react';
import './switch.css';

/** A switch that takes effect immediately. Needs an `aria-label` or a surrounding label. */
export function Switch(props: Omit<ComponentProps<typeof Parts.Root>, 'className' | 'children'>) {
  return (
    <Parts.Root {...props} className="switch">
      <Parts.Thumb className="switch-thumb" />
    </Parts.Root>
  );
}
