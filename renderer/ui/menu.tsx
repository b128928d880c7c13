import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import './menu.css';

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement;
  readonly align?: 'start' | 'end';
  /** For a menu that also opens in other ways. */
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
  /** Moves the focus after the menu is closed. By default, the button gets it. */
  readonly onClosed?: () => void;
  readonly children: ReactNode;
}

/** A menu of a button. */
export function Menu({ trigger, align = 'start', isOpen, onOpenChange, onClosed, children }: MenuProps) {
  const controlled = {
    ...(isOpen === undefined ? {} : { open: isOpen }),
    ...(onOpenChange === undefined ? {} : { onOpenChange }),
  };
  const onCloseAutoFocus = (event: Event): void => {
    if (onClosed === undefined) return;
    event.preventDefault();
    onClosed();
  };
  return (
    <DropdownMenu.Root {...controlled}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={onCloseAutoFocus}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface MenuItemProps {
  readonly icon?: ReactNode;
  readonly text: ReactNode;
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
