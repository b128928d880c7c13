import { CalendarClock, CircleHelp, FolderOpen, type LucideIcon, Webhook, Workflow } from 'lucide-react';
import { type TriggerDoc, type TriggerKind, triggerKindOf } from '../../../engine/isomorphic.ts';
import { tileColor } from '../../ui/node-tile.tsx';

const icons: Readonly<Record<TriggerKind, LucideIcon>> = {
  schedule: CalendarClock,
  files: FolderOpen,
  webhook: Webhook,
  after: Workflow,
};

/** The small square of a trigger, with the icon of its kind. */
export function TriggerTile({ trigger }: { readonly trigger: TriggerDoc }) {
  const kind = triggerKindOf(trigger);
  const Icon = kind === undefined ? CircleHelp : icons[kind];
  return (
    <span className="node-tile" style={{ '--tile-color': tileColor('flow') }}>
      <Icon aria-hidden size={14} strokeWidth={1.3} absoluteStrokeWidth />
    </span>
  );
}
