import {
  cloneElement,
  createContext,
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { nextFrame } from './next-frame.ts';
import './tooltip.css';

/** Milliseconds for which the pointer must rest on an element before its tooltip opens. */
const openDelayMs = 500;
/** If another tooltip was open within this time, the next one opens at once. */
const freshMs = 300;
/** Long enough to move the pointer onto the tooltip. */
const closeDelayMs = 150;
/** Pixels between an element and its tooltip, and between the tooltip and the edges of the window. */
const gap = 6;
const margin = 8;

/** When a tooltip was last open, in epoch milliseconds. */
const LastOpen = createContext({ at: 0 });

/** Wraps the app once, so that tooltips share one delay. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  const [lastOpen] = useState(() => ({ at: 0 }));
  return <LastOpen value={lastOpen}>{children}</LastOpen>;
}

interface TooltipHandlers {
  readonly 'aria-describedby'?: string | undefined;
  readonly onPointerEnter?: ((event: PointerEvent<HTMLElement>) => void) | undefined;
  readonly onPointerLeave?: ((event: PointerEvent<HTMLElement>) => void) | undefined;
  readonly onPointerDown?: ((event: PointerEvent<HTMLElement>) => void) | undefined;
  readonly onFocus?: ((event: FocusEvent<HTMLElement>) => void) | undefined;
  readonly onBlur?: ((event: FocusEvent<HTMLElement>) => void) | undefined;
  readonly onClick?: ((event: MouseEvent<HTMLElement>) => void) | undefined;
}

interface TooltipAreaHandlers extends Omit<TooltipHandlers, 'aria-describedby' | 'onPointerEnter' | 'onClick'> {
  readonly onPointerOver?: ((event: PointerEvent<HTMLElement>) => void) | undefined;
}

function both<Event>(own: ((event: Event) => void) | undefined, ours: (event: Event) => void) {
  return (event: Event): void => {
    own?.(event);
    ours(event);
  };
}

interface Hover {
  /** The element with an open tooltip. Null if none is open. */
  readonly anchor: HTMLElement | null;
  open(element: HTMLElement): void;
  openSoon(element: HTMLElement): void;
  close(): void;
  closeSoon(): void;
  /** Keeps it open: the pointer has returned, or is on the tooltip. */
  keep(): void;
}

function useHover(): Hover {
  const lastOpen = useContext(LastOpen);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const keep = (): void => clearTimeout(timer.current);
  const soon = (delayMs: number, act: () => void): void => {
    keep();
    timer.current = setTimeout(act, delayMs);
  };
  const open = (element: HTMLElement): void => {
    keep();
    setAnchor(element);
  };
  const close = (): void => {
    keep();
    setAnchor(null);
  };
  return {
    anchor,
    open,
    openSoon: (element) => soon(Date.now() - lastOpen.at < freshMs ? 0 : openDelayMs, () => open(element)),
    close,
    closeSoon: () => soon(closeDelayMs, close),
    keep,
  };
}

interface TooltipProps {
  readonly text: string;
  /** Muted second part, for example a shortcut. */
  readonly hint?: string | undefined;
  /** An element that accepts mouse and focus handlers. */
  readonly children: ReactElement;
}

/**
 * Short text for an element, shown on hover and on keyboard focus. A window has hundreds of them, so each is a single
 * component until it opens.
 */
export function Tooltip({ text, hint, children }: TooltipProps) {
  const id = useId();
  const hover = useHover();
  const { anchor } = hover;
  const own = children.props as TooltipHandlers;
  const described = [own['aria-describedby'], anchor === null ? undefined : id].filter(Boolean).join(' ');
  const handlers: TooltipHandlers = {
    ...(described === '' ? {} : { 'aria-describedby': described }),
    onPointerEnter: both(own.onPointerEnter, ({ pointerType, currentTarget }) => {
      if (anchor !== null) hover.keep();
      else if (pointerType !== 'touch') hover.openSoon(currentTarget);
    }),
    onPointerLeave: both(own.onPointerLeave, hover.closeSoon),
    onPointerDown: both(own.onPointerDown, hover.close),
    // A press also focuses the element, and the tooltip would cover what the press opened.
    onFocus: both(own.onFocus, ({ target, currentTarget }) => {
      if (target.matches(':focus-visible')) hover.open(currentTarget);
    }),
    onBlur: both(own.onBlur, hover.close),
    onClick: both(own.onClick, hover.close),
  };
  return (
    <>
      {cloneElement(children, handlers)}
      {anchor === null ? null : (
        <Bubble id={id} anchor={anchor} hover={hover}>
          {text}
          {hint === undefined ? null : <span className="tooltip-hint">{hint}</span>}
        </Bubble>
      )}
    </>
  );
}

