/**
 * Defines the edits that an editor can make to a conversation catalog. `edit-catalogue.ts` converts each of them to the
 * smallest text change.
 */
import type { ChangePath } from '../../../language/edit/flow-change.ts';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';

/** One edit. Flows, slots and intents are identified by their names. */
export type CatalogueChange =
  /** Adds a flow after `after` or at the end, and its intent if it is new. */
  | { readonly do: 'add-flow'; readonly flow: JsonMap; readonly after?: string }
  /** Removes a flow, and references to it as a fallback or dependency. */
  | { readonly do: 'remove-flow'; readonly flow: string }
  /** Renames a flow, including references in other flows. */
  | { readonly do: 'rename-flow'; readonly flow: string; readonly to: string }
  /**
   * Sets a value in a flow, for example at `['slots', 'number', 'priority']`; undefined removes it, together with maps
   * that become empty.
   */
  | {
      readonly do: 'set-in-flow';
      readonly flow: string;
      readonly path: ChangePath;
      readonly value: JsonValue | undefined;
    }
  | { readonly do: 'rename-slot'; readonly flow: string; readonly slot: string; readonly to: string }
  /** Renames a custom slot type, including references in slots. */
  | { readonly do: 'rename-slot-type'; readonly slotType: string; readonly to: string }
  /** Removes a slot type; refused if a slot uses it. */
  | { readonly do: 'remove-slot-type'; readonly slotType: string }
  /** Renames an intent, including references in flows. Refused for a built-in intent that the file does not contain. */
  | { readonly do: 'rename-intent'; readonly intent: string; readonly to: string }
  /** Sets a value in the file itself, for example at `['intents', 'Read']`. */
  | { readonly do: 'set-in-catalogue'; readonly path: ChangePath; readonly value: JsonValue | undefined };

/** Returns the edit's label for the undo menu. */
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
