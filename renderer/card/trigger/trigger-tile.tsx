import { CalendarClock, CircleHelp, FolderOpen, type LucideIcon, Webhook, Workflow } from 'lucide-react';
import { type TriggerDoc, type TriggerKind, triggerKindOf } from '../../../engine/isomorphic.ts';
import { tileColor } from '../../ui/node-tile.tsx';

const icons: Readonly<Record<TriggerKind, LucideIcon>> = {
  schedule: CalendarClock,
  files: FolderOpen,
  webhook: Webhook,
  after: Workflow,
};

interface TriggerTileProps {
  readonly trigger: TriggerDoc;
  /** As for the tile of a node. */
  readonly size?: 'normal' | 'small';
}

/** The small square of a trigger, with the icon of its kind. */
export function TriggerTile({ trigger, size = 'normal' }: TriggerTileProps) {
  const kind = triggerKindOf(trigger);
  const Icon = kind === undefined ? CircleHelp : icons[kind];
  return (
    <span className="node-tile" data-size={size} style={{ '--tile-color': tileColor('flow') }}>
      <Icon aria-hidden size={size === 'small' ? 10 : 14} strokeWidth={1.3} absoluteStrokeWidth />
    </span>
  );
}
