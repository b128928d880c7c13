/**
 * The bar of the test that is open over a file.
 */
import { Check, RotateCw, X } from 'lucide-react';
import { CaseHeader } from '../../case-view/case-header.tsx';
import { text as words } from '../../case-view/text.ts';
import { RunCrumbs } from '../../run-view/run-crumbs.tsx';
import { showText } from '../../stores/show-text.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { useOpenResult } from '../../stores/use-case.ts';
import { CommandButton, useCommand } from '../commands/command-context.tsx';

export function ShownCase({ path }: { readonly path: string }) {
  const stores = useStores();
  const result = useOpenResult(path);
  const { keys } = useCommand('flow.back');
  const accept = useCommand('tests.accept');
  // Its key also runs an open test again.
  const redo = useCommand('run.redo');
  if (result === undefined) return null;
  return (
    <CaseHeader
      result={result}
      lead={<RunCrumbs path={path} backKeys={keys} />}
      onText={(file, line) => void showText(stores, file, { line, column: 1 })}
    >
      {accept.isAvailable ? (
        <CommandButton command="tests.accept" text={words.header.accept} icon={<Check aria-hidden size={14} />} />
      ) : null}
      <CommandButton
        command={redo.isAvailable ? 'run.redo' : 'tests.runAgain'}
        text={words.header.runAgain}
        variant="primary"
        icon={<RotateCw aria-hidden size={14} />}
      />
      <CommandButton command="tests.close" text={words.header.close} icon={<X aria-hidden size={14} />} />
    </CaseHeader>
  );
}
