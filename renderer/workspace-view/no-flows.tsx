/**
 * What a workspace without flows says, and how to begin.
 */
import { Workflow } from 'lucide-react';
import type { ReactNode } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import './no-flows.css';

/** A flow that shows the form of the file and runs anywhere, without a model. */
export const smallestFlow = `flow:
  name: Hello
  input:
    who: world
nodes:
  - id: greet
    type: template
    input:
      who: "{{flow.input.who}}"
    config:
      template: "Hello, {{who}}!"
  - id: save
    type: file.write
    input:
      path: hello.txt
      text: "{{greet.text}}"
edges:
  - { from: greet, to: save }
`;

interface NoFlowsProps {
  /** The workspace, absolute. */
  readonly folder: string;
  /** Buttons that make something new. */
  readonly actions: ReactNode;
}

export function NoFlows({ folder, actions }: NoFlowsProps) {
  return (
    <EmptyState icon={<Workflow aria-hidden size={20} />} title="No flows here yet" actions={actions}>
      <p>
        A flow is a text file that ends in <code>.flow.yaml</code>: nodes, and edges between them. Make one here, or
        save this one as <code>hello.flow.yaml</code> in{' '}
        <span data-selectable className="no-flows-folder">
          {folder}
        </span>{' '}
        or a folder below, and it appears at once.
      </p>
      <div className="no-flows-example">
        <pre>{smallestFlow}</pre>
        <CopyButton label="Copy the example" text={() => smallestFlow} />
      </div>
    </EmptyState>
  );
}
