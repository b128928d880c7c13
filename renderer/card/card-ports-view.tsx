import { Handle, Position } from '@xyflow/react';
import { type CSSProperties, memo, use } from 'react';
import { failureBranch } from '../stores/flow/branches.ts';
import type { CardContent } from './card-content.ts';
import { CanvasDirection } from './card-context.ts';
import { branchPorts, portLength } from './card-ports.ts';
import { branchHint } from './card-sections.ts';

interface CardPortsProps {
  /** Undefined for an element that represents several cards. */
  readonly content?: CardContent;
  /** The branch taken in the run, or null if it is not known. */
  readonly taken?: string | null;
  /** For a container with the card as its header: pixels to the bottom of the container. */
  readonly outerHeight?: number;
}

/**
 * The bumps in a card's outline where edges arrive and leave. The input port of a first card shows only while a wire is
 * being drawn. The default output port of a card with only branch edges shows only on hover. `use-wire.ts` starts wires
 * at them, not React Flow.
 */
export const CardPorts = memo(function CardPorts({ content, taken = null, outerHeight }: CardPortsProps) {
  const direction = use(CanvasDirection);
  const isDown = direction === 'down';
  const out = isDown ? Position.Bottom : Position.Right;
  const hints = new Map(content?.branches.map((branch) => [branch.route, branchHint(branch)]));
  const foot = isDown && outerHeight !== undefined ? atFoot(outerHeight) : {};
  return (
    <>
      <Handle
        type="target"
        position={isDown ? Position.Top : Position.Left}
        isConnectable={false}
        data-idle={content?.isStart ?? false}
      />
      <Handle
        type="source"
        position={out}
        isConnectable={false}
        data-idle={content?.leavesByRows ?? false}
        style={foot}
      />
      {content === undefined || content.branches.length === 0
        ? null
        : branchPorts(content, direction).map((port) => (
            <Handle
              key={port.route}
              id={port.route}
              type="source"
              position={out}
              isConnectable={false}
              title={hints.get(port.route)}
              data-failure={port.route === failureBranch || undefined}
              data-taken={taken === null ? undefined : taken === port.route}
              style={{
                ...foot,
                [isDown ? 'left' : 'top']: `calc(${port.out - portLength / 2}px - var(--card-border))`,
              }}
            />
          ))}
    </>
  );
});

function atFoot(height: number): CSSProperties {
  return { top: `calc(${height - 1}px - var(--card-border))`, bottom: 'auto' };
}
