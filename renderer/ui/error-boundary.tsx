import { CircleX } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
import { text } from './text.ts';

interface ErrorBoundaryProps {
  /** Name of the content, used in "… could not be displayed". */
  readonly subject: string;
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly error: unknown;
  readonly hasFailed: boolean;
}

/** Prevents an error in one pane from taking down the whole window. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: undefined, hasFailed: false };

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { error, hasFailed: true };
  }

  override render(): ReactNode {
    const { subject, children } = this.props;
    const { error, hasFailed } = this.state;
    if (!hasFailed) return children;
    return (
      <EmptyState
        icon={<CircleX aria-hidden size={20} />}
        title={text.drawFailed({ subject })}
        actions={<Button onClick={() => this.setState({ hasFailed: false })}>{text.tryAgain}</Button>}
      >
        {error instanceof Error ? error.message : String(error)}
      </EmptyState>
    );
  }
}
