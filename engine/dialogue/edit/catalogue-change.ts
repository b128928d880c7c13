/**
 * What an editor may ask of a catalogue of a conversation. `edit-catalogue.ts` turns each change into the smallest change of the text.
 */
import type { ChangePath } from '../../flowspec/edit/flow-change.ts';
import type { JsonMap, JsonValue } from '../../flowspec/json-value.ts';

/** One edit that a person asks for. Flows, slots and intents are named by their names. */
export type CatalogueChange =
  /** A new flow, behind `after` or at the end; an intent that is not there yet is added. */
  | { readonly do: 'add-flow'; readonly flow: JsonMap; readonly after?: string }
  /** A flow, with what names it as its fallback or as what it depends on. */
  | { readonly do: 'remove-flow'; readonly flow: string }
  /** A new name, also where other flows name it. */
  | { readonly do: 'rename-flow'; readonly flow: string; readonly to: string }
  /** Sets a value of a flow, for example at `['slots', 'number', 'priority']`; undefined takes it away, with maps left empty. */
  | {
      readonly do: 'set-in-flow';
      readonly flow: string;
      readonly path: ChangePath;
      readonly value: JsonValue | undefined;
    }
  | { readonly do: 'rename-slot'; readonly flow: string; readonly slot: string; readonly to: string }
  /** A new name of a type of slots of the file, also in the slots that have it. */
  | { readonly do: 'rename-slot-type'; readonly slotType: string; readonly to: string }
  /** Takes a type of slots away; one that a slot has is refused. */
  | { readonly do: 'remove-slot-type'; readonly slotType: string }
  /** A new name of an intent, also in its flows. One that is always there and not in the file is refused. */
  | { readonly do: 'rename-intent'; readonly intent: string; readonly to: string }
  /** Sets a value of the file itself, for example at `['intents', 'Read']`. */
  | { readonly do: 'set-in-catalogue'; readonly path: ChangePath; readonly value: JsonValue | undefined };

/** A name for the undo menu. */
export function catalogueChangeLabel(change: CatalogueChange): string {
  switch (change.do) {
    case 'add-flow':
      return `Add ${String(change.flow['name'])}`;
    case 'remove-flow':
      return `Delete ${change.flow}`;
    case 'rename-flow':
      return `Rename ${change.flow} to ${change.to}`;
    case 'rename-slot':
      return `Rename ${change.slot} of ${change.flow} to ${change.to}`;
    case 'rename-slot-type':
      return `Rename ${change.slotType} to ${change.to}`;
    case 'remove-slot-type':
      return `Delete ${change.slotType}`;
    case 'rename-intent':
      return `Rename ${change.intent} to ${change.to}`;
    case 'set-in-flow':
      return `Set ${change.path.join('.')} of ${change.flow}`;
    case 'set-in-catalogue':
      return `Set ${change.path.join('.')}`;
  }
}
