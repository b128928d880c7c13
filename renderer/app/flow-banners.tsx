import { hasErrors } from '../../engine/isomorphic.ts';
import type { OpenFlow } from '../stores/open-flows.ts';
import { Banner } from '../ui/banner.tsx';
import { pluralText } from '../ui/quantity-text.ts';
import { CommandButton } from './command-button.tsx';

/** What must be said about the file in front before anything else. */
export function FlowBanners({ flow }: { flow: OpenFlow }) {
  const errors = flow.diagnostics.filter(({ severity }) => severity === 'error').length;
  return (
    <>
      {flow.isMissing ? (
        <Banner tone="warning">
          {flow.path} was deleted. You see the text as it was last; it can still be run, and copied from the text view.
        </Banner>
      ) : null}
      {flow.readError !== null && !flow.isMissing ? (
        <Banner tone="warning">The file could not be read again: {flow.readError.message}</Banner>
      ) : null}
      {hasErrors(flow.diagnostics) && !flow.isOldVersion ? (
        <Banner tone="error" actions={<CommandButton command="view.problems" icon={null} />}>
          {pluralText(errors, 'error')} {errors === 1 ? 'keeps' : 'keep'} this {flow.kind} from running.
          {flow.isDocStale ? ' The canvas shows the last text that could be read.' : ''}
        </Banner>
      ) : null}
    </>
  );
}
