import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import './menu.css';

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement;
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
}

/** A menu of a button. */
export function Menu({ trigger, align = 'start', children }: MenuProps) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align={align} sideOffset={4} collisionPadding={8}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface MenuItemProps {
  readonly icon?: ReactNode;
  readonly text: string;
  /** Muted text on the right: a shortcut, or the target. */
  readonly hint?: string | undefined;
  /** Set for an entry of a mutually exclusive group. */
  readonly isChecked?: boolean;
  readonly isDisabled?: boolean;
  readonly onSelect: () => void;
}

/** A menu entry, which always has text, and an icon if that is useful. */
export function MenuItem({ icon, text, hint, isChecked, isDisabled = false, onSelect }: MenuItemProps) {
  const tick = isChecked === true ? <Check aria-hidden size={14} /> : null;
  const content = (
    <>
      <span className="menu-icon">{icon ?? tick}</span>
      <span className="menu-text">{text}</span>
      {hint === undefined ? null : <span className="menu-hint">{hint}</span>}
      {icon === undefined || tick === null ? null : <span className="menu-tick">{tick}</span>}
    </>
  );
  if (isChecked === undefined) {
    return (
      <DropdownMenu.Item className="menu-item" disabled={isDisabled} onSelect={onSelect}>
        {content}
      </DropdownMenu.Item>
    );
  }
  return (
    <DropdownMenu.CheckboxItem className="menu-item" checked={isChecked} disabled={isDisabled} onSelect={onSelect}>
      {content}
    </DropdownMenu.CheckboxItem>
  );
}

export function MenuLabel({ text }: { text: string }) {
  return <DropdownMenu.Label className="menu-label">{text}</DropdownMenu.Label>;
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="menu-separator" />;
}
