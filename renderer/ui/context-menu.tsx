/**
 * A menu at the pointer, or at the focused element.
 */
import { ContextMenu as RadixContextMenu } from 'radix-ui';
import { createContext, type ReactElement, type ReactNode, use, useMemo, useRef } from 'react';
import './menu.css';

interface ContextMenuProps {
  /** The element that has the menu. It must accept a ref. */
  readonly trigger: ReactElement;
  /** Called when the menu opens, before its entries are rendered. */
  readonly onOpen?: () => void;
  readonly children: ReactNode;
}

/**
 * Delays the selected action until the menu is closed, because the action may move the focus and the menu restores it
 * on closing.
 */
const ChoiceContext = createContext<(act: () => void) => void>(() => undefined);

export function ContextMenu({ trigger, onOpen, children }: ContextMenuProps) {
  const chosen = useRef<(() => void) | null>(null);
  const origin = useRef<Element | null>(null);
  const choose = useMemo(
    () => (act: () => void) => {
      chosen.current = act;
    },
    [],
  );
  return (
    <RadixContextMenu.Root
      onOpenChange={(isOpen) => {
        if (!isOpen) return;
        origin.current = document.activeElement;
        chosen.current = null;
        onOpen?.();
      }}
    >
      <RadixContextMenu.Trigger asChild>{trigger}</RadixContextMenu.Trigger>
      <RadixContextMenu.Portal>
        <RadixContextMenu.Content
          className="menu"
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (origin.current instanceof HTMLElement) origin.current.focus();
            chosen.current?.();
          }}
        >
          <ChoiceContext value={choose}>{children}</ChoiceContext>
        </RadixContextMenu.Content>
      </RadixContextMenu.Portal>
    </RadixContextMenu.Root>
  );
}

interface ContextMenuItemProps {
  readonly icon?: ReactNode;
  readonly text: string;
  /** Muted text on the right, such as a shortcut. */
  readonly hint?: string | undefined;
  readonly isDisabled?: boolean;
  readonly onSelect: () => void;
}

/** A menu entry, which always has text. Its action runs after the menu has closed. */
export function ContextMenuItem({ icon, text, hint, isDisabled = false, onSelect }: ContextMenuItemProps) {
  const choose = use(ChoiceContext);
  return (
    <RadixContextMenu.Item className="menu-item" disabled={isDisabled} onSelect={() => choose(onSelect)}>
      <span className="menu-icon">{icon}</span>
      <span className="menu-text">{text}</span>
      {hint === undefined ? null : <span className="menu-hint">{hint}</span>}
    </RadixContextMenu.Item>
  );
}

export function ContextMenuSeparator() {
  return <RadixContextMenu.Separator className="menu-separator" />;
}
