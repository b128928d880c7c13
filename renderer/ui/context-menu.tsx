/**
 * A menu at the pointer, or at what has the focus.
 */
import { ContextMenu as RadixContextMenu } from 'radix-ui';
import { createContext, type ReactElement, type ReactNode, use, useMemo, useRef } from 'react';
import './menu.css';

interface ContextMenuProps {
  /** What it belongs to: an element that takes a ref. */
  readonly trigger: ReactElement;
  /** Called when the menu opens, before its entries are drawn. */
  readonly onOpen?: () => void;
  readonly children: ReactNode;
}

/** What was chosen waits until the menu is gone: it may want the focus, which the menu gives back when it closes. */
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
  /** Quieter text at the right: a shortcut. */
  readonly hint?: string | undefined;
  readonly isDisabled?: boolean;
  readonly onSelect: () => void;
}

/** An entry: words always. It acts when the menu has closed. */
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
