import { CircleX, Info, X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { useEffect, useRef } from 'react';
import { IconButton } from './button.tsx';
import { text } from './text.ts';
import './toast-list.css';

interface ToastSpec {
  readonly id: number;
  readonly tone: 'error' | 'info';
  readonly title: string;
  readonly detail: string;
}

interface ToastListProps {
  readonly toasts: readonly ToastSpec[];
  readonly onDismiss: (id: number) => void;
}

/** Milliseconds for which a message is shown. An error is shown until it is dismissed. */
const infoDurationMs = 6000;

/** Short messages in the corner, announced as they appear. Alt+F8 focuses them. */
export function ToastList({ toasts, onDismiss }: ToastListProps) {
  const viewport = useRef<HTMLOListElement>(null);
  /** The element that had the focus before the messages. */
  const origin = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const noteOrigin = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement && viewport.current?.contains(target) === false) origin.current = target;
    };
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && activeElement !== document.body) origin.current = activeElement;
    addEventListener('focusin', noteOrigin);
    return () => removeEventListener('focusin', noteOrigin);
  }, []);
  const close = (id: number): void => {
    // By now Radix has focused the list of messages.
    if (viewport.current?.contains(document.activeElement) === true) origin.current?.focus();
    onDismiss(id);
  };
  return (
    <Toast.Provider label={text.toasts.message}>
      {toasts.map(({ id, tone, title, detail }) => (
        <Toast.Root
          key={id}
          className="toast"
          duration={tone === 'error' ? Number.POSITIVE_INFINITY : infoDurationMs}
          onOpenChange={(isOpen) => isOpen || close(id)}
        >
          {tone === 'error' ? (
            <CircleX aria-hidden className="toast-icon" data-tone={tone} size={14} />
          ) : (
            <Info aria-hidden className="toast-icon" size={14} />
          )}
          <div className="toast-text">
            <Toast.Title className="toast-title">{title}</Toast.Title>
            <Toast.Description className="toast-detail">{detail}</Toast.Description>
          </div>
          <Toast.Close asChild>
            <IconButton label={text.toasts.dismiss} onPointerDown={(event) => event.preventDefault()}>
              <X aria-hidden size={14} />
            </IconButton>
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport ref={viewport} hotkey={['altKey', 'F8']} className="toast-viewport" label={text.toasts.list} />
    </Toast.Provider>
  );
}
