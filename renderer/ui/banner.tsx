import { CircleX, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import './banner.css';

const icons = { info: Info, warning: TriangleAlert, error: CircleX } as const;

interface BannerProps {
  readonly tone: keyof typeof icons;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}

/** A bar over a pane that shows a persistent state. Announced by screen readers when it appears. */
export function Banner({ tone, children, actions }: BannerProps) {
  const Icon = icons[tone];
  return (
    <div className="banner" data-tone={tone} role={tone === 'error' ? 'alert' : 'status'}>
      <Icon aria-hidden className="banner-icon" size={14} />
      <div className="banner-text">{children}</div>
      {actions}
    </div>
  );
}
