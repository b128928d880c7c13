import { Tooltip as RadixTooltip } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import './tooltip.css';

/** Goes once around the app: tooltips share one delay. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return <RadixTooltip.Provider delayDuration={500}>{children}</RadixTooltip.Provider>;
}

interface TooltipProps {
  readonly text: string;
  /** Quieter second part, for example a shortcut. */
  readonly hint?: string | undefined;
  /** One element that takes a ref and mouse and focus handlers. */
  readonly children: ReactElement;
}

/** A short text at an element, on hover and on keyboard focus. */
export function Tooltip({ text, hint, children }: TooltipProps) {
  return (
    <RadixTooltip.Root>
      <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
      <RadixTooltip.Portal>
        <RadixTooltip.Content className="tooltip" sideOffset={6} collisionPadding={8}>
          {text}
          {hint === undefined ? null : <span className="tooltip-hint">{hint}</span>}
        </RadixTooltip.Content>
      </RadixTooltip.Portal>
    </RadixTooltip.Root>
  );
}
