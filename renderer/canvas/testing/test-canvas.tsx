/**
 * For tests: a canvas in a window with a flow that is really read, changed and validated.
 */
import { act } from 'react';
import { type CommandId, findCommand, runCommand } from '../../app/commands/commands.ts';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import type { Chosen } from '../../stores/window/selection.ts';
import { typeInto } from '../../ui/testing/type-into.ts';
import { FlowCanvas } from '../flow-canvas.tsx';

const path = 'demo.flow.yaml';

export const flowText = `# A small flow.
flow: { name: demo }

nodes:
  - { id: read, type: echo, input: { text: hello } } # the start
  - id: ask
    type: prompt
    input: { prompt: "About {{read.text}}" }
  - { id: save, type: echo, input: { text: "{{ask.text}}" } }

edges:
  - { from: read, to: ask }
  - { from: ask, to: save }
`;

export interface TestCanvas {
  readonly path: string;
  readonly window: TestWindow;
  readonly host: HTMLElement;
  text(): string;
  undoLabel(): string | null | undefined;
  chosen(): Chosen | undefined;
  /** Runs a command. @throws Error if it is not available */
  run(id: CommandId): Promise<void>;
  choose(parts: { nodes?: string[]; edges?: string[]; notes?: string[]; groups?: string[] }): Promise<void>;
  /** Returns the lines of the text that were not in the previous text. */
  newLines(before: string): string[];
  /** Selects a type in the open palette. */
  pick(type: string): Promise<void>;
  find<Found extends HTMLElement>(selector: string): Found;
  close(): void;
}

/** @param more handlers of engine calls */
export async function openCanvas(
  text = flowText,
  more: Parameters<typeof openTestWindow>[0] = {},
): Promise<TestCanvas> {
  const window = openTestWindow({
    readNotices: () => [],
    listFlows: () => [{ path, change: null }],
    readFlow: () => ({ text }),
    ...more,
  });
  window.engine.connect();
  await window.settle();
  const host = window.draw(<FlowCanvas path={path} />);
  await window.settle();
  const textNow = (): string => window.stores.openFiles.getState().files.get(path)?.text ?? '';
  const find = <Found extends HTMLElement>(selector: string): Found => {
    const found = host.querySelector<Found>(selector);
    if (found === null) throw new Error(`Nothing is ${selector}`);
    return found;
  };
  return {
    path,
    window,
    host,
    text: textNow,
    undoLabel: () => window.stores.openFiles.getState().files.get(path)?.undoLabel,
    chosen: () => window.stores.selection.getState().views.get(path)?.chosen,
    async run(id) {
      const command = findCommand(id);
      const isDone = command !== undefined && act(() => runCommand(command, window.context));
      await window.settle();
      if (!isDone) throw new Error(`${id} is not available`);
    },
    async choose(parts) {
      act(() => window.stores.selection.getState().choose(path, parts));
      await window.settle();
    },
    newLines(before) {
      const known = new Set(before.split('\n'));
      return textNow()
        .split('\n')
        .filter((line) => !known.has(line));
    },
    async pick(type) {
      act(() => find(`.node-palette-row[data-type="${type}"]`).click());
      await window.settle();
    },
    find,
    close: () => window.close(),
  };
}

/** Sets the value of a field so that React notices it. */
export async function write(field: HTMLInputElement | HTMLTextAreaElement, value: string): Promise<void> {
  await act(async () => {
    typeInto(field, value);
  });
}

export async function press(canvas: TestCanvas, target: Element, key: string): Promise<void> {
  await act(async () => target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })));
  await canvas.window.settle();
}

/** A position in flow coordinates. */
export interface FlowPlace {
  readonly x: number;
  readonly y: number;
}

/** Returns the top left corner of a card. */
export function cardPlace(canvas: TestCanvas, id: string): FlowPlace {
  const [x = 0, y = 0] = transformOf(canvas, `.react-flow__node[data-id="${id}"]`);
  return { x, y };
}

function transformOf(canvas: TestCanvas, selector: string): number[] {
  const { transform } = canvas.find<HTMLElement>(selector).style;
  return [...transform.matchAll(/-?[\d.]+/g)].map(([number]) => Number(number));
}

/**
 * Draws a wire from a port, or from an end of an edge, to a position. If the position does not move, this is a click.
 */
export async function dragWire(canvas: TestCanvas, from: Element, to: FlowPlace): Promise<void> {
  const [left = 0, top = 0, zoom = 1] = transformOf(canvas, '.react-flow__viewport');
  const at = ({ x, y }: FlowPlace): PointerEventInit => ({
    bubbles: true,
    clientX: left + x * zoom,
    clientY: top + y * zoom,
  });
  await act(async () => {
    from.dispatchEvent(new PointerEvent('pointerdown', at({ x: 0, y: 0 })));
    window.dispatchEvent(new PointerEvent('pointermove', at(to)));
    window.dispatchEvent(new PointerEvent('pointerup', at(to)));
  });
  await canvas.window.settle();
}
