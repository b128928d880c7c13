/**
 * A note or a group of the canvas: what it says, and its colour.
 */
import { Group as GroupIcon, StickyNote } from 'lucide-react';
import type { JsonValue } from '../../engine/isomorphic.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import { pluralText } from '../ui/quantity-text.ts';
import { FieldRow } from './field-row.tsx';
import { FlowFormScope, readOnlyReason } from './flow-form-scope.tsx';
import { plainField } from './form-fields.ts';
import type { ChangeValue } from './form-scope.tsx';

const colours = ['grey', 'blue', 'green', 'amber', 'red', 'violet'];
const colourFields = {
  notes: plainField('color', 'enum', { label: 'Colour', options: colours, default: 'amber' }),
  groups: plainField('color', 'enum', { label: 'Colour', options: colours, default: 'grey' }),
} as const;
const noteField = plainField('text', 'long-text', { label: 'Text', isRequired: true });
const titleField = plainField('title', 'text', { label: 'Title', isRequired: true });

interface LayoutInspectorProps {
  readonly flow: SettledFlow;
  readonly part: 'notes' | 'groups';
  readonly id: string;
}

export function LayoutInspector({ flow, part, id }: LayoutInspectorProps) {
  const { edits } = useStores();
  const { doc, path } = flow;
  const note = part === 'notes' ? doc?.layout?.notes?.[id] : undefined;
  const group = part === 'groups' ? doc?.layout?.groups?.[id] : undefined;
  const reason = readOnlyReason(flow);
  const changeOf =
    (key: string): ChangeValue =>
    (value: JsonValue | undefined, mergeKey) =>
      edits.change(path, { do: 'set-layout', path: [part, id, key], value }, mergeKey);
  return (
    <FlowFormScope flow={flow} nodeId={null}>
      <header className="inspector-top">
        <div className="inspector-title">
          {part === 'notes' ? <StickyNote aria-hidden size={18} /> : <GroupIcon aria-hidden size={18} />}
          <h2 className="inspector-name">{group?.title ?? (part === 'notes' ? 'Note' : 'Group')}</h2>
        </div>
        <div className="inspector-crumb">
          {group === undefined ? 'on the canvas only' : pluralText(group.nodes.length, 'node')}
        </div>
      </header>
      <div className="inspector-scroll">
        <div className="inspector-body form-fields">
          {reason === null ? null : <p className="inspector-note">{reason}</p>}
          {note === undefined ? null : <FieldRow field={noteField} value={note.text} onChange={changeOf('text')} />}
          {group === undefined ? null : (
            <FieldRow field={titleField} value={group.title} onChange={changeOf('title')} />
          )}
          <FieldRow field={colourFields[part]} value={(note ?? group)?.color} onChange={changeOf('color')} />
        </div>
      </div>
    </FlowFormScope>
  );
}
