/**
 * Carries out what keys and buttons ask of the canvas.
 */
import { assertNever } from '../../engine/isomorphic.ts';
import type { Camera } from './camera.ts';
import type { CanvasElements } from './canvas-elements.ts';
import type { CanvasCommand } from './canvas-keys.ts';
import type { CanvasSelection } from './canvas-selection.ts';
import { type CardMap, type Direction, neighbourOf, reachableFrom } from './neighbours.ts';

export interface CommandParts {
  readonly elements: CanvasElements;
  readonly selection: CanvasSelection;
  readonly camera: Camera;
  readonly toggleMinimap: () => void;
  /** Shows the selected node in the inspector and puts the focus there. */
  readonly inspect: () => void;
}

/** Does it. Commands that need a selected card do nothing without one. */
export function runCommand(parts: CommandParts, command: CanvasCommand): void {
  const { camera, selection, elements } = parts;
  switch (command.do) {
    case 'zoom-in':
      camera.zoomIn();
      break;
    case 'zoom-out':
      camera.zoomOut();
      break;
    case 'zoom-100':
      camera.zoomTo100();
      break;
    case 'fit':
      camera.fit();
      break;
    case 'fit-selection':
      camera.fit(selection.ids);
      break;
    case 'toggle-minimap':
      parts.toggleMinimap();
      break;
    case 'select-all':
      selection.select(elements.layout.positions.keys(), selection.primary ?? firstCard(elements));
      break;
    case 'select-none':
      selection.select([], null);
      break;
    case 'inspect':
      if (selection.primary !== null) parts.inspect();
      break;
    case 'move':
      moveSelection(parts, command.direction);
      break;
    case 'select-way':
      selectWay(parts, command.direction);
      break;
    default:
      assertNever(command);
  }
}

function firstCard({ projection }: CanvasElements): string | null {
  return projection.nodes[0]?.id ?? null;
}

function cardMap({ layout, projection }: CanvasElements): CardMap {
  return { positions: layout.positions, edges: projection.edges };
}

function moveSelection({ elements, selection }: CommandParts, direction: Direction): void {
  const { primary } = selection;
  const next = primary === null ? firstCard(elements) : neighbourOf(cardMap(elements), primary, direction);
  if (next !== null && next !== undefined) selection.select([next], next);
}

function selectWay({ elements, selection }: CommandParts, direction: 'left' | 'right'): void {
  const { primary } = selection;
  if (primary !== null) selection.select(reachableFrom(cardMap(elements), primary, direction), primary);
}
