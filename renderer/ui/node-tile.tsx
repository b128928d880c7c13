/**
 * The small colored square of a node type: the color depends on the category, the icon on the type.
 */
import {
  Bot,
  Box,
  Braces,
  CircleDashed,
  CircleHelp,
  ClipboardList,
  Clock,
  CodeXml,
  Equal,
  FileInput,
  FileOutput,
  Funnel,
  Globe,
  Hammer,
  List,
  ListChecks,
  type LucideIcon,
  MessageSquareText,
  OctagonX,
  Quote,
  Repeat,
  Split,
  SquareTerminal,
  Type,
  UserCheck,
  Workflow,
} from 'lucide-react';
import './node-tile.css';

/**
 * The categories that have a color. The engine's node categories are a subset, which is checked by the callers' types.
 */
export type TileCategory = 'agent' | 'model' | 'logic' | 'loop' | 'file' | 'net' | 'text' | 'human' | 'flow';

/** The icons that a node type can use, and `unknown` for an unknown type. */
export type TileIcon =
  | 'message'
  | 'bot'
  | 'file-input'
  | 'file-output'
  | 'text'
  | 'quote'
  | 'box'
  | 'tool'
  | 'equal'
  | 'clock'
  | 'octagon-x'
  | 'circle-dashed'
  | 'split'
  | 'repeat'
  | 'globe'
  | 'terminal'
  | 'braces'
  | 'code'
  | 'list'
  | 'filter'
  | 'workflow'
  | 'approval'
  | 'form'
  | 'plan'
  | 'unknown';

const tileColors: Readonly<Record<TileCategory, string>> = {
  agent: 'var(--tile-agent)',
  model: 'var(--tile-model)',
  logic: 'var(--tile-logic)',
  loop: 'var(--tile-loop)',
  file: 'var(--tile-file)',
  net: 'var(--tile-net)',
  text: 'var(--tile-text)',
  human: 'var(--tile-human)',
  flow: 'var(--tile-flow)',
};

const tileGlyphs: Readonly<Record<TileIcon, LucideIcon>> = {
  message: MessageSquareText,
  bot: Bot,
  'file-input': FileInput,
  'file-output': FileOutput,
  text: Type,
  quote: Quote,
  box: Box,
  tool: Hammer,
  equal: Equal,
  clock: Clock,
  'octagon-x': OctagonX,
  'circle-dashed': CircleDashed,
  split: Split,
  repeat: Repeat,
  globe: Globe,
  terminal: SquareTerminal,
  braces: Braces,
  code: CodeXml,
  list: List,
  filter: Funnel,
  workflow: Workflow,
  approval: UserCheck,
  form: ClipboardList,
  plan: ListChecks,
  unknown: CircleHelp,
};

interface NodeTileProps {
  readonly category: TileCategory;
  readonly icon: TileIcon;
  /** `normal` is 20 px (cards, headers), `small` is 14 px (rows of a tree). */
  readonly size?: 'normal' | 'small';
}

/** Returns the CSS color of a category, for places that draw it without the tile (minimap, low zoom). */
export function tileColor(category: TileCategory): string {
  return tileColors[category];
}

/** A decorative tile. The name of the type must be shown nearby. */
export function NodeTile({ category, icon, size = 'normal' }: NodeTileProps) {
  const Glyph = tileGlyphs[icon];
  return (
    <span className="node-tile" data-size={size} style={{ '--tile-color': tileColors[category] }}>
      <Glyph aria-hidden size={size === 'small' ? 10 : 14} strokeWidth={1.3} absoluteStrokeWidth />
    </span>
  );
}
