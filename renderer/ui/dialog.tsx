import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { IconButton } from './button.tsx';
import './dialog.css';

interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** One sentence under the title. */
  readonly description: string;
  /** `wide` = for what is read or has lists; `normal` = a few fields. */
  readonly size?: 'normal' | 'wide';
  /** Moves the focus when it closes, and returns whether it did; otherwise the focus goes back where it was. */
  readonly focusAfter?: () => boolean;
  readonly children: ReactNode;
}

/**
 * What is to be filled in comes first, and a text to be read as a whole; else it keeps the usual order. A button that has
 * the focus shows its tooltip, and Escape would close that first. What has `data-first-focus` comes before all.
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
  const field = currentTarget instanceof Element ? currentTarget.querySelector('input, textarea') : null;
  if (!(field instanceof HTMLElement)) return;
  event.preventDefault();
  field.focus();
}

/** A dialog in the middle of the window; Escape and a click beside it close it, and the focus goes back where it was. */
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
            // A field in which Escape means something else says so.
            if (event.target instanceof Element && event.target.matches('[data-own-escape]')) event.preventDefault();
          }}
          onOpenAutoFocus={(event) => {
            origin.current = document.activeElement;
            focusFirst(event, size);
          }}
          onCloseAutoFocus={(event) => {
            // Left to itself it looks for a trigger, which a dialog that a command opens does not have.
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
              <IconButton label="Close" hint="Esc">
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
