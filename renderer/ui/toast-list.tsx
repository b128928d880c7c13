import { CircleX, Info, X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { IconButton } from './button.tsx';
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

/** Milliseconds a message stays; an error stays until it is dismissed. */
const infoDurationMs = 6000;

/** Short messages in the corner, read out as they come. F8 moves the focus to them. */
export function ToastList({ toasts, onDismiss }: ToastListProps) {
  return (
    <Toast.Provider label="Message">
      {toasts.map(({ id, tone, title, detail }) => (
        <Toast.Root
          key={id}
          className="toast"
          duration={tone === 'error' ? Number.POSITIVE_INFINITY : infoDurationMs}
          onOpenChange={(isOpen) => isOpen || onDismiss(id)}
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
            <IconButton label="Dismiss">
              <X aria-hidden size={14} />
            </IconButton>
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport className="toast-viewport" />
    </Toast.Provider>
  );
}
