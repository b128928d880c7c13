/**
 * The text of the outline and of the dialogs about nodes.
 */
import { inLanguage, numberText, plural } from '../../ui/language.ts';

interface NodePart {
  readonly node: string;
}

/** Some nodes, with the name of one of them for when it is the only one. */
interface NodesPart extends NodePart {
  readonly count: number;
}

export const text = inLanguage('app/nodes', {
  outline: {
    heading: 'OUTLINE',
    add: 'Add a node by name…',
    noEdgeChanged: 'No edge was changed',
  },
  add: {
    title: 'Add a node',
    titleNear: ({ node }: NodePart) => `Add a node: ${node} is selected`,
    stepAtEnd: 'Add a step at the end',
    stepAfter: ({ node }: NodePart) => `Add a step after ${node}`,
    placeholder: 'Node type',
    stepPlaceholder: 'Step or tool',
    detail: ({ type, description }: { readonly type: string; readonly description: string }) =>
      `${type} · ${description}`,
    empty: 'No matching node types.',
    where: 'Position',
    after: ({ node }: NodePart) => `After ${node}`,
    onFailure: 'When it fails',
    inside: ({ node }: NodePart) => `Inside ${node}`,
    alone: 'Not connected',
  },
  connect: {
    title: ({ node }: NodePart) => `Connect ${node} to…`,
    placeholder: 'Name of the next node',
    empty: 'No matching nodes.',
    onFailure: ({ detail }: { readonly detail: string }) => `when it fails · ${detail}`,
    byBranch: ({ branch, detail }: { readonly branch: string; readonly detail: string }) => `by ${branch} · ${detail}`,
    undo: ({ node }: NodePart) => `Connect ${node} on failure`,
  },
  disconnect: {
    title: ({ node }: NodePart) => `Remove an edge of ${node}`,
    placeholder: 'Name of the node at the other end',
    conditional: 'with a condition',
    noEdges: 'This node has no edges.',
    empty: 'No matching edges.',
  },
  moveIntoLoop: {
    title: ({ count, node }: NodesPart) =>
      plural(count, {
        one: `Move ${node} into the body of…`,
        other: `Move ${numberText(count)} nodes into the body of…`,
      }),
    placeholder: 'Name of a loop',
    noLoops: 'The flow has no other loops.',
    empty: 'No matching loops.',
  },
  extract: {
    title: ({ count, node }: NodesPart) =>
      plural(count, { one: `Extract ${node} to a flow`, other: `Extract ${numberText(count)} nodes to a flow` }),
    description:
      'The nodes move to a new file, and a single node that calls it takes their place. The results stay the same.',
    /** Suggested names of the new flow. */
    nameOfTwo: ({ first, last }: { readonly first: string; readonly last: string }) => `${first} and ${last}`,
    nameOfMany: ({ first, last }: { readonly first: string; readonly last: string }) => `${first} to ${last}`,
    part: 'part',
    name: 'Name',
    nameNeedsLetter: 'The name needs a letter or a digit.',
    nameIsTaken: ({ path }: { readonly path: string }) => `${path} already exists. Choose another name.`,
    inProduct: "Flows in a product can't call flows, so nothing can be extracted here.",
    creates: 'Creates {path}',
    inputs: 'Inputs',
    outputs: 'Outputs',
    none: 'none',
    more: ({ count }: { readonly count: number }) => `and ${numberText(count)} more`,
    cancel: 'Cancel',
    extract: 'Extract',
    close: 'Close',
  },
  /** Adds a request from a curl command that contains secrets. */
  pasteRequest: {
    title: 'Add the request',
    description:
      'The command contains secrets. The flow refers to them by name, and their values are stored separately.',
    nameInvalid: 'Use capital letters, digits and _ for names, such as API_TOKEN.',
    nameRepeated: "Two secrets can't have the same name.",
    secretFailed: ({ name, reason }: { readonly name: string; readonly reason: string }) => `${name}: ${reason}`,
    addFailed: "Couldn't add the request.",
    notConverted: 'Not converted',
    secretFrom: ({ place }: { readonly place: string }) => `Secret from ${place}`,
    replaces: 'A secret with this name already exists. Millrace asks you before it replaces the value.',
    valueOf: ({ name }: { readonly name: string }) => `Value of ${name}`,
    valuePlaceholder: 'Value, now or before the first run',
    cancel: 'Cancel',
    addWithoutValues: 'Add without values',
    keepAndAdd: 'Save and add',
  },
});