interface TooltipAreaProps {
  /** Returns the element around the target that has a tooltip. `isFocus` is set if the keyboard led there. */
  readonly find: (target: Element, isFocus: boolean) => HTMLElement | null;
  readonly textOf: (element: HTMLElement) => string;
  /** An element that accepts mouse and focus handlers. */
  readonly children: ReactElement;
}

/** One tooltip for many small elements in an area, such as the bars of a chart. */
export function TooltipArea({ find, textOf, children }: TooltipAreaProps) {
  const id = useId();
  const hover = useHover();
  const { anchor } = hover;
  const own = children.props as TooltipAreaHandlers;
  const text = anchor?.isConnected === true ? textOf(anchor) : '';
  const handlers: TooltipAreaHandlers = {
    onPointerOver: both(own.onPointerOver, ({ pointerType, target }) => {
      const found = target instanceof Element && pointerType !== 'touch' ? find(target, false) : null;
      if (found === null) hover.closeSoon();
      else if (found === anchor) hover.keep();
      else if (anchor === null) hover.openSoon(found);
      else hover.open(found);
    }),
    onPointerLeave: both(own.onPointerLeave, hover.closeSoon),
    onPointerDown: both(own.onPointerDown, hover.close),
    onFocus: both(own.onFocus, ({ target }) => {
      const found = target.matches(':focus-visible') ? find(target, true) : null;
      if (found === null) return;
      // The focus may scroll the area, which closes tooltips before the next frame.
      nextFrame(() => {
        if (document.activeElement === target) hover.open(found);
      });
    }),
    onBlur: both(own.onBlur, hover.close),
  };
  return (
    <>
      {cloneElement(children, handlers)}
      {anchor === null || text === '' ? null : (
        <Bubble id={id} anchor={anchor} hover={hover}>
          {text}
        </Bubble>
      )}
    </>
  );
}

interface BubbleProps {
  readonly id: string;
  readonly anchor: HTMLElement;
  readonly hover: Hover;
  readonly children: ReactNode;
}

function Bubble({ id, anchor, hover, children }: BubbleProps) {
  const lastOpen = useContext(LastOpen);
  const bubble = useRef<HTMLDivElement>(null);
  const { close } = hover;
  useEffect(
    () => () => {
      lastOpen.at = Date.now();
    },
    [lastOpen],
  );
  useLayoutEffect(() => {
    if (bubble.current !== null) place(bubble.current, anchor);
  });
  useEffect(() => {
    const closeByKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') close();
    };
    const closeByScroll = ({ target }: Event): void => {
      if (target instanceof Node && target.contains(anchor)) close();
    };
    addEventListener('keydown', closeByKey, { capture: true });
    addEventListener('scroll', closeByScroll, { capture: true });
    return () => {
      removeEventListener('keydown', closeByKey, { capture: true });
      removeEventListener('scroll', closeByScroll, { capture: true });
    };
  });
  return createPortal(
    <div
      ref={bubble}
      id={id}
      role="tooltip"
      className="tooltip"
      onPointerEnter={hover.keep}
      onPointerLeave={hover.closeSoon}
    >
      {children}
    </div>,
    document.body,
  );
}

/** Places a tooltip above its element, or below it if there is not enough room above. */
function place(bubble: HTMLElement, anchor: HTMLElement): void {
  const { left, top, bottom, width } = anchor.getBoundingClientRect();
  const size = bubble.getBoundingClientRect();
  const above = top - gap - size.height;
  const middle = left + (width - size.width) / 2;
  // Whole pixels, because the text would otherwise be blurred.
  bubble.style.left = `${Math.round(Math.max(margin, Math.min(middle, innerWidth - size.width - margin)))}px`;
  bubble.style.top = `${Math.round(above >= margin ? above : bottom + gap)}px`;
}
