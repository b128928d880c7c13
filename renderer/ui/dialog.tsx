import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { IconButton } from './button.tsx';
import { text } from './text.ts';
import './dialog.css';

interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** A sentence below the title. */
  readonly description: string;
  /** `wide` is for long text or lists, `large` for a grid; `normal` is for a few fields. */
  readonly size?: 'normal' | 'wide' | 'large';
  /**
   * Moves the focus when the dialog closes, and returns whether it did. If not, the focus returns to its previous
   * element.
   */
  readonly focusAfter?: () => boolean;
  readonly children: ReactNode;
}

/**
 * Focuses the first field, or the whole text of a dialog for reading. Otherwise keeps the default order. A focused
 * button shows its tooltip, which Escape would close first. An element with `data-first-focus` takes precedence.
 */
function focusFirst(event: Event, size: DialogProps['size']): void {
  const { currentTarget } = event;
  const first = currentTarget instanceof Element ? currentTarget.querySelector('[data-first-focus]') : null;
  if (first instanceof HTMLElement) {
    event.preventDefault();
    first.focus();
    return;
  }
  if (size === 'wide' && currentTarget instanceof HTMLElement) {
    event.preventDefault();
    currentTarget.focus();
    return;
  }
  const field = currentTarget instanceof Element ? currentTarget.querySelector('input,textarea') : null;
  if (!(field instanceof HTMLElement)) return;
  event.preventDefault();
  field.focus();
}

/**
 * A dialog in the center of the window. Escape and a click outside close it, and the focus returns to its previous
 * element.
 */
export function Dialog({ isOpen, onClose, title, description, size = 'normal', focusAfter, children }: DialogProps) {
  const origin = useRef<Element | null>(null);
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={(next) => next || onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="dialog-scrim" />
        <RadixDialog.Content
          className="dialog"
          data-size={size}
          onEscapeKeyDown={(event) => {
            // A field that handles Escape itself has this attribute.
            if (event.target instanceof Element && event.target.matches('[data-own-escape]')) event.preventDefault();
          }}
          onOpenAutoFocus={(event) => {
            origin.current = document.activeElement;
            focusFirst(event, size);
          }}
          onCloseAutoFocus={(event) => {
            // By default it focuses a trigger, which does not exist for a dialog opened by a command.
            event.preventDefault();
            if (focusAfter?.() === true) return;
            if (origin.current instanceof HTMLElement) origin.current.focus();
          }}
        >
          <header className="dialog-header">
            <div>
              <RadixDialog.Title className="dialog-title">{title}</RadixDialog.Title>
              <RadixDialog.Description className="dialog-description">{description}</RadixDialog.Description>
            </div>
            <RadixDialog.Close asChild>
              <IconButton label={text.close} hint={text.closeKey}>
                <X aria-hidden size={14} />
              </IconButton>
            </RadixDialog.Close>
          </header>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
