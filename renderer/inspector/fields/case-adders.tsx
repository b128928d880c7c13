/**
 * Buttons that add cases for all known values of a node's input.
 */
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import type { NodeDoc } from '../../../engine/isomorphic.ts';
import { caseOffers } from '../../stores/flow/case-offers.ts';
import { nodeTypes } from '../../stores/flow/node-types.ts';
import { useStores } from '../../stores/stores-context.tsx';
import type { SettledFlow } from '../../stores/use-flow.ts';
import { Button } from '../../ui/button.tsx';
import { useFormScope } from './form-scope.tsx';
import { text } from './text.ts';

interface CaseAddersProps {
  readonly flow: SettledFlow;
  readonly node: NodeDoc;
}

export function CaseAdders({ flow: { doc, path, schemas: files }, node }: CaseAddersProps) {
  const { edits } = useStores();
  const { isDisabled } = useFormScope();
  const offers = useMemo(
    () => (doc === null ? [] : caseOffers(node, { doc, catalog: nodeTypes, files })),
    [doc, node, files],
  );
  if (isDisabled || offers.length === 0) return null;
  return (
    <div className="form-adders">
      {offers.map(({ path: of, values, input }) => (
        <Button
          key={of}
          size="small"
          variant="ghost"
          title={values.join(', ')}
          onClick={() => void edits.change(path, { do: 'set-node', id: node.id, path: ['input'], value: input })}
        >
          <Plus aria-hidden size={13} />
          {text.cases.add({ path: of, values: values.join(', ') })}
        </Button>
      ))}
    </div>
  );
}
