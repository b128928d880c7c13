/**
 * The text of the canvas of a flow.
 */
import { type Counted, inLanguage, numberText, plural } from '../ui/language.ts';

interface OfNode {
  readonly node: string;
}

interface Ends {
  readonly source: string;
  readonly target: string;
}

/** `names`: a node's ID, or counted parts of the flow. */
interface OfParts {
  readonly names: string;
}

interface InLoop extends OfParts {
  readonly loop: string;
}

interface Titled {
  readonly title: string;
}

export const text = inLanguage('canvas', {
  label: ({ path }: { readonly path: string }) => `Canvas of ${path}`,
  minimap: 'Overview map',
  parts: {
    nodes: ({ count }: Counted) => plural(count, { one: '1 node', other: `${numberText(count)} nodes` }),
    edges: ({ count }: Counted) => plural(count, { one: '1 edge', other: `${numberText(count)} edges` }),
    notes: ({ count }: Counted) => plural(count, { one: '1 note', other: `${numberText(count)} notes` }),
    groups: ({ count }: Counted) => plural(count, { one: '1 group', other: `${numberText(count)} groups` }),
    triggers: ({ count }: Counted) => plural(count, { one: '1 trigger', other: `${numberText(count)} triggers` }),
    both: ({ first, last }: { readonly first: string; readonly last: string }) => `${first} and ${last}`,
  },
  edges: {
    insert: 'Insert a node into the edge',
    delete: 'Delete the edge',
    dragEnd: 'Drag to another node',
    role: 'edge',
    spoken: ({ source, target }: Ends) => `Edge from ${source} to ${target}`,
    spokenFailure: ({ source, target }: Ends) => `From ${source} to ${target} when ${source} fails`,
    spokenBranch: ({ source, target, branch }: Ends & { readonly branch: string }) =>
      `From ${source} to ${target} by ${branch}`,
    spokenWhen: ({ source, target, condition }: Ends & { readonly condition: string }) =>
      `From ${source} to ${target} when ${condition}`,
    succeeded: 'succeeded',
    not: ({ branch }: { readonly branch: string }) => `not ${branch}`,
  },
  add: {
    node: 'Add a node',
    after: ({ node }: OfNode) => `Add a node after ${node}`,
    afterBranch: ({ node, branch }: OfNode & { readonly branch: string }) => `Add a node after ${branch} of ${node}`,
    before: ({ node }: OfNode) => `Add a node before ${node}`,
    inside: ({ node }: OfNode) => `Add a node to the body of ${node}`,
    onFailure: ({ node }: OfNode) => `Add a node to run when ${node} fails`,
    dragFailure: ({ node }: OfNode) => `When ${node} fails: drag from here, or click to add a node`,
    dropHere: 'Drop a node here, or add one',
    step: 'Add a step',
    stepAfter: ({ node }: OfNode) => `Add a step after ${node}`,
    stepBefore: ({ node }: OfNode) => `Add a step before ${node}`,
    stepBetween: ({ source, target }: Ends) => `Add a step between ${source} and ${target}`,
  },
  undo: {
    addNodes: ({ count }: Counted) => plural(count, { one: 'Add 1 node', other: `Add ${numberText(count)} nodes` }),
    connectFailure: ({ source, target }: Ends) => `Connect ${source} to ${target} on failure`,
    changeEdge: 'Change an edge',
    delete: ({ names }: OfParts) => `Delete ${names}`,
    paste: ({ names }: OfParts) => `Paste ${names}`,
    duplicate: ({ names }: OfParts) => `Duplicate ${names}`,
    move: ({ names }: OfParts) => `Move ${names}`,
    moveInto: ({ names, loop }: InLoop) => `Move ${names} into ${loop}`,
    moveOut: ({ names, loop }: InLoop) => `Move ${names} out of ${loop}`,
    putIntoEdge: ({ node }: OfNode) => `Insert ${node} into an edge`,
    layOut: 'Lay out automatically',
    layOutDown: 'Lay out from top to bottom',
    layOutRight: 'Lay out from left to right',
    replace: ({ count }: Counted) =>
      plural(count, { one: 'Replace in 1 node', other: `Replace in ${numberText(count)} nodes` }),
    giveTool: ({ tool, node }: OfNode & { readonly tool: string }) => `Give ${tool} to ${node}`,
    addNote: 'Add a note',
    editNote: 'Edit a note',
    changeNote: 'Change a note',
    resizeNote: 'Resize a note',
    color: ({ color }: { readonly color: string }) => `Change color to ${color}`,
    group: 'Group',
    ungroup: 'Ungroup',
    renameGroup: 'Rename a group',
  },
  notices: {
    readOnly: ({ path }: { readonly path: string }) => `${path} cannot be changed`,
    copyFailed: "Couldn't copy the selection",
    clipboardFailed: "Couldn't read the clipboard",
    nothingToPaste: 'Nothing to paste',
    nothingToPasteDetail:
      'The clipboard contains no nodes, notes or triggers that fit here. Copy some from a canvas, or as YAML with a "nodes:" list. A curl command becomes a request.',
    noEdgeChanged: 'No edge was changed',
    moveIntoFailed: ({ names, loop }: InLoop) => `Couldn't move ${names} into ${loop}`,
    moveOutFailed: ({ names, loop }: InLoop) => `Couldn't move ${names} out of ${loop}`,
  },
  picture: {
    saved: 'The picture was saved',
    saveFailed: "Couldn't save the picture",
    copied: 'The picture was copied',
    copiedDetail: 'You can paste it into other programs.',
    copyFailed: "Couldn't copy the picture",
    scaled: ({ percent }: { readonly percent: number }) =>
      `The flow is large, so the picture was scaled to ${percent}%. Save it as SVG for full detail.`,
    tooLarge: 'The picture is too large. Save it as SVG instead.',
  },
  groups: {
    initialTitle: 'Group',
    label: ({ title }: Titled) => `Group ${title}`,
    expand: ({ title }: Titled) => `Expand ${title}`,
    collapse: ({ title }: Titled) => `Collapse ${title}`,
  },
  notes: {
    label: ({ content }: { readonly content: string }) => `Note: ${content}`,
    emptyLabel: 'Note: empty',
    empty: 'Double-click to write',
    resize: 'Drag to resize',
    field: 'Note text in Markdown',
  },
  colors: {
    label: 'Color',
    grey: 'gray',
    blue: 'blue',
    green: 'green',
    amber: 'amber',
    red: 'red',
    violet: 'violet',
  },
  align: {
    label: 'Align or distribute',
    left: 'Left',
    right: 'Right',
    top: 'Top',
    bottom: 'Bottom',
    center: 'Centers',
    middle: 'Middles',
    across: 'Distribute horizontally',
    down: 'Distribute vertically',
  },
  foot: {
    showSelected: 'Show selected node',
    showAll: ({ count }: Counted) => `Show all ${count}`,
    showAllHint: 'Only the start of the flow is visible. Show all of it',
  },
  empty: {
    nodes: 'This flow has no nodes yet',
    addNode: 'Add the first node',
    nodeHint: 'Press N or double-click to add the first node.',
    steps: 'This flow has no steps yet',
    addStep: 'Add the first step',
    stepHint: 'Press N or double-click to add the first step.',
  },
  invalid: {
    line: ({ line }: { readonly line: number }) => `Line ${line} cannot be read`,
    title: "This text can't be displayed on the canvas",
    noFlow: 'It contains no flow.',
    goToLine: ({ line }: { readonly line: number }) => `Go to line ${line}`,
    stale: 'Showing the last valid text.',
    problem: ({ line, message }: { readonly line: number; readonly message: string }) => `Line ${line}: ${message}`,
  },
  find: {
    label: 'Find',
    field: 'Find in the flow',
    placeholder: 'Find in nodes and triggers',
    previous: 'Previous',
    previousKeys: 'Shift F3',
    next: 'Next',
    close: 'Close',
    closeKey: 'Esc',
    replaceWith: 'Replace with',
  },
  autonomy: {
    label: ({ level }: { readonly level: string }) => `Autonomy: ${level}. Show the flow settings`,
    suggest_only: 'Actions are not run. They are recorded as suggestions. Click to change this.',
    semi_auto: 'Actions wait until a person approves them. Click to change this.',
    full_auto: 'Actions run without approval where the policies allow it. Click to change this.',
  },
  palette: {
    label: 'Node palette',
    nodes: 'Nodes',
    steps: 'Steps',
    close: 'Close the palette',
    nodesHint: 'Drag onto the canvas, or click. Drop a tool on a prompt to let its model use it.',
    stepsHint: 'Drag to the position of the new step, or click to add it at the end.',
    types: 'Node types',
    searchNodes: 'Search node types',
    nodesPlaceholder: 'Search nodes',
    noNodes: 'No matching node types.',
    searchSteps: 'Search steps and tools',
    noSteps: 'No matching steps or tools.',
  },
  rename: {
    node: 'Name of the node',
    group: 'Name of the group',
  },
});
