import type { ReactNode } from 'react';
import './empty-state.css';

interface EmptyStateProps {
  readonly icon: ReactNode;
  readonly title: string;
  /** What would be here, and how to get it. */
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}

/** Stands where nothing is yet, and says how something comes there. */
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
