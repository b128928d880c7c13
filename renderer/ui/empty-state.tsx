import type { ReactNode } from 'react';
import './empty-state.css';

interface EmptyStateProps {
  readonly icon: ReactNode;
  readonly title: string;
  /** Explains what would be here, and how to get it. */
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}

/** Shown in place of missing content, with an explanation of how to add some. */
export function EmptyState({ icon, title, children, actions }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <div className="empty-state-icon">{icon}</div>
      <h2 className="empty-state-title">{title}</h2>
      <div className="empty-state-text">{children}</div>
      {actions === undefined ? null : <div className="empty-state-actions">{actions}</div>}
    </div>
  );
}
